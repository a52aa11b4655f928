@(lambda c: __import__(c.__name__))
class copy: pass
def solve(d): return copy.deepcopy, copy.deepcopy(d)
