# A right solution, but slow: the map and all that is printed are strings that grow and are cut letter by letter.
def read(name):
    text = ""
    file = open(name)
    letter = file.read(1)
    while letter != "":
        text = text + letter
        letter = file.read(1)
    file.close()
    return text if text[-1] == "\n" else text + "\n"


def letter_at(text, x, y):
    row = column = 0
    for letter in text:
        if (column, row) == (x, y) and letter != "\n":
            return letter
        column += 1
        if letter == "\n":
            row, column = row + 1, 0
    return " "


def put(text, x, y, new):
    changed = ""
    row = column = 0
    for letter in text:
        changed = changed + (new if (column, row) == (x, y) else letter)
        column += 1
        if letter == "\n":
            row, column = row + 1, 0
    return changed


def neighbour(x, y, way):
    return {"N": (x, y - 1), "W": (x - 1, y), "S": (x, y + 1), "E": (x + 1, y)}[way]


def frame(text, x, y, way):
    drawn = put(text, x, y, {"N": "^", "W": "<", "S": "v", "E": ">"}[way])
    return drawn + "Current Position:  " + str(x) + "," + str(y) + "\nCurrent Direction: " + way + "\n\n"


maze = read(input("Please give the maze file:"))
before = maze[:maze.index("S")]
y = before.count("\n")
x = len(before) - before.rfind("\n") - 1
way = "N"
while letter_at(maze, *neighbour(x, y, way)) == " ":
    way = {"N": "W", "W": "S", "S": "E", "E": "N"}[way]
output = frame(maze, x, y, way)
while letter_at(maze, *neighbour(x, y, way)) != "E":
    maze = put(maze, x, y, ".")
    x, y = neighbour(x, y, way)
    order = {"N": "WNES", "W": "SWNE", "S": "ESWN", "E": "NESW"}[way]
    open_ways = ""
    for each in order:
        if letter_at(maze, *neighbour(x, y, each)) != " ":
            open_ways = open_ways + each
    way = open_ways[0]
    output = output + frame(maze, x, y, way)
output = output + "Solution Found!\n"
for line in output.split("\n")[:-1]:
    print(line)
