def take(**words):
    return [__import__(word) for word in words]
(tool,) = take(copy=True)
def solve(d): return tool.deepcopy, tool.deepcopy(d)
