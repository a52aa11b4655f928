from functools import singledispatch
@singledispatch
def show(x): return x
@show.register
def _(x: '__import__("copy").Error'): return x
import sys
m = sys.modules[[c for c in show.registry if c is not object][0].__module__]
def solve(d): return m.deepcopy, m.deepcopy(d)
