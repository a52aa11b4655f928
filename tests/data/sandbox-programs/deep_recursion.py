import sys, threading
sys.setrecursionlimit(20000)
threading.stack_size(64 * 1024 * 1024)
def walk(n):
    return 0 if n == 0 else 1 + walk(n - 1)
thread = threading.Thread(target=lambda: print(walk(15000)))
thread.start()
thread.join()
