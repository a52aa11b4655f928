class Log:
    def __enter__(self):
        print("enter")
        return self
    def __exit__(self, *args):
        print("exit", args[0])
with Log():
    pass
def generator():
    try:
        yield 1
    finally:
        print("closed")
g = generator()
next(g)
print("end")
