import os
print(sorted(name for name in os.environ if name not in {"HOME", "TMPDIR"}), os.environ["LANG"], os.umask(0o22), os.getlogin if False else "")
print(os.path.expanduser("~") == os.environ["HOME"], os.name, os.sep)
