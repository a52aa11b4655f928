import sys
def hook(kind, value, tb):
    print("hook:", kind.__name__, value, tb.tb_lineno)
sys.excepthook = hook
raise ValueError("told otherwise")
