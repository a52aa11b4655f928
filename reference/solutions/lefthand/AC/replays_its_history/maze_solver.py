# A right solution, but slow: for every frame it begins again at the start and walks all moves up to there.
WAYS = "NWSE"
STEP = {"N": (0, -1), "W": (-1, 0), "S": (0, 1), "E": (1, 0)}
ARROW = {"N": "^", "W": "<", "S": "v", "E": ">"}


def square(rows, x, y):
    if y < 0 or y >= len(rows) or x < 0 or x >= len(rows[y]):
        return " "
    return rows[y][x]


def ahead(x, y, way):
    return x + STEP[way][0], y + STEP[way][1]


def place_after(rows, moves):
    """Walk from the start; return the picture, the place and the way after so many moves."""
    picture = [list(row) for row in rows]
    for y in range(len(rows)):
        for x in range(len(rows[y])):
            if rows[y][x] == "S":
                here = x, y
    way = "N"
    while square(rows, *ahead(*here, way)) == " ":
        way = WAYS[(WAYS.index(way) + 1) % 4]
    for _ in range(moves):
        picture[here[1]][here[0]] = "."
        here = ahead(*here, way)
        for turn in (1, 0, 3, 2):
            new = WAYS[(WAYS.index(way) + turn) % 4]
            if square(rows, *ahead(*here, new)) != " ":
                way = new
                break
    picture[here[1]][here[0]] = ARROW[way]
    return picture, here, way


name = input("Please give the maze file: ")
with open(name) as file:
    rows = file.read().split("\n")
if rows[-1] == "":
    rows.pop()
moves = 0
while True:
    picture, here, way = place_after(rows, moves)
    for row in picture:
        print("".join(row))
    print("Current Position:  %d,%d" % here)
    print("Current Direction: " + way)
    print()
    if square(rows, *ahead(*here, way)) == "E":
        break
    moves += 1
print("Solution Found!")
