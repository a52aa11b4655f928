import atexit
atexit.register(print, "first registered, last run")
atexit.register(lambda: 1 / 0)
@atexit.register
def last():
    print("last registered, first run")
print("main")
