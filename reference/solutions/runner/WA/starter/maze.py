# Wrong: the starter as it is handed out, which always gives -1.


def move_algo(maze: list, runner_id: int, size_m: int, size_n: int):
    """The algorithm to decide which direction will be taken, return which step to take"""
    return -1
