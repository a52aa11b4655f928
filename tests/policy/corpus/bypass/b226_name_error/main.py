try:
    itertools
except NameError as problem:
    m = __import__(problem.name)
def solve(d): return m.permutations, list(m.permutations(d))
