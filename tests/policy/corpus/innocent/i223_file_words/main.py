from pathlib import Path
def solve(grid):
    text = Path(__file__).read_text()
    return 'import copy' in text, text.count('itertools')
