import importlib, importlib.util, string
print(importlib.reload(string) is string, importlib.util.find_spec("colorsys").name, importlib.util.find_spec("no_such_module"))
import sys
old = sys.modules.pop("string")
import string as again
print(again is old)
