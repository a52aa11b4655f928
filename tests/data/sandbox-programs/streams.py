import sys
for stream in (sys.stdin, sys.stdout, sys.stderr):
    print(stream.encoding, stream.errors, stream.line_buffering, stream.isatty(), stream.name, stream.fileno(), stream.newlines, stream.write_through)
print(sys.stdout.buffer, type(sys.stdout.buffer.raw).__name__, sys.stdout.buffer.raw.mode, sys.stdout.seekable(), sys.stdin.seekable())
print("é ☃ 😀", sys.getdefaultencoding(), sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
print("\udce9 lone")
