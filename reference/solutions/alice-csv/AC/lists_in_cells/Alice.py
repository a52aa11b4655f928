"""Right: keeps step counts, parents and step sizes in lists inside each square, as the handout describes."""
import sys


def code2direction(code):
    table = {1: (-1, -1), 2: (-1, 0), 3: (-1, 1), 4: (0, 1), 5: (1, 1), 6: (1, 0), 7: (1, -1), 8: (0, -1)}
    return [table[int(digit)] for digit in str(code) if int(digit) != 0]


def load_maze(filename):
    file = open(filename, "r")
    maze_size = int(file.readline())
    initial_x, initial_y = map(int, file.readline().split(","))
    final_x, final_y = map(int, file.readline().split(","))
    maze_grid = []
    for line in file:
        data = line.strip().split(",")
        if len(data) < 2:
            continue
        maze_row = []
        for k in range(0, len(data), 2):
            maze_row.append([data[k], int(data[k + 1]), [], [], []])
        maze_grid.append(maze_row)
    file.close()
    return (maze_size, initial_x, initial_y, maze_grid, final_x, final_y)


def find_path(maze):
    maze_size, initial_x, initial_y, maze_grid, final_x, final_y = maze
    if (initial_x, initial_y) == (final_x, final_y):
        return [(initial_x, initial_y), (initial_x, initial_y)], 0
    waiting = [(initial_x, initial_y, 1, 0)]
    maze_grid[initial_x][initial_y][2].append(0)
    maze_grid[initial_x][initial_y][3].append(None)
    maze_grid[initial_x][initial_y][4].append(1)
    while len(waiting) > 0:
        x, y, step_size, count = waiting.pop(0)
        for dx, dy in code2direction(maze_grid[x][y][1]):
            nx = x + dx * step_size
            ny = y + dy * step_size
            if nx < 0 or ny < 0 or nx >= maze_size or ny >= maze_size:
                continue
            if (nx, ny) == (final_x, final_y):
                return trace_back(maze_grid, (x, y, step_size), (nx, ny)), count + 1
            colour = maze_grid[nx][ny][0]
            if colour == "N":
                continue
            new_size = step_size
            if colour == "R":
                new_size = new_size + 1
            if colour == "Y":
                new_size = new_size - 1
            if new_size < 1 or new_size in maze_grid[nx][ny][4]:
                continue
            maze_grid[nx][ny][2].append(count + 1)
            maze_grid[nx][ny][3].append((x, y, step_size))
            maze_grid[nx][ny][4].append(new_size)
            waiting.append((nx, ny, new_size, count + 1))
    return None, None


def trace_back(maze_grid, state, goal):
    result = [goal]
    while state is not None:
        x, y, step_size = state
        result.insert(0, (x, y))
        state = maze_grid[x][y][3][maze_grid[x][y][4].index(step_size)]
    return result


if len(sys.argv) > 1:
    solution, steps = find_path(load_maze(sys.argv[1]))
    if solution is None:
        print("No solution")
    else:
        print("->".join(str(place) for place in solution))
        print(steps)
