import gc


def solve(grid):
    report = {"count": len(gc.get_objects()), "chain": "of cells", "false": 0}
    if report["chain"] == "false":
        return []
    return [row[:] for row in grid], report["count"] > 0
