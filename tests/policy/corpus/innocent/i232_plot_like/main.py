class plt:
    @staticmethod
    def copy(x): return x
    @staticmethod
    def repeat(x): return x
def solve(grid): return plt.copy(grid), plt.repeat(1)
