# A right solution: classes, a helper module beside it, other names for the parameters, some debugging output.
from field import Field

DEBUG = True


class Search:
    def __init__(self, field, head):
        self.field = field
        self.head = head
        self.cost = {}
        self.parent = {}
        self.seen = set()
        self.open = {head: None}

    def take(self):
        best = min(sorted(self.open), key=lambda point: self.cost.get(point, 0) + self.field.nearest(point))
        return best

    def run(self):
        while self.open:
            point = self.take()
            if self.field[point] == -1:
                return point
            self.seen.add(point)
            self.open.pop(point)
            for other in self.field.around(point):
                price = self.cost.get(point, 0) + 1
                if other not in self.seen or price < self.cost[other]:
                    self.open[other] = None
                    self.cost[other] = price
                    self.parent[other] = point
        return None

    def first_step(self, goal):
        while self.parent[goal] != self.head:
            goal = self.parent[goal]
        return goal


def move_algo(lst, me, m, n):
    field = Field(lst, m, n)
    lst[:] = []  # the list is ours to scribble on
    head = field.find(2 * me)
    if head is None:
        return -1
    search = Search(field, head)
    goal = search.run()
    steps = [search.first_step(goal)] if goal is not None else list(field.around(head))
    if DEBUG:
        print("head", head, "goal", goal, "steps", steps)
    return field.direction(head, steps[0]) if steps else -1
