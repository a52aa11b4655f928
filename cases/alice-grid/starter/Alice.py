"""Finds a shortest path through an Alice maze: python3 Alice.py maze.txt"""

import sys


def main():
    with open(sys.argv[1]) as file:
        lines = file.read().splitlines()
    # Line 1: width height. Then one line per row; a square is ROLE,COLOUR,DIRECTIONS such as #,r,e_se_s.
    # Roles: ? start, ! goal, # other. Colours: b r y or nothing (blank: a move may not land there).
    # Print the path as (column,row) and, on the next line, its length:
    #     (0,2)->(0,1)->(0,0)->(2,0)->(1,1)->(1,0)
    #     length is 5
    # or: No solution.


if __name__ == "__main__":
    main()
