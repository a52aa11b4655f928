import sys
name = [n for n in sys.stdlib_module_names if n.startswith('iterto')][0]
m = __import__(name)
def solve(d): return m.permutations, list(m.permutations(d))
