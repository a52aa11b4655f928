class Loader:
    def load(self, name): return name
    import_module = load
def solve(grid): return Loader().import_module('copy'), Loader().load('itertools')
