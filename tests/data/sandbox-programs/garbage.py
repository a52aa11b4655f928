import gc
print(gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.garbage)
class Node: pass
a = Node(); a.self = a; del a
print(gc.collect() > 0)
