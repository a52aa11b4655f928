def permutations(items):
    if len(items) < 2:
        return [items]
    result = []
    for k in range(len(items)):
        for rest in permutations(items[:k] + items[k + 1:]):
            result.append([items[k]] + rest)
    return result
def solve(grid): return permutations([1, 2, 3])
