class Shape:
    pass
class Copy(Shape):
    pass
class Chain(Shape):
    pass
def solve(grid):
    return [c.__name__ for c in Shape.__subclasses__() if c.__name__ in ('Copy', 'chain')]
