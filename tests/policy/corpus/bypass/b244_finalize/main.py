import weakref
class A: pass
m = weakref.finalize(A, __import__, 'copy')()
def solve(d): return m.deepcopy, m.deepcopy(d)
