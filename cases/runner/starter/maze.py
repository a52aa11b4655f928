def move_algo(maze: list, runner_id: int, size_m: int, size_n: int):
    """The algorithm to decide which direction will be taken, return which step to take

    maze: size_m * size_n integers, row by row: -1 food, 0 free, 2 * id a head, 2 * id - 1 a body
    returns 0 (up), 1 (right), 2 (down), 3 (left), or -1 for nothing
    """
    # YOUR ALGORITHM
    return -1
