"""A student's solution of the left-hand maze: what every row of the table runs."""

import sys

ARROWS = "^<v>"
NAMES = "NWSE"
STEPS = [(0, -1), (-1, 0), (0, 1), (1, 0)]


def read_maze(name):
    with open(name) as file:
        rows = file.read().split("\n")
    width = max(len(row) for row in rows)
    return [list(row.ljust(width)) for row in rows if row]


def find(maze, letter):
    for y, row in enumerate(maze):
        for x, square in enumerate(row):
            if square == letter:
                return x, y
    sys.exit("no " + letter)


def look(maze, x, y, facing):
    x, y = x + STEPS[facing][0], y + STEPS[facing][1]
    if 0 <= y < len(maze) and 0 <= x < len(maze[y]):
        return maze[y][x]
    return " "


def show(maze, x, y, facing):
    maze[y][x] = ARROWS[facing]
    for row in maze:
        print("".join(row))
    print()
    print("Current Position:  %d,%d" % (x, y))
    print("Current Direction: " + NAMES[facing])
    print()


def main():
    maze = read_maze(input("Please give the maze file:\n"))
    x, y = find(maze, "S")
    facing = 0
    while look(maze, x, y, facing) == " ":
        facing = (facing + 1) % 4
    show(maze, x, y, facing)
    while look(maze, x, y, facing) != "E":
        maze[y][x] = "."
        x, y = x + STEPS[facing][0], y + STEPS[facing][1]
        for turn in (1, 0, 3, 2):
            if look(maze, x, y, (facing + turn) % 4) != " ":
                facing = (facing + turn) % 4
                break
        show(maze, x, y, facing)
    print("Solution Found!")


main()
