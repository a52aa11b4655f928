def deepcopy(grid):
    return [row[:] for row in grid]
def chain(grid):
    return [x for row in grid for x in row]
