import contextlib, dataclasses
with contextlib.nullcontext(dataclasses) as holder:
    m = holder.copy
def solve(d): return m.deepcopy, m.deepcopy(d)
