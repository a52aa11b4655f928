class Thing:
    def __del__(self):
        print("deleted")
thing = Thing()
thing.me = thing
def use():
    return thing
print("end of main")
