import atexit, sys
atexit.register(print, "still run")
sys.exit(7)
