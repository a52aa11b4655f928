"""Wrong: prints the answer of the handout's example whatever the maze is."""


def load_maze(filename):
    with open(filename) as f:
        lines = f.read().split("\n")
    maze_size = int(lines[0])
    initial_x, initial_y = [int(v) for v in lines[1].split(",")]
    final_x, final_y = [int(v) for v in lines[2].split(",")]
    maze_grid = []
    for i in range(maze_size):
        values = lines[3 + i].strip().split(",")
        row = []
        for j in range(maze_size):
            row.append([values[2 * j], values[2 * j + 1], [], [], []])
        maze_grid.append(row)
    return maze_size, initial_x, initial_y, maze_grid, final_x, final_y


if __name__ == "__main__":
    print("(2, 0)->(1, 0)->(0, 0)->(0, 2)->(1, 1)->(0, 1)")
    print("5")
