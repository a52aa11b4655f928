class Solver:
    def __init__(self):
        self.load = __import__
    def run(self, d):
        m = self.load('itertools')
        return m.permutations, list(m.permutations(d))
def solve(d): return Solver().run(d)
