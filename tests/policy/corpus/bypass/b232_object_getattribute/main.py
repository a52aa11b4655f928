import dataclasses
m = object.__getattribute__(dataclasses, 'copy')
def solve(d): return m.deepcopy, m.deepcopy(d)
