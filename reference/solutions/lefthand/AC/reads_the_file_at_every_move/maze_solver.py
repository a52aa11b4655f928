# A right solution, but slow: reads the file again whenever it asks for a square, and copies the whole map per frame.
FACES = [("N", 0, -1, "^"), ("W", -1, 0, "<"), ("S", 0, 1, "v"), ("E", 1, 0, ">")]


class Solver:
    def __init__(self, name):
        self.name = name
        self.left = []
        for y, row in enumerate(self.rows()):
            for x, mark in enumerate(row):
                if mark == "S":
                    self.x, self.y = x, y
        self.face = 0
        while not self.can_walk(self.face):
            self.face += 1

    def rows(self):
        with open(self.name) as file:
            return [line.rstrip("\n") for line in file]

    def look(self, face):
        rows = self.rows()
        x, y = self.x + FACES[face][1], self.y + FACES[face][2]
        if 0 <= y < len(rows) and 0 <= x < len(rows[y]):
            return rows[y][x]
        return " "

    def can_walk(self, face):
        return self.look(face) != " "

    def draw(self):
        picture = [list(row) for row in self.rows()]
        for x, y in self.left:
            picture[y][x] = "."
        picture[self.y][self.x] = FACES[self.face][3]
        for row in picture:
            print("".join(row).rstrip())
        print(f"Current Position:  {self.x},{self.y}")
        print(f"Current Direction: {FACES[self.face][0]}\n")

    def move(self):
        self.left = self.left + [(self.x, self.y)]
        self.x += FACES[self.face][1]
        self.y += FACES[self.face][2]
        for turn in (1, 0, -1, 2):
            if self.can_walk((self.face + turn) % 4):
                self.face = (self.face + turn) % 4
                return


print("Please give the maze file:")
solver = Solver(input())
solver.draw()
while solver.look(solver.face) != "E":
    solver.move()
    solver.draw()
print("Solution Found!")
