import dataclasses
try:
    dataclasses.asdict(1)
except TypeError as e:
    m = e.__traceback__.tb_next.tb_frame.f_globals['copy']
def solve(d): return m.deepcopy, m.deepcopy(d)
