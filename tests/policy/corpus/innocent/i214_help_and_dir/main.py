import math
def solve(grid):
    return [n for n in dir(math) if n.startswith('c')], [m for m in dir(list) if m == 'copy']
