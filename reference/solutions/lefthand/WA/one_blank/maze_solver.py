# Wrong: one blank after "Position:".
import sys

NAMES = {-1j: "N", -1: "W", 1j: "S", 1: "E"}
ARROWS = {-1j: "^", -1: "<", 1j: "V", 1: ">"}
LEFT = -1j

print("Please give the maze file:")
name = sys.stdin.readline().strip()
with open(name, newline=None) as handle:
    lines = [line.rstrip("\n") for line in handle]

grid = {}
for row, line in enumerate(lines):
    for column, mark in enumerate(line):
        if mark != " ":
            grid[complex(column, row)] = mark
        if mark == "S":
            here = complex(column, row)

facing = -1j
while here + facing not in grid:
    facing *= LEFT

width = max(map(len, lines))


def show():
    out = []
    for row in range(len(lines)):
        text = ""
        for column in range(width):
            place = complex(column, row)
            text += ARROWS[facing] if place == here else grid.get(place, " ")
        out.append(text.rstrip())
    print("\n".join(out))
    print()
    print("Current Position:", str(int(here.real)) + "," + str(int(here.imag)))
    print("Current Direction:", NAMES[facing], end="\n\n")


show()
while grid[here + facing] != "E":
    grid[here] = "."
    here += facing
    facing *= LEFT
    while here + facing not in grid:
        facing /= LEFT
    show()
print("Solution Found!")
