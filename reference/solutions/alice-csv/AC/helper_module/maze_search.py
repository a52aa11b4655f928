"""Breadth-first search over (x, y, step size)."""

DELTA = dict(zip("12345678", [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]))


class Searcher:
    def __init__(self, size, x, y, grid, final_x, final_y):
        self.size, self.grid = size, grid
        self.start, self.final = (x, y), (final_x, final_y)

    def search(self):
        queue = [(self.start, 1, None)]
        met = {(self.start, 1)}
        for node in queue:  # the list grows while we walk along it
            place, step, _ = node
            if place == self.final:
                path = []
                while node:
                    path.insert(0, node[0])
                    node = node[2]
                return path
            for digit in self.grid[place[0]][place[1]][1]:
                if digit in DELTA:
                    self.try_move(node, DELTA[digit], queue, met)
        return []

    def try_move(self, node, delta, queue, met):
        (x, y), step, _ = node
        x, y = x + delta[0] * step, y + delta[1] * step
        if min(x, y) < 0 or max(x, y) >= self.size:
            return
        colour = self.grid[x][y][0]
        if (x, y) == self.final:
            colour = "G"  # the walk is over there, whatever its colour
        if colour == "R":
            step += 1
        elif colour == "Y":
            step -= 1
        elif colour == "N":
            return
        if step > 0 and ((x, y), step) not in met:
            met.add(((x, y), step))
            queue.append(((x, y), step, node))
