# Wrong: keeps 80 columns of each row.

DIRECTIONS = ["N", "W", "S", "E"]
DX = [0, -1, 0, 1]
DY = [-1, 0, 1, 0]


def load(filename):
    f = open(filename)
    maze = []
    for line in f:
        maze.append(list(line.rstrip("\r\n")[:80]))
    f.close()
    return maze


def get(maze, x, y):
    if 0 <= y < len(maze) and 0 <= x < len(maze[y]):
        return maze[y][x]
    return " "


def find_start(maze):
    for y in range(len(maze)):
        if "S" in maze[y]:
            return maze[y].index("S"), y


def is_open(maze, x, y, d):
    return get(maze, x + DX[d], y + DY[d]) in "#.SE"


def show(maze, x, y, d):
    text = ""
    for row in maze:
        text += "".join(row) + "\n"
    text += "Current Position:  " + str(x) + "," + str(y) + "\n"
    text += "Current Direction: " + DIRECTIONS[d] + "\n"
    print(text)


def turn(maze, x, y, d):
    for change in (1, 0, 3, 2):
        if is_open(maze, x, y, (d + change) % 4):
            return (d + change) % 4


def main():
    maze = load(input("Please give the maze file: "))
    x, y = find_start(maze)
    d = 0
    while not is_open(maze, x, y, d):
        d = (d + 1) % 4
    maze[y][x] = "^<v>"[d]
    show(maze, x, y, d)
    while get(maze, x + DX[d], y + DY[d]) != "E":
        maze[y][x] = "."
        x, y = x + DX[d], y + DY[d]
        d = turn(maze, x, y, d)
        maze[y][x] = "^<v>"[d]
        show(maze, x, y, d)
    print("Solution Found!")


main()
