"""Right: a heap of (moves, path) and regular expressions; leaves with sys.exit("... no solution.")."""
import heapq
import re
import sys

text = open(sys.argv[1]).read()
width = int(text.split()[0])
start, goal = [(int(a), int(b)) for a, b in re.findall(r"[sg]=\((\d+),(\d+)\)", text)]
cells = re.findall(r"([bry]):\(([a-z,]*)\)|(goal)", text)
height = len(cells) // width


def cell(r, c):
    return cells[r * width + c]


def arrows(r, c):
    for word in cell(r, c)[1].split(","):
        if word:
            yield ("d" in word) - ("u" in word), ("r" in word) - ("l" in word)


heap = [(0, [start], 1)]
closed = set()
while heap:
    n, path, d = heapq.heappop(heap)
    r, c = path[-1]
    if (r, c) == goal:
        print("The shortest path length was %d steps." % n)
        print("The path was %s." % " -> ".join("(%d, %d)" % p for p in path))
        break
    if (r, c, d) in closed:
        continue
    closed.add((r, c, d))
    for dr, dc in arrows(r, c):
        r2, c2 = r + dr * d, c + dc * d
        if 0 <= r2 < height and 0 <= c2 < width:
            d2 = d
            if (r2, c2) != goal:
                d2 += (cell(r2, c2)[0] == "r") - (cell(r2, c2)[0] == "y")
            if d2 >= 1 and (r2, c2, d2) not in closed:
                heapq.heappush(heap, (n + 1, path + [(r2, c2)], d2))
else:
    sys.exit("The maze has no solution.")
