"""A right solution: the walking lives in a helper module beside it."""
from walker import first_facing, read_maze, walk


def show(rows, x, y, facing):
    picture = rows.copy()  # the list's own method, not the banned module
    line = picture[y]
    picture[y] = line[:x] + {"N": "^", "W": "<", "S": "v", "E": ">"}[facing] + line[x + 1:]
    print(*picture, "", "Current Position:  {},{}".format(x, y), "Current Direction: {}".format(facing), "", sep="\n")


def main():
    name = input("Please give the maze file:\n")
    rows, start, end = read_maze(name)
    walk(rows, start, end, first_facing(rows, start), show)
    print("Solution Found!")


if __name__ == "__main__":
    main()
