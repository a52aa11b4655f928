"""The board and its geometry."""

WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Field:
    def __init__(self, lst, m, n):
        self.m, self.n = m, n
        self.values = tuple(lst)
        self.foods = [divmod(k, n) for k, value in enumerate(lst) if value == -1]

    def __getitem__(self, point):
        return self.values[point[0] * self.n + point[1]]

    def find(self, value):
        return divmod(self.values.index(value), self.n) if value in self.values else None

    def nearest(self, point):
        best = float("inf")
        for food in self.foods:
            best = min(best, abs(food[0] - point[0]) + abs(food[1] - point[1]))
        return best

    def around(self, point):
        for way in WAYS:
            other = (point[0] + way[0], point[1] + way[1])
            if 0 <= other[0] < self.m and 0 <= other[1] < self.n and self[other] in (-1, 0):
                yield other

    @staticmethod
    def direction(one, other):
        return WAYS.index((other[0] - one[0], other[1] - one[1]))
