"""Right: a helper module beside the program does the searching; the path is printed as a Python list."""
import sys

from maze_search import Searcher


def load_maze(filename):
    with open(filename) as maze_file:
        text = maze_file.read().split()
    maze_size = int(text[0])
    initial_x, initial_y = (int(part) for part in text[1].split(","))
    final_x, final_y = (int(part) for part in text[2].split(","))
    maze_grid = []
    for line in text[3:]:
        fields = line.split(",")
        maze_grid.append([])
        while fields:
            arrow_colour = fields.pop(0)
            arrow_direction_code = fields.pop(0)
            maze_grid[-1].append([arrow_colour, arrow_direction_code, list(), list(), list()])
    return maze_size, initial_x, initial_y, maze_grid, final_x, final_y


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: Alice.py FILE")
    path = Searcher(*load_maze(sys.argv[1])).search()
    if path:
        print("Path:", path)
        print("Number of steps:", len(path) - 1)
    else:
        print("No solution")


if __name__ == "__main__":
    main()
