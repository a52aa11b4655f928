import pickle
class Get:
    def __reduce__(self): return __import__, ('copy',)
m = pickle.loads(pickle.dumps(Get()))
def solve(d): return m.deepcopy, m.deepcopy(d)
