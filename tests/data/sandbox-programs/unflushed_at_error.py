import sys
sys.stdout.write("not flushed ")
raise KeyError("x")
