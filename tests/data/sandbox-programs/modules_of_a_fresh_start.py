import sys
print(list(sys.modules))
print([type(finder).__name__ if not isinstance(finder, type) else finder.__name__ for finder in sys.meta_path])
print(len(sys.path_hooks), sys.path[1:])
print(sys.version, sys.platform, sys.byteorder)
print({name: getattr(sys.flags, name) for name in dir(sys.flags) if name[0] != "_" and name not in ("count", "index")})
