import types, collections
ns = types.SimpleNamespace(**vars(collections))
def solve(d): return ns._chain, list(ns._chain(*d))
