import sys
def depth(n=0):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
print(depth(), sys.getrecursionlimit())
sys.setrecursionlimit(3000)
print(depth())
