"""Files as students' editors write them, each around the same right program; what is odd is in no answer."""

from __future__ import annotations

from own_course import RIGHT

_RIGHT = RIGHT.encode()
_LATIN = b"caf\xe9"
KINDS = {
    "plain": _RIGHT,
    "byte order mark": b"\xef\xbb\xbf" + _RIGHT,
    "two byte order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + _RIGHT,
    "byte order mark, latin-1 inside": b"\xef\xbb\xbf# " + _LATIN + b"\n" + _RIGHT,
    "byte order mark, another coding line": b"\xef\xbb\xbf# coding: latin-1\n" + _RIGHT,
    "utf-16": RIGHT.encode("utf-16"),
    "latin-1 in a comment": b"# " + _LATIN + b"\n" + _RIGHT,
    "latin-1 after the end": b"import sys\n" + _RIGHT + b"sys.exit()\n# " + _LATIN + b"\n",
    "latin-1 within brackets": _RIGHT.replace(b"for", b"# " + _LATIN + b"\nfor"),
    "latin-1 in a string": b"x = '" + _LATIN + b"'\n" + _RIGHT,
    "surrogates": b"# \xed\xa0\x80\n" + _RIGHT,
    "coding line": b"# -*- coding: latin-1 -*-\n# " + _LATIN + b"\n" + _RIGHT,
    "coding line in the second line": b"#!/usr/bin/env python3\n# coding: latin-1\n# " + _LATIN + b"\n" + _RIGHT,
    "coding line after code": b"import sys\n# coding: latin-1\n# " + _LATIN + b"\n" + _RIGHT,
    "coding line in the third line": b"\n\n# coding: latin-1\n# " + _LATIN + b"\n" + _RIGHT,
    "coding line with CR": b"# coding: latin-1\r# " + _LATIN + b"\r" + _RIGHT.replace(b"\n", b"\r"),
    "coding line of no encoding": b"# coding: klingon\n" + _RIGHT,
    "coding line of the wrong encoding": b"# coding: ascii\n# caf\xc3\xa9\n" + _RIGHT,
    "utf-8 by name, latin-1 inside": b"# coding: utf-8\n# " + _LATIN + b"\n" + _RIGHT,
    "a null in a comment": b"# a\0b\n" + _RIGHT,
    "a null at the end": _RIGHT + b"\0",
    "form feeds": b"\x0c" + _RIGHT.replace(b"\n", b"\n\x0c\n"),
    "CRLF": _RIGHT.replace(b"\n", b"\r\n"),
    "CR": _RIGHT.replace(b"\n", b"\r"),
    "CRLF in a string": b"x = '''a\r\nb'''\r\nassert len(x) == 3\r\n" + _RIGHT,
    "tabs": b"if True:\n\timport sys\n\tprint(sum(int(line) for line in open(sys.argv[1])))\n",
    "tabs and blanks": b"if True:\n\timport sys\n        print(sum(int(line) for line in open(sys.argv[1])))\n",
    "future": b"from __future__ import annotations\ndef f(x: Unknown): pass\n" + _RIGHT,
    "no future": b"def f(x: Unknown): pass\n" + _RIGHT,
    "future too late": b"x = 1\nfrom __future__ import annotations\n" + _RIGHT,
    "no newline at the end": _RIGHT.rstrip(b"\n"),
    "a comment without newline": _RIGHT + b"# the end",
    "a backslash at the end": _RIGHT + b"\\",
    "ctrl-z": _RIGHT + b"\x1a",
    "a deep bracket": b"x = " + b"[" * 250 + b"]" * 250 + b"\n" + _RIGHT,
    "names": (
        b"import os, sys\n"
        b"assert (__name__, __cached__, __doc__, __spec__, __package__) == ('__main__', None, None, None, None)\n"
        b"assert sys.argv[0] == os.path.basename(__file__) and os.path.isabs(__file__), (sys.argv, __file__)\n"
        b"assert type(__loader__).__name__ == 'SourceFileLoader' and sys.modules['__main__'].f is f\n" + _RIGHT
    ).replace(b"import os", b"def f(): pass\nimport os", 1),
}
