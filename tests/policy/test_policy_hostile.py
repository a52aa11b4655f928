"""Hostile and odd source: the scan ends, and says what it can."""

from __future__ import annotations

import ast
import base64
import io
import sysconfig
import warnings
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.model.assignment import PolicySpec, Recursion
from grader.model.run import File
from grader.policy.scan import scan

EVERYTHING = PolicySpec(
    ban=("itertools", "copy", "eval"),
    no=("global", "while True"),
    require=("class Maze",),
    recursion=Recursion.FORBIDDEN,
    max_lines=10,
)
BAN = PolicySpec(ban=("itertools", "copy"))
DEEP = 10_000
BOMB = base64.b64encode(zlib.compress(b"a" * 20_000_000)).decode()
HOSTILE = {
    "ten mebibytes": "x = 1\n" * 1_800_000,
    "brackets": "x = " + "(" * DEEP + ")" * DEEP,
    "minus signs": "x = " + "-" * DEEP + "1",
    "a long sum": "x = __import__(" + "+".join(["'a'"] * DEEP) + ")",
    "attributes": "import copyreg\nx = copyreg" + ".a" * DEEP,
    "calls": "x = getattr" + "(1)" * DEEP,
    "subscripts": "import sys\nx = sys.modules" + "[0]" * DEEP,
    "lambdas": "x = " + "lambda:" * DEEP + "getattr",
    "branches": "if getattr: pass\n" + "elif 1: pass\n" * DEEP,
    "blocks": "".join(" " * depth + "if 1:\n" for depth in range(300)),
    "a zero byte": "import copy\0\n",
    "a large product": "__import__('c' * 99999999999)\nexec('a' * (1 << 40))\n__import__(str(10 ** 10 ** 10))",
    "doubling": "a0 = 'copy'\n" + "".join(f"a{n + 1} = a{n} + a{n}\n" for n in range(200)) + "__import__(a200)",
    "calls that branch": "".join(f"def f{n}(x): return f{n + 1}(x) + f{n + 1}(x)\n" for n in range(60))
    + "exec(f0(1))",
    "padding": "__import__('{:>999999999}'.format(1))\n__import__('%999999999s' % 1)\n__import__(f'{1:>999999999}')",
    "replacing": "__import__(('a' * 90000).replace('a', 'a' * 90000))",
    "joining": "__import__(('b' * 90000).join(['a'] * 4000))",
    "a range": "__import__(''.join(chr(i) for i in range(10 ** 9)))",
    "a bomb": f"import base64, zlib\nexec(zlib.decompress(base64.b64decode('{BOMB}')))",
    "names in a ring": "".join(f"x{n} = __import__(x{(n + 1) % 900})\n" for n in range(900)),
    "texts in texts": "".join(f"exec('exec(\"x = {n}\")')\n" for n in range(900)),
    "lambdas in defaults": "f = " + "lambda x=(" * 60 + "1" + "): x" * 60,
    "slices in slices": "x = y" + "[y" * 80 + "[1:2]" + ":]" * 80,
    "texts at depth": "x = " + "[" * 50 + f"exec({'[' * 50 + 'exec(1)' + ']' * 50!r})" + "]" * 50,
    "a long dotted text": f"import random\ngetattr(random, {'a.' * 30_000!r})\n" * 20,
    "large numbers": "x = 0x" + "f" * 500_000 + "\n" + "x = x + x\n" * 500,
    "half a surrogate": "__import__('\\ud800'); exec('\\ud800')",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_source_ends(text: str) -> None:
    """Nothing hangs, crashes or fills the memory; the scan gives findings or none."""
    findings = scan((File(path="main.py", content=text.encode()),), EVERYTHING)
    assert all(finding.message and finding.line >= 1 and finding.column >= 1 for finding in findings)


def test_what_is_beyond_the_scan_is_a_note() -> None:
    """Too large and too deep are no fault of the student's: staff look."""
    for name in ("ten mebibytes", "minus signs"):
        (note,) = scan((File(path="main.py", content=HOSTILE[name].encode()),), BAN)
        assert (note.rule, note.severity) == ("scan-error", "review")


def _is_python(content: bytes) -> bool:
    """Ask Python itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(content)
        except (SyntaxError, ValueError):
            return False
    return True


def _is_told(files: tuple[File, ...]) -> bool:
    """Say whether the scan finds that main.py isn't Python."""
    findings = scan(files, EVERYTHING)
    return any((finding.rule, finding.path) == ("syntax-error", "main.py") for finding in findings)


@pytest.mark.parametrize("encoding", ["nope", "utf-16", "zlib", "idna", "punycode", "undefined", "unicode_escape"])
def test_an_encoding_is_unknown_where_python_says_so(encoding: str) -> None:
    """A cookie that names no encoding of text is told, or read as Python reads it."""
    content = f"# coding: {encoding}\nimport math\n".encode()
    assert _is_told((File(path="main.py", content=content),)) is not _is_python(content)


def test_bytes_that_are_no_text_end() -> None:
    """A picture named main.py is a file that isn't Python."""
    (found, *_) = scan((File(path="main.py", content=bytes(range(256)) * 50),), BAN)
    assert found.rule == "syntax-error"


def test_a_broken_zip_is_passed_by() -> None:
    """What can't be unpacked can't be imported either."""
    assert scan((File(path="a.zip", content=b"PK\x03\x04" + b"\xff" * 200),), BAN) == ()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_is_read_as_far_as_it_goes(method: int) -> None:
    """Each codec fails in its own way; the scan goes on, and finds what stands before the damage."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("a.py", "import copy\n")
        archive.writestr("b.py", "x = 1\n" * 5000)
    content = bytearray(packed.getvalue())
    for place in range(content.index(b"b.py") + 4, len(content) - 200):
        content[place] ^= 0xFF
    findings = scan((File(path="a.zip", content=bytes(content)),), BAN)
    assert any(finding.path == "a.zip/a.py" for finding in findings)


WORDS = """import copy|from copy import *|x = |__import__(|'co' + 'py'|)|(|[|]|getattr(|vars(|sys.modules['copy']|
lambda x: |def f(x=1):|class A(B):|    |return |for i in x:|[i for i in x if i]|{'a': 1}|f'{x}'|exec('import copy')|:
|x.copy()|self.a = |x[1:2]|a.b.c|yield x|async def f(): await x|match x:|case A(copy=y):|global x|del x|*|**|@f
|with x as (a, b):|try:|except E as e:|x += 'a'|(y := 2)|not |-|1|0x1p|'\\x63opy'|b'c'|...|if |else """
PIECES = st.sampled_from(WORDS.split("|"))


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_random_programs_never_crash_the_scan(text: str) -> None:
    """Whatever pieces of Python stand together, the scan ends with findings."""
    findings = scan((File(path="main.py", content=text.encode("utf-8", "surrogatepass")),), EVERYTHING)
    assert all(finding.path == "main.py" for finding in findings)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_are_python_where_python_says_so(content: bytes) -> None:
    """Any bytes can be handed in; beside a broken zip, too, they are told when they are no program."""
    files = (File(path="main.py", content=content), File(path="a.zip", content=b"PK\x03\x04" + content))
    assert _is_told(files) is not _is_python(content)


def _library() -> list[Path]:
    root = Path(sysconfig.get_paths()["stdlib"])
    paths = [path for path in sorted(root.rglob("*.py")) if "site-packages" not in path.parts]
    return paths[:: max(1, len(paths) // 40)]  # some Pythons come without the library's own tests


def test_the_standard_library_gives_no_crash() -> None:
    """Files of every style are scanned under every rule; hardly one is as short as the rules ask."""
    paths = _library()
    assert len(paths) > 30
    found = [scan((File(path=path.name, content=path.read_bytes()),), EVERYTHING) for path in paths]
    assert sum(any(finding.rule == "max-lines" for finding in findings) for findings in found) > len(paths) / 2


def _uses(tree: ast.AST) -> bool:
    """Say by a plain walk, without any of the scan's parts, whether a file could reach either module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(a.name.split(".")[0] in {"itertools", "copy"} for a in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in {"itertools", "copy"}:
            return True
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.startswith(("itertools", "copy"))
        ):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "import itertools" in node.value:
            return True
    return False


def test_public_packages_that_use_neither_module_are_not_flagged() -> None:
    """Of the packages installed here, no file that doesn't itself name the modules has a certain finding."""
    root = Path(sysconfig.get_paths()["purelib"])
    flagged = {}
    count = 0
    for path in sorted(root.rglob("*.py"))[::15]:
        content = path.read_bytes()
        if len(content) > 200_000 or b"\0" in content:
            continue
        try:
            tree = ast.parse(content)
        except (SyntaxError, ValueError):
            continue
        if not _uses(tree):
            count += 1
            findings = [f for f in scan((File(path=path.name, content=content),), BAN) if f.breach]
            if findings:
                flagged[str(path)] = findings[0].message
    assert count > 50
    assert flagged == {}
