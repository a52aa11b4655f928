"""Read leniently what a student's program claims about an Alice maze.

Programs print prompts, debug lines and other spacing. A path may come as `(0, 1)->(1, 1)`, with other arrows, as a
Python list, or one square per line. Everything that could be meant as the answer is kept in the order in which it was
printed; `path_of` then takes the last that leads from the start to the goal, so that a debug line after the answer
doesn't destroy it. Whether the path is right is not decided here.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

import msgspec

from reference.alice.denial import denies
from reference.alice.puzzle import Maze, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.run import RunRecord, Stream


READ_BYTES = 1 << 17
"""The answer stands at the end; more output than this can't hide it."""
SAMPLE = 120

_COLOUR_CODES = re.compile(r"\x1b\[[0-9;]{0,32}+[A-Za-z]")
_GAP = r"\s{0,40}+"
"""White space between words: bounded and never given back, so that reading takes time by the text's length alone."""
_APART = r"\s{1,40}+"
_NUMBER = r"[-+]?\d{1,9}+"
_PAIR = re.compile(
    rf"[(\[{{<]{_GAP}({_NUMBER})(?:{_GAP}[,;]{_GAP}|{_APART})({_NUMBER}){_GAP}[)\]}}>]"
    rf"|(?<![\w.,])({_NUMBER})(?:[ \t]{{0,40}}+,[ \t]{{0,40}}+|[ \t]{{1,40}}+)({_NUMBER})(?![\w.]{{0,40}}?\d)",
)
_ARROW = re.compile(
    r"[-=~]>|[→↠↦⇀⇒⇝⇢⇨➔-➾⟶⟹⟼⮕▶►▸]|^\s{0,32}+(?:>{1,32}+|-{1,32}+|–|—|\||to|then|,?\s{0,32}+followed by)\s{0,32}+$"
)
_LIST_GLUE = re.compile(r"""["']?\s{0,32}+[,;]?\s{0,32}+["']?""")
_LONGEST_GLUE = 32
_ROW_AND_COLUMN = re.compile(
    rf"\brow{_GAP}[:=]?{_GAP}(\d{{1,9}}+){_GAP},?{_GAP}col(?:umn)?{_GAP}[:=]?{_GAP}(\d{{1,9}}+)", re.IGNORECASE
)
Count = tuple[int, int, int]
"""Its line, its rank, the number."""
LABELLED, LONE, STRAY = 0, 1, 2
"""How sure it is that a number is the count: named so, alone on its line, merely there."""
NEAR = 2
"""Lines from the path within which a stray number can be the count."""
_N = r"(?<![\w.-])(\d{1,9}+)(?!\.\d|\w)"
_LONE = re.compile(r"[\s\"'(\[]{0,40}+(\d{1,9}+)[\s\"')\].!]{0,40}+")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Shape(IntEnum):
    """How a path was printed, the clearest last."""

    ALONE = 0
    COLUMN = 1
    LIST = 2
    CHAIN = 3


class PrintedPath(msgspec.Struct, frozen=True, kw_only=True):
    """Squares that stand together, and the lines they stand on."""

    squares: tuple[Place, ...]
    shape: Shape
    first_line: int
    last_line: int


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on stdout that may be meant as the answer."""

    paths: tuple[PrintedPath, ...] = ()
    counts: tuple[tuple[int, int, int], ...] = ()
    """(line, rank, number), see reference.alice.claim."""
    unsolvable_line: int | None = None
    """The last line that says that there is no solution."""
    sample: str = ""
    """The end of the output, for a message."""


def read(record: RunRecord, *, column_first: bool = False) -> Claim | None:
    """Read a program's output; None when it printed nothing at all."""
    text = _end_of(record.stdout)
    claim = read_text(text, column_first=column_first)
    if claim and (claim.paths or claim.counts or claim.unsolvable_line is not None):
        return claim
    last_words = _end_of(record.stderr).strip()
    if "\n" not in last_words and denies(last_words):  # sys.exit("No solution") goes to stderr
        return Claim(unsolvable_line=0, sample=last_words[-SAMPLE:])
    return claim


def _end_of(stream: Stream) -> str:
    end = b""
    for chunk in stream.chunks():
        end = (end + chunk)[-READ_BYTES:]
    return end.decode("utf-8", errors="replace")


def read_text(text: str, *, column_first: bool = False) -> Claim | None:
    """Read the claim in a text; None when it is empty."""
    text = _COLOUR_CODES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return None
    text = _ROW_AND_COLUMN.sub(r"(\2, \1)" if column_first else r"(\1, \2)", text)
    pairs = list(_pairs(text, column_first=column_first))
    rest = _without(text, pairs)
    lines = rest.split("\n")
    unsolvable = [number for number, line in enumerate(lines) if denies(line)]
    return Claim(
        paths=tuple(_paths(text, pairs)),
        counts=tuple(counts_in(lines)) or tuple(counts_in_words(lines)),
        unsolvable_line=unsolvable[-1] if unsolvable else None,
        sample=text.strip()[-SAMPLE:],
    )


class _Pair(msgspec.Struct, frozen=True, kw_only=True):
    place: Place
    bare: bool
    begin: int
    end: int
    line: int


def _pairs(text: str, *, column_first: bool) -> Iterator[_Pair]:
    line = position = 0
    for match in _PAIR.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        bare = match[1] is None
        first, second = (int(match[3]), int(match[4])) if bare else (int(match[1]), int(match[2]))
        place = (second, first) if column_first else (first, second)
        yield _Pair(place=place, bare=bare, begin=match.start(), end=match.end(), line=line)


def _without(text: str, pairs: Iterable[_Pair]) -> str:
    """Blank out the squares, so that what is left can be searched for a count."""
    kept, position = [], 0
    for pair in pairs:
        if not pair.bare:
            gap = "\n" * text.count("\n", pair.begin, pair.end)
            kept += [text[position : pair.begin], "()", gap]
            position = pair.end
    return "".join([*kept, text[position:]])


def _paths(text: str, pairs: list[_Pair]) -> Iterator[PrintedPath]:
    """Give every path, in the order of their last squares."""
    runs = list(_runs(text, pairs))
    yield from (_printed(run, shape) for run, shape in runs if shape is Shape.CHAIN or not run[0].bare)
    yield from _columns([run for run, _ in runs if not run[0].bare])
    yield from _columns([run for run, _ in runs if run[0].bare and _is_alone(text, run[0])])


def _runs(text: str, pairs: list[_Pair]) -> Iterator[tuple[list[_Pair], Shape]]:
    """Put squares together that only an arrow or a comma separates."""
    run: list[_Pair] = []
    shape = Shape.ALONE
    for pair in pairs:
        link = _link(text[run[-1].end : pair.begin]) if run else None
        if run and link and run[0].bare == pair.bare and shape in {Shape.ALONE, link}:
            run.append(pair)
            shape = link
            continue
        if run:
            yield run, shape
        run, shape = [pair], Shape.ALONE
    if run:
        yield run, shape


def _link(glue: str) -> Shape | None:
    if len(glue) > _LONGEST_GLUE:
        return None
    if _ARROW.search(glue):
        return Shape.CHAIN
    plain = "\n" not in glue or "," in glue
    return Shape.LIST if plain and _LIST_GLUE.fullmatch(glue) else None


def _columns(runs: list[list[_Pair]]) -> Iterator[PrintedPath]:
    """Put paths together that run over lines: one square a line, or one move a line."""
    column: list[list[_Pair]] = []
    for run in runs:
        if column and not _continues(column[-1], run):
            yield from _column(column)
            column = []
        column.append(run)
    yield from _column(column)


def _is_alone(text: str, pair: _Pair) -> bool:
    """Tell whether nothing else is on its line."""
    return text[pair.begin - 1 : pair.begin] in {"", "\n"} and text[pair.end : pair.end + 1] in {"", "\n"}


def _continues(above: list[_Pair], below: list[_Pair]) -> bool:
    away = below[0].line - above[0].line
    one_each = len(above) == len(below) == 1 and (away == 1 if below[0].bare else away > 0)
    joined = len(above) == len(below) == 2 and above[-1].place == below[0].place
    return one_each or joined


def _column(runs: list[list[_Pair]]) -> Iterator[PrintedPath]:
    if len(runs) > 1:
        squares = [runs[0][0], *(run[-1] for run in runs)] if len(runs[0]) > 1 else [run[0] for run in runs]
        if len({pair.place for pair in squares}) > 1:  # one square on many lines is no walk
            yield _printed(squares, Shape.COLUMN)


def _printed(run: list[_Pair], shape: Shape) -> PrintedPath:
    squares = tuple(pair.place for pair in run)
    return PrintedPath(squares=squares, shape=shape, first_line=run[0].line, last_line=run[-1].line)


def path_of(maze: Maze, claim: Claim) -> tuple[Place, ...] | None:
    """Give the path that is meant as the answer; None when there is none, or the program says so."""
    printed = _meant(maze, claim)
    if printed is None or says_unsolvable(maze, claim):
        return None
    return printed.squares


def count_of(maze: Maze, claim: Claim) -> int | None:
    """Give the number of moves that the program claims: the one nearest to its path."""
    printed = _meant(maze, claim)
    lines = (printed.first_line, printed.last_line) if printed else None
    return nearest(claim.counts, lines)


def says_unsolvable(maze: Maze, claim: Claim) -> bool:
    """Tell whether the program's last word is that there is no solution."""
    if claim.unsolvable_line is None:
        return False
    printed = _meant(maze, claim)
    if printed is None or not _leads(maze, printed) or printed.last_line < claim.unsolvable_line:
        return True
    return printed.last_line == claim.unsolvable_line and len(printed.squares) == 2  # `no path from (2,0) to (0,2)`


def _meant(maze: Maze, claim: Claim) -> PrintedPath | None:
    leading = _without_headings([path for path in claim.paths if _leads(maze, path)])
    candidates = leading or [path for path in claim.paths if len(path.squares) > 1] or list(claim.paths)
    clearest = max((path.shape for path in candidates), default=None)
    return next((path for path in reversed(candidates) if path.shape is clearest), None)


def _without_headings(paths: list[PrintedPath]) -> list[PrintedPath]:
    """Leave out `from (2, 0) to (0, 1)` before a longer path."""
    last = max((path.last_line for path in paths if len(path.squares) > 2), default=-1)
    return [path for path in paths if len(path.squares) > 2 or path.last_line > last]


def _leads(maze: Maze, path: PrintedPath) -> bool:
    """Tell whether it could be meant as the answer: from the start to the goal."""
    if (path.squares[0], path.squares[-1]) != (maze.start, maze.goal):
        return False
    return path.shape is not Shape.COLUMN or len(path.squares) > 2 or _one_move(maze)


def _one_move(maze: Maze) -> bool:
    """Tell whether start and goal on two lines can be a path rather than a heading."""
    rows, columns = (abs(a - b) for a, b in zip(maze.start, maze.goal, strict=True))
    return max(rows, columns) <= 2


_LABELLED = (
    re.compile(rf"{_N}{_GAP}-?{_GAP}(?:steps?|moves?|jumps?|hops?)\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:length|steps|moves|jumps|hops|count|distance|cost|depth)\b(?!{_GAP}size)[^\d\n]{{0,40}}?{_N}(?!{_GAP}:)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:total|answer|result|minimum|shortest|fewest|solution|solved)\b"
        rf"(?:\s{{1,40}}+(?:is|was|in|path)){{0,8}}+{_GAP}[:=]?{_GAP}{_N}",
        re.IGNORECASE,
    ),
)
_OTHER_UNIT = re.compile(
    rf"\d[\d.]{{0,40}}+{_GAP}"
    rf"(?:m?s|sec\w{{0,12}}+|millis\w{{0,12}}+|states?|nodes?|squares?|cells?|vertices|positions?|visited|x{_GAP}\d{{1,9}}+)\b",
    re.IGNORECASE,
)
_STRAY = re.compile(_N)
_IN_WORDS = re.compile(rf"\b({'|'.join(_WORDS)})\b{_GAP}(?:steps?|moves?|jumps?)\b", re.IGNORECASE)
_NUMBERED = re.compile(rf"{_GAP}\(?\d{{1,9}}+[.):]{{0,2}}+{_GAP}\(\)[^\d()]{{0,40}}+")
"""`3. (2, 0)`: the number of a square in a list, with the square already taken out."""


def counts_in(lines: Iterable[str]) -> Iterator[Count]:
    """Give every number that may be the count, line by line; squares are already taken out of the lines."""
    lines = tuple(lines)
    numbered = {number for number, line in enumerate(lines) if _NUMBERED.fullmatch(line)}
    for number, printed in enumerate(lines):
        line = _OTHER_UNIT.sub("", printed)
        is_in_list = number in numbered and len(numbered) > 1
        if is_in_list or not any(letter.isdigit() for letter in line):
            continue
        found = [match for pattern in _LABELLED for match in pattern.finditer(line)]
        if found:
            yield number, LABELLED, int(max(found, key=lambda match: match.end())[1])
        elif match := _LONE.fullmatch(line.replace("()", "")):
            yield number, LONE, int(match[1])
        else:
            stray = _STRAY.findall(line)
            if len(stray) == 1:
                yield number, STRAY, int(stray[0])


def counts_in_words(lines: Iterable[str]) -> Iterator[Count]:
    """Give every `five moves`; they count only where no digits do, since `one step` may be anything."""
    for number, line in enumerate(lines):
        yield from ((number, LABELLED, _WORDS.index(match[1].lower())) for match in _IN_WORDS.finditer(line))


def nearest(counts: Iterable[Count], lines: tuple[int, int] | None) -> int | None:
    """Give the surest number near the path's lines; without a path, the last sure one."""
    if lines is None:
        sure = [count for count in counts if count[1] != STRAY]
        return sure[-1][2] if sure else None

    def distance(count: Count) -> int:
        first, last = lines
        return max(first - count[0], count[0] - last, 0)

    def order(count: Count) -> tuple[bool, bool, int, bool, int]:
        away, before = distance(count), count[0] < lines[0]
        return away > NEAR, count[1] == STRAY, away, before, count[1]

    near = [count for count in counts if count[1] != STRAY or distance(count) <= NEAR]
    return min(near, key=order)[2] if near else None
