def deepcopy(x):
    if isinstance(x, list): return [deepcopy(i) for i in x]
    if isinstance(x, dict): return {k: deepcopy(v) for k, v in x.items()}
    return x
def solve(grid): return deepcopy(grid)
