exec('def copy(x): return x[:]')
def solve(grid): return copy(grid)
