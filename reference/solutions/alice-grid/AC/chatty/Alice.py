"""Right: asks nothing but tells everything it does before and after the answer."""
import sys
from queue import Queue

DIRECTIONS = {
    "n": (0, -1), "ne": (1, -1), "e": (1, 0), "se": (1, 1),
    "s": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (-1, -1),
}


def read(name):
    print("Reading", name)
    with open(name) as f:
        header, *body = [line for line in f.read().splitlines() if line.strip()]
    w, h = header.split()
    table = [[tuple(cell.split(",")) for cell in line.split()] for line in body]
    print("The maze is", w, "wide and", h, "high")
    return int(w), int(h), table


def find(table, role):
    return [(x, y) for y, row in enumerate(table) for x, cell in enumerate(row) if cell[0] == role][0]


def search(w, h, table, start, goal):
    todo = Queue()
    todo.put(([start], 1))
    done = {(start, 1)}
    explored = 0
    while not todo.empty():
        path, d = todo.get()
        explored += 1
        x, y = path[-1]
        if explored < 4:
            print("step size", d, "at", (x, y))
        for name in filter(None, table[y][x][2].split("_")):
            dx, dy = DIRECTIONS[name]
            nx, ny = x + d * dx, y + d * dy
            if nx < 0 or nx >= w or ny < 0 or ny >= h:
                continue
            if (nx, ny) == goal:
                return path + [goal], explored
            colour = table[ny][nx][1]
            if not colour:
                continue
            nd = d + (colour == "r") - (colour == "y")
            if nd and ((nx, ny), nd) not in done:
                done.add(((nx, ny), nd))
                todo.put((path + [(nx, ny)], nd))
    return None, explored


def main():
    w, h, table = read(sys.argv[1])
    start, goal = find(table, "?"), find(table, "!")
    print("Start:", start)
    print("Goal:", goal)
    path, explored = search(w, h, table, start, goal)
    if path is None:
        print("There is no solution.")
    else:
        print("The shortest path is", "->".join("({},{})".format(*p) for p in path))
        print("length is", len(path) - 1)
    print("I looked at", explored, "states")


if __name__ == "__main__":
    main()
