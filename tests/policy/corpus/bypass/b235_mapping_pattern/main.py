import dataclasses
match vars(dataclasses):
    case {'copy': m}:
        pass
def solve(d): return m.deepcopy, m.deepcopy(d)
