import sys, dataclasses
spaces = []
def see(frame, event, arg):
    spaces.append(frame.f_globals)
sys.setprofile(see)
dataclasses.is_dataclass(1)
sys.setprofile(None)
m = [s['copy'] for s in spaces if 'copy' in s][0]
def solve(d): return m.deepcopy, m.deepcopy(d)
