class Chain:
    def __init__(self): self.chain = []
    def repeat(self, n): return self.chain * n
    def count(self): return len(self.chain)
def solve(grid):
    c = Chain(); c.chain.append(1)
    return c.repeat(3), c.count()
