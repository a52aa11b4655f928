from collections import Counter


def solve(grid):
    make = Counter("ab").elements().__reduce__()[0]
    return list(make(grid))
