class Tool:
    def __set_name__(self, owner, name):
        self.module = __import__(name)
class Box:
    itertools = Tool()
def solve(d):
    t = vars(Box)['itertools'].module
    return t.permutations, list(t.permutations(d))
