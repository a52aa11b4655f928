import collections
try:
    print(os.getcwd())
except NameError as error:
    print(error)
import numpy
