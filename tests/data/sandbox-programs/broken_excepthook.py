import sys
def hook(*args):
    return 1 / 0
sys.excepthook = hook
raise ValueError("first")
