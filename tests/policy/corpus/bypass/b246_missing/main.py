class Lib(dict):
    def __missing__(self, key):
        self[key] = __import__(key)
        return self[key]
lib = Lib()
'%(copy)s' % lib
def solve(d): return lib['copy'].deepcopy, lib['copy'].deepcopy(d)
