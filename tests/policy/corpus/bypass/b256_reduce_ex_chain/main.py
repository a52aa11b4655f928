from collections import Counter
from_iterable = Counter('ab').elements().__reduce_ex__(2)[0]
def solve(d): return from_iterable, list(from_iterable(*d))
