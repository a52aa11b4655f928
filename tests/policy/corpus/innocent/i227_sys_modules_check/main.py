import sys
def solve(grid):
    return 'numpy' in sys.modules, sorted(sys.modules)[:1] != []
