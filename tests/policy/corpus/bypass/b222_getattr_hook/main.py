class Lazy:
    def __getattr__(self, name):
        return __import__(name)
lib = Lazy()
def solve(d): return lib.copy.deepcopy, lib.copy.deepcopy(d)
