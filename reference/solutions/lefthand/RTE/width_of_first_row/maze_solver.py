# Wrong: takes the length of the first row for the width of the map.
TURNS = "NWSE"
VECTOR = dict(N=(-1, 0), W=(0, -1), S=(1, 0), E=(0, 1))


def states(rows):
    start = next((r, row.index(ord("S"))) for r, row in enumerate(rows) if ord("S") in row)

    def look(square, way):
        r, c = square[0] + VECTOR[way][0], square[1] + VECTOR[way][1]
        inside = r in range(len(rows)) and c in range(min(len(rows[0]), len(rows[r])))
        return chr(rows[r][c]) if inside else " "

    way = next(w for w in TURNS if look(start, w) != " ")
    square = start
    while True:
        yield square, way
        if look(square, way) == "E":
            return
        square = square[0] + VECTOR[way][0], square[1] + VECTOR[way][1]
        number = TURNS.index(way)
        way = next(w for w in (TURNS[(number + k) % 4] for k in (1, 0, 3, 2)) if look(square, w) != " ")


print("Please give the maze file:")
with open(input(), "rb") as source:
    rows = [bytearray(line.rstrip(b"\r\n")) for line in source]
before = None
for (row, column), way in states(rows):
    if before:
        rows[before[0]][before[1]] = ord(".")
    rows[row][column] = ord({"N": "^", "W": "<", "S": "V", "E": ">"}[way])
    before = row, column
    for line in rows:
        print(line.decode().rstrip())
    print("\nCurrent Position:  " + ",".join([str(column), str(row)]))
    print("Current Direction:", way)
    print()
print("Solution Found!")
