def make(**options):
    for name, value in options.items():
        if name == 'copy' and value: return True
def solve(grid): return make(copy=True, count=2)
