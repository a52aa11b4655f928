import sys
print(open(0).read().split())
print(sys.stdin.buffer.read())
