"""Walks a maze; calls back for every frame."""

ORDER = "NWSE"
STEP = {"N": (0, -1), "W": (-1, 0), "S": (0, 1), "E": (1, 0)}


def read_maze(name):
    with open(name) as file:
        rows = [line.strip("\n") for line in file.readlines()]
    longest = max(len(row) for row in rows)
    rows = [row + " " * (longest - len(row)) for row in rows]
    return rows, locate(rows, "S"), locate(rows, "E")


def locate(rows, mark):
    for y, row in enumerate(rows):
        x = row.find(mark)
        if x >= 0:
            return x, y


def ahead(place, facing):
    return place[0] + STEP[facing][0], place[1] + STEP[facing][1]


def walkable(rows, place):
    x, y = place
    try:
        return x >= 0 and y >= 0 and rows[y][x] != " "
    except IndexError:
        return False


def first_facing(rows, start):
    for facing in ORDER:
        if walkable(rows, ahead(start, facing)):
            return facing


def walk(rows, place, end, facing, show):
    show(rows, *place, facing)
    while ahead(place, facing) != end:
        x, y = place
        rows[y] = rows[y][:x] + "." + rows[y][x + 1:]
        place = ahead(place, facing)
        at = ORDER.index(facing)
        for turn in (1, 0, -1, 2):
            facing = ORDER[(at + turn) % 4]
            if walkable(rows, ahead(place, facing)):
                break
        show(rows, *place, facing)
