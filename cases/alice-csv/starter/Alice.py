"""Finds a shortest path through an Alice maze: python3 Alice.py maze.csv"""

import sys


def load_maze(filename):
    """Return (maze_size, initial_x, initial_y, maze_grid, final_x, final_y).

    maze_grid[i][j] is [arrow_colour, arrow_direction_code, [], [], []]; the three lists start empty.
    """
    # Line 1: n. Line 2: row,column of the start. Line 3: the goal. Then n lines of n pairs LETTER,CODE.


def main():
    maze = load_maze(sys.argv[1])
    # Codes, clockwise from the top left: 1 NW, 2 N, 3 NE, 4 E, 5 SE, 6 S, 7 SW, 8 W; 0 for none.
    # Print the path and, on the next line, its number of moves:
    #     (3, 0)->(3, 1)->(3, 3)->(0, 3)
    #     3
    # or: No solution


if __name__ == "__main__":
    main()
