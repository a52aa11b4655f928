from math import *
from collections import *
from itertools import *
print(sqrt(16), Counter("aab"), list(chain([1], [2])), sorted(name for name in globals() if name[0] != "_")[:5])
