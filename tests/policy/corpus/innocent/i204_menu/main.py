def do_copy(x): return x[:]
def do_cut(x): return []
COMMANDS = {'copy': do_copy, 'cut': do_cut}
def solve(grid):
    answer = 'copy'
    if answer in COMMANDS:
        return COMMANDS[answer](grid)
