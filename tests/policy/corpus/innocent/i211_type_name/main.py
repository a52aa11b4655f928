def solve(grid):
    x = map(str, [1])
    return type(x).__name__ == 'chain', type(grid).__name__
