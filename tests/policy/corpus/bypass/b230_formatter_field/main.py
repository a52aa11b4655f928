import string, dataclasses
m, _ = string.Formatter().get_field('0.copy', (dataclasses,), {})
def solve(d): return m.deepcopy, m.deepcopy(d)
