"""Right: grows the tree of the handout with Grid and Node objects and a list as queue."""
import sys


class Grid:
    def __init__(self, text):
        role, color, directions = text.split(",")
        self.role = {"?": "starting point", "!": "goal", "#": "normal"}[role]
        self.color = {"b": "black", "r": "red", "y": "yellow", "": "white"}[color]
        names = directions.split("_")
        self.n = "n" in names
        self.ne = "ne" in names
        self.e = "e" in names
        self.se = "se" in names
        self.s = "s" in names
        self.sw = "sw" in names
        self.w = "w" in names
        self.nw = "nw" in names


class Maze:
    def __init__(self, filename):
        with open(filename, "r") as f:
            self.width, self.height = map(int, f.readline().split())
            self.grids = []
            for line in f.readlines():
                if line.strip() != "":
                    self.grids.append([Grid(word) for word in line.split()])
        for y in range(self.height):
            for x in range(self.width):
                if self.grids[y][x].role == "starting point":
                    self.start = (x, y)


class Node:
    def __init__(self, coordinate, step, parent):
        self.coordinate = coordinate
        self.step = step
        self.parent = parent
        self.children = []


def make_children(maze, node, landed):
    x, y = node.coordinate
    grid = maze.grids[y][x]
    ways = [(grid.n, 0, -1), (grid.ne, 1, -1), (grid.e, 1, 0), (grid.se, 1, 1),
            (grid.s, 0, 1), (grid.sw, -1, 1), (grid.w, -1, 0), (grid.nw, -1, -1)]
    for has_arrow, dx, dy in ways:
        if not has_arrow:
            continue
        nx, ny = x + dx * node.step, y + dy * node.step
        if not (0 <= nx <= maze.width - 1 and 0 <= ny <= maze.height - 1):
            continue
        target = maze.grids[ny][nx]
        if target.role == "goal":
            node.children.append(Node((nx, ny), node.step, node))
            return
        if target.color == "white":
            continue
        step = node.step
        if target.color == "red":
            step += 1
        elif target.color == "yellow":
            step -= 1
        if step == 0 or ((nx, ny), step) in landed:
            continue
        landed.add(((nx, ny), step))
        node.children.append(Node((nx, ny), step, node))


def bfs(maze):
    root = Node(maze.start, 1, None)
    landed = {(maze.start, 1)}
    queue = [root]
    while queue != []:
        node = queue.pop(0)
        make_children(maze, node, landed)
        for child in node.children:
            x, y = child.coordinate
            if maze.grids[y][x].role == "goal":
                return child
            queue.append(child)
    return None


def main():
    leaf = bfs(Maze(sys.argv[1]))
    if leaf is None:
        print("No solution.")
        return
    text = ""
    length = -1
    while leaf is not None:
        x, y = leaf.coordinate
        text = "->(" + str(x) + "," + str(y) + ")" + text
        leaf = leaf.parent
        length += 1
    print(text[2:])
    print("length is " + str(length))


if __name__ == "__main__":
    main()
