import sys
import collections
print(list(sys.modules))
print(hasattr(collections, "abc"))
import random, json, dataclasses, argparse, datetime, pathlib, tempfile, threading, statistics, csv
print(list(sys.modules))
import xml
print(hasattr(xml, "etree"))
import importlib
print(hasattr(importlib, "util"), hasattr(importlib, "machinery"))
import concurrent
print(hasattr(concurrent, "futures"))
print(json.decoder, random.__file__ is not None, json.__path__ is not None, random.__spec__.origin == random.__file__)
print(type(random.__loader__).__name__, type(random.__spec__.loader).__name__)
