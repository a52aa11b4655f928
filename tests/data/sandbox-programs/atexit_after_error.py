import atexit
atexit.register(print, "still run")
raise RuntimeError("main failed")
