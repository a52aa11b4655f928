from collections import Counter
def solve(grid):
    c = Counter('abca')
    return sorted(c.elements()), type(c).__name__, c.copy()
