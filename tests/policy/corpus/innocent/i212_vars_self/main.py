class Cell:
    def __init__(self, x): self.x = x
    def clone(self):
        new = Cell(0)
        new.__dict__.update(self.__dict__.copy())
        return new
def solve(grid): return vars(Cell(3).clone())
