class Robot:
    def cmd_copy(self): return 1
    def cmd_left(self): return 2
def solve(grid):
    robot = Robot()
    return [getattr(robot, 'cmd_' + word)() for word in ('copy', 'left')]
