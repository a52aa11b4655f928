"""Right: a dictionary of queues by step, as the problem set describes, with parents kept by step and step size."""
import sys

MOVES = {"l": (0, -1), "r": (0, 1), "u": (-1, 0), "d": (1, 0),
         "ul": (-1, -1), "ur": (-1, 1), "dl": (1, -1), "dr": (1, 1)}


def read_maze(path):
    with open(path) as f:
        width = int(f.readline())
        s = tuple(map(int, f.readline().strip()[3:-1].split(",")))
        g = tuple(map(int, f.readline().strip()[3:-1].split(",")))
        maze = []
        for line in f:
            if not line.strip():
                continue
            row = []
            for cell in line.strip().split(" "):
                vertex = {"color": "goal", "directions": [], "parents": {}}
                if cell != "goal":
                    vertex["color"], directions = cell.split(":")
                    vertex["directions"] = directions[1:-1].split(",")
                row.append(vertex)
            maze.append(row)
    return width, s, g, maze


def solve(width, s, g, maze):
    Q = {0: [(s, 1)]}
    step = 0
    maze[s[0]][s[1]]["parents"][1] = None
    while step in Q:
        for (row, column), size in Q[step]:
            vertex = maze[row][column]
            if (row, column) == g:
                return step, size
            for direction in vertex["directions"]:
                dr, dc = MOVES[direction]
                u = (row + dr * size, column + dc * size)
                if not (0 <= u[0] < len(maze) and 0 <= u[1] < width):
                    continue
                target = maze[u[0]][u[1]]
                new_size = size + {"r": 1, "y": -1}.get(target["color"], 0)
                if u == g:
                    new_size = size
                if new_size < 1 or new_size in target["parents"]:
                    continue
                target["parents"][new_size] = ((row, column), size)
                Q.setdefault(step + 1, []).append((u, new_size))
        step += 1
    return None


def main():
    width, s, g, maze = read_maze(sys.argv[1])
    result = solve(width, s, g, maze)
    if result is None:
        print("The maze has no solution.")
        sys.exit(1)
    length, size = result
    path, here = [], (g, size)
    while here is not None:
        path.insert(0, here[0])
        here = maze[here[0][0]][here[0][1]]["parents"][here[1]]
    print("The shortest path length was", length, "steps.")
    print("The path was", " -> ".join(map(str, path)) + ".")


if __name__ == "__main__":
    main()
