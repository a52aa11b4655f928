class Box:
    def __setattr__(self, name, value): object.__setattr__(self, name, value(name))
box = Box()
box.itertools = __import__
def solve(d): return box.itertools.permutations, list(box.itertools.permutations(d))
