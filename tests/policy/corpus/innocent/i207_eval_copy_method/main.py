def solve(grid):
    return eval('grid.copy()')
