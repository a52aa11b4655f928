"""Finds a shortest path through an Alice maze: python3 Alice.py maze.in.txt"""

import sys


def main():
    with open(sys.argv[1]) as file:
        lines = file.read().splitlines()
    # Line 1: width. Line 2: s=(row,column). Line 3: g=(row,column). Then rows of squares such as b:(u,r), or goal.
    # Directions: l r u d ul ur dl dr. Colours: b black, r red (d grows by 1), y yellow (d falls by 1).
    # Print:
    #     The shortest path length was 5 steps.
    #     The path was (2, 0) -> (1, 0) -> (0, 0) -> (0, 2) -> (1, 1) -> (0, 1).
    # or: The maze has no solution.


if __name__ == "__main__":
    main()
