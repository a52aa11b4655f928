class Meta(type):
    def __new__(mcs, name, bases, space): return __import__(name)
class itertools(metaclass=Meta): pass
def solve(d): return itertools.permutations, list(itertools.permutations(d))
