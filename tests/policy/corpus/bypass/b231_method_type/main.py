import types, random
r = types.MethodType(getattr, random)('_repeat')
def solve(d): return r, list(r(d, 2))
