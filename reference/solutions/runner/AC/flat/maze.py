# A right solution: flat indices throughout, a list kept in order with bisect, nested functions.
from bisect import insort


def move_algo(maze, runner_id, size_m, size_n):
    total = size_m * size_n
    try:
        head = maze.index(runner_id * 2)
    except ValueError:
        return -1

    def around(at):
        row, column = divmod(at, size_n)
        result = []
        if row > 0:
            result.append((0, at - size_n))
        if column < size_n - 1:
            result.append((1, at + 1))
        if row < size_m - 1:
            result.append((2, at + size_n))
        if column > 0:
            result.append((3, at - 1))
        return [(way, other) for way, other in result if maze[other] < 1]

    foods = [at for at in range(total) if maze[at] == -1]

    def far(at):
        row, column = divmod(at, size_n)
        return min((abs(row - food // size_n) + abs(column - food % size_n) for food in foods), default=total * 4)

    if not foods:
        ways = around(head)
        return ways[0][0] if ways else -1

    guess = [far(at) for at in range(total)]
    price = [0] * total
    done = [False] * total
    first = [None] * total  # the first way out of the head, handed down instead of a chain of parents
    queue = [(guess[head], head)]
    while queue:
        here = queue.pop(0)[1]
        if maze[here] == -1:
            return first[here]
        done[here] = True
        for way, other in around(here):
            if not done[other] or price[here] + 1 < price[other]:
                queue = [entry for entry in queue if entry[1] != other]
                price[other] = price[here] + 1
                first[other] = way if here == head else first[here]
                insort(queue, (price[other] + guess[other], other))
    ways = around(head)
    return ways[0][0] if ways else -1
