"""Right: works out for every state how far the goal is, then walks downhill; runs at import time."""
import sys

lines = open(sys.argv[1]).read().split("\n")
width, height = [int(word) for word in lines[0].split()]
rows = [line.split() for line in lines[1:] if line.strip()]
vectors = {"n": -1j, "s": 1j, "e": 1, "w": -1, "ne": 1 - 1j, "nw": -1 - 1j, "se": 1 + 1j, "sw": -1 + 1j}
cells = {}
for y, row in enumerate(rows):
    for x, cell in enumerate(row):
        role, colour, names = cell.split(",")
        cells[complex(x, y)] = (colour, [vectors[name] for name in names.split("_") if name])
        if role == "?":
            start = complex(x, y)
        if role == "!":
            goal = complex(x, y)

longest = max(width, height)
before = {}
for place, (colour, arrows) in cells.items():
    for d in range(1, longest):
        for arrow in arrows:
            target = place + arrow * d
            if target not in cells:
                continue
            if target == goal:
                before.setdefault("goal", []).append((place, d))
                continue
            colour_there = cells[target][0]
            if colour_there == "":
                continue
            after = d + {"b": 0, "r": 1, "y": -1}[colour_there]
            if after >= 1:
                before.setdefault((target, after), []).append((place, d))

distance = {"goal": 0}
onward = {}
frontier = ["goal"]
while frontier:
    reached = []
    for state in frontier:
        for earlier in before.get(state, []):
            if earlier not in distance:
                distance[earlier] = distance[state] + 1
                onward[earlier] = state
                reached.append(earlier)
    frontier = reached

state = (start, 1)
if state not in distance:
    print("No solution.")
else:
    path = []
    while state != "goal":
        path.append(state[0])
        state = onward[state]
    path.append(goal)
    print(" -> ".join("(%d, %d)" % (place.real, place.imag) for place in path))
    print("length is %d" % distance[start, 1])
