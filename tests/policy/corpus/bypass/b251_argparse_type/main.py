import argparse
parser = argparse.ArgumentParser()
parser.add_argument('lib', type=__import__)
m = parser.parse_args(['copy']).lib
def solve(d): return m.deepcopy, m.deepcopy(d)
