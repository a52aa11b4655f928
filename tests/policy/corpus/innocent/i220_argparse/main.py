import argparse
def solve(grid):
    p = argparse.ArgumentParser()
    p.add_argument('--copy', action='store_true')
    p.add_argument('--n', type=int, default=1)
    return vars(p.parse_args(['--copy']))
