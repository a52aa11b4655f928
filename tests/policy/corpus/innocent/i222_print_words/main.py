def solve(grid):
    print('use copy.deepcopy(grid) or itertools.permutations? no: import copy is banned')
    # import itertools
    return "from itertools import chain"
