from helper import deepcopy, chain
def solve(grid): return deepcopy(grid), chain(grid)
