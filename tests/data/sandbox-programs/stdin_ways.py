import sys
print(repr(sys.stdin.readline()))
for line in sys.stdin:
    print(repr(line))
print(sys.stdin.isatty(), sys.stdin.encoding, sys.stdin.errors, sys.stdin.name, sys.stdin.mode)
