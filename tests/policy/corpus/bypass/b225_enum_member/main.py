from enum import Enum
class Tools(Enum):
    copy = 1
def solve(d):
    m = __import__(Tools.copy.name)
    return m.deepcopy, m.deepcopy(d)
