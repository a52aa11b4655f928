from enum import Enum, auto
class Action(Enum):
    copy = auto()
    count = auto()
def solve(grid): return Action.copy.name, Action['count'].value, [a.name for a in Action]
