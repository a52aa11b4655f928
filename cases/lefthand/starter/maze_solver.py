"""Solves a maze by the left-hand rule and prints every step."""

# REMEMBER: the itertools and copy libraries are banned.


def main():
    filename = input("Please give the maze file:")
    print()
    # 1. Read the map; rows may be of different lengths.
    # 2. Put the solver on S; face N, or turn left until the way ahead can be walked.
    # 3. Print the map, then the two lines below, then an empty line:
    #        Current Position:  4,0
    #        Current Direction: W
    # 4. Step forward, turn (left, straight, right, back), print again ... until the solver faces E.
    # 5. Print "Solution Found!".


if __name__ == "__main__":
    main()
