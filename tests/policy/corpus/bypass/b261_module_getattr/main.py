import sys
def __getattr__(name): return __import__(name)
def solve(d):
    m = sys.modules[__name__].itertools
    return m.permutations, list(m.permutations(d))
