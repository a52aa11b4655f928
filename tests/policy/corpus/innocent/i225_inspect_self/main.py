import inspect
class A:
    def copy(self): return 1
def solve(grid):
    return [n for n, _ in inspect.getmembers(A(), inspect.ismethod)], inspect.getsource(solve)[:3]
