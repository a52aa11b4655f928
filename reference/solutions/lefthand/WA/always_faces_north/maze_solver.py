# Wrong: faces N at the start whether or not that way is open.


class Solver:
    LEFT = {"N": "W", "W": "S", "S": "E", "E": "N"}
    DELTA = {"N": (0, -1), "W": (-1, 0), "S": (0, 1), "E": (1, 0)}
    ARROW = {"N": "^", "W": "<", "S": "v", "E": ">"}

    def __init__(self, rows):
        width = max(len(row) for row in rows)
        self.grid = [list(row.ljust(width)) for row in rows]
        for y, row in enumerate(self.grid):
            for x, cell in enumerate(row):
                if cell == "S":
                    self.x, self.y = x, y
        self.direction = "N"
        self.draw_solver()

    def cell(self, direction):
        dx, dy = self.DELTA[direction]
        x, y = self.x + dx, self.y + dy
        if y < 0 or y >= len(self.grid) or x < 0 or x >= len(self.grid[y]):
            return " "
        return self.grid[y][x]

    def can_walk(self, direction):
        return self.cell(direction) != " "

    def draw_solver(self):
        self.grid[self.y][self.x] = self.ARROW[self.direction]

    def show(self):
        for row in self.grid:
            print("".join(row))
        print()
        print("Current Position:  %d,%d" % (self.x, self.y))
        print("Current Direction: " + self.direction)
        print()

    def step(self):
        self.grid[self.y][self.x] = "."
        dx, dy = self.DELTA[self.direction]
        self.x += dx
        self.y += dy
        left = self.LEFT[self.direction]
        back = self.LEFT[left]
        right = self.LEFT[back]
        for direction in (left, self.direction, right, back):
            if self.can_walk(direction):
                self.direction = direction
                break
        self.draw_solver()

    def run(self):
        self.show()
        while self.cell(self.direction) != "E":
            self.step()
            self.show()
        print("Solution Found!")


if __name__ == "__main__":
    with open(input("Please give the maze file:")) as file:
        solver = Solver(file.read().splitlines())
    solver.run()
