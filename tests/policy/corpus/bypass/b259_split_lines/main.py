text = '''
from
itertools
import
permutations
'''
exec(' '.join(text.split()))
def solve(d): return permutations, list(permutations(d))
