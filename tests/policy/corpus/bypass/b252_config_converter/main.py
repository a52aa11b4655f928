import configparser
cfg = configparser.ConfigParser(converters={'module': __import__})
cfg.read_string('[a]\nuse = copy\n')
m = cfg.getmodule('a', 'use')
def solve(d): return m.deepcopy, m.deepcopy(d)
