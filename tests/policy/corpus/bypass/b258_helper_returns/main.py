from helper import library
m = library('copy')
def solve(d): return m.deepcopy, m.deepcopy(d)
