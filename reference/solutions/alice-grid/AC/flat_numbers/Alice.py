"""Right: squares are numbers in one flat list with a border of dead squares around them."""
import sys


def main():
    words = open(sys.argv[1]).read().split()
    width, height = int(words[0]), int(words[1])
    cells = [word.split(",") for word in words[2:]]
    pad = max(width, height)
    line = width + pad
    offsets = {"n": -line, "s": line, "e": 1, "w": -1}
    for a in "ns":
        for b in "ew":
            offsets[a + b] = offsets[a] + offsets[b]
    effect = {}
    arrows = {}
    start = goal = None
    for i, (role, colour, names) in enumerate(cells):
        place = (i // width) * line + i % width
        if role == "?":
            start = place
        if role == "!":
            goal = place
            effect[place] = 0
        elif colour:
            effect[place] = {"r": 1, "y": -1, "b": 0}[colour]
        arrows[place] = [offsets[name] for name in names.split("_") if name]
    came = {(start, 1): None}
    queue = [(start, 1)]
    end = None
    position = 0
    while position < len(queue) and end is None:
        place, d = queue[position]
        position += 1
        for offset in arrows[place]:
            there = place + d * offset
            if there not in effect:
                continue
            new = (there, d + effect[there])
            if new[1] > 0 and new not in came:
                came[new] = (place, d)
                queue.append(new)
                if there == goal:
                    end = new
                    break
    if end is None:
        print("No solution.")
        return
    path = []
    while end:
        path.append("(%d,%d)" % (end[0] % line, end[0] // line))
        end = came[end]
    print("->".join(reversed(path)))
    print("length is", len(path) - 1)


main()
