def copy(grid): return [r[:] for r in grid]
def solve(grid):
    return globals()['copy'](grid)
