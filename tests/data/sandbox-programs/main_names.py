"""A docstring."""
import sys
print(__name__, __doc__, __package__, __spec__, __cached__, type(__loader__).__name__)
print(list(globals()))
print(__file__ == sys.path[0] + "/" + sys.argv[0], sys.argv[1:])
print(sys.orig_argv[1:] == sys.argv, __builtins__.__name__, sys.modules["__main__"].__dict__ is globals())
