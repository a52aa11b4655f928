import math
def solve(grid): return getattr(math, 'sq' + 'rt')(4), getattr(grid, 'copy')()
