globals()['fetch'] = __import__
m = fetch('copy')
def solve(d): return m.deepcopy, m.deepcopy(d)
