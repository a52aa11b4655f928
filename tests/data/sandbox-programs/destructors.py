import sys
class Thing:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print("deleted", self.name)
a = Thing("a")
b = Thing("b")
c = [Thing("in a list")]
def use():
    return a
print("end of main")
