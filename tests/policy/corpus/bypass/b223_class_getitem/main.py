class Use:
    def __class_getitem__(cls, name): return __import__(name)
def solve(d): return Use['itertools'].chain, list(Use['itertools'].chain(*d))
