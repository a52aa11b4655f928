"""Bad case files are refused with place, reason and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load
from grader.errors import CatalogueError

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "format: 1\ncases:\n"
CASE = "  - {id: a, title: A, input: '1', "
BLOCK = "  - id: a\n    title: A\n    input: "


def faults(catalogue: Path, content: str | bytes, name: str = "extra.yaml") -> str:
    """Load the good catalogue with one more file; give what the loader says, paths shortened."""
    path = catalogue / "sums" / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CatalogueError) as caught:
        load(catalogue)
    return str(caught.value).replace("cases/sums/", "")


TYPES = {
    "points: two": "extra.yaml:3:43: points must be a number, found the text 'two'",
    "points: -1": "3:43: points must be at least 0, found -1",
    "points: .nan": "infinity and NaN are no numbers here",
    "points: -.inf": "infinity and NaN are no numbers here",
    "points: 1e999": "3:43: points must be a number",
    "points: 010": "numbers that begin with 0 are octal",
    "points: 1:30": "YAML reads a:b as a number to base 60",
    "points: '2'": "take the quotes off",
    "points: 99999999999999999999999": "has too many digits",
    "visibility: visable": "3:47: visibility must be one of visible, hidden, after_due_date, after_published",
    "visibility: Hidden": "did you mean hidden?",
    "visibility: off": "found 'off', which YAML reads as false",
    "tags: seed": "tags must be a list, found the text 'seed'",
    "tags: [1]": 'put it in quotes: "1"',
    "hint: no": "hint must be text, found 'no', which YAML reads as false",
    "hint: [x]": "hint must be text, found a list",
    "hint: {x: 1}": "hint must be text, found keys with values",
    "hint: ": "hint has no value",
    "limits: {cpu_s: 0}": "3:51: limits.cpu_s must be more than 0, found 0",
    "limits: 5": "3:43: limits must be keys with values, found the number 5",
    "limits: [1]": "3:43: limits must be keys with values, found a list",
    "expect: [1]": "3:43: expect must be keys with values, found a list",
    "partial: 1": "3:44: partial must be keys with values",
    "options: 1": "3:44: options must be keys with values",
    "input_file: {}": "input_file must be text, found keys with values",
    "limits: {cpu: 1}": "3:44: unknown key limits.cpu\n  did you mean cpu_s?",
    "limits: {memory_mib: 1.5}": "write it without a decimal point",
    "partial: {path: 1.5}": "3:51: partial.path must be at most 1, found 1.5",
    "kind: ad": "3:41: there is no kind ad\n  did you mean add?",
    "expect: {stdout: x}": "3:44: unknown key expect.stdout\n  known: steps, value",
    "expect: {stepz: 1}": "3:44: unknown key expect.stepz\n  did you mean steps?",
    "expect: 5": "expect must be keys with values, found the number 5",
    "expect: {steps: -2}": "expect.steps must be at least -1",
    "kind: tell, expect: {transcript: expected/row.out}": "did you mean expected/rows.out?",
    "kind: tell, expect: {transcript: mazes/wide.txt}": "it ends with .out or .out.gz",
    "options: {strict: true}": "3:44: the judge claim takes no options",
    "kind: tell, options: {empty_line: keep}": "unknown key options.empty_line\n  did you mean empty_lines?",
    "kind: tell, options: {empty_lines: kept}": "options.empty_lines must be one of ignore, keep",
    "kind: grid, options: {tolerance: -1}": "options.tolerance must be at least 0",
    "input_file: mazes/wide.txt": "the case a has both input and input_file",
    "id: b": "3:35: the key id stands here a second time\n  it stands first on line 3",
    'hint: "\\q"': "this backslash means nothing inside double quotes",
    "nonsense: 1": "3:35: unknown key nonsense\n  known: ",
}


@pytest.mark.parametrize("key", TYPES)
def test_a_wrong_value_is_told_in_plain_words(catalogue: Path, key: str) -> None:
    """Where, what is wanted, what was found, what to try."""
    assert TYPES[key] in faults(catalogue, HEAD + CASE + key + "}\n")


CASES = {
    "{titel: A, id: a, input: '1'}": "3:6: unknown key titel\n  did you mean title?",
    "{id: a, title: A, maze: '1'}": "3:23: unknown key maze\n  it is called input now",
    "{id: a, title: A, maze_file: x}": "3:23: unknown key maze_file\n  it is called input_file now",
    "{title: A, input: '1'}": "3:5: this case lacks id\n  add `id: …`",
    "{id: 010, title: A, input: '1'}": '3:10: id must be text, found the number 010\n  put it in quotes: "010"',
    "{id: yes, title: A, input: '1'}": "3:10: id must be text, found 'yes', which YAML reads as true",
    "{id: Foo Bar, title: A, input: '1'}": "3:10: id can't be 'Foo Bar'\n  use lower-case letters",
    '{id: "a\\n", title: A, input: "1"}': "3:10: id can't be 'a\\n'",
    "{id: a, title: ' ', input: '1'}": "3:20: title is empty",
    "{id: a, title: A}": "3:5: the case a has neither input nor input_file",
    "{id: a, title: A, input: 12}": "3:30: input must be text, found the number 12",
    "{id: one, title: A, input: '1'}": "3:10: the id one is taken\n  it stands at basic.yaml:5",
    "{id: a, title: A, input_file: mazes/wid.txt}": "3:35: there is no file 'mazes/wid.txt'\n  did you mean mazes/w",
    "{id: a, title: A, input_file: ../../x}": "3:35: the path '../../x' leads out of the assignment's folder",
    "{id: a, title: A, input_file: /etc/passwd}": "3:35: the path '/etc/passwd' leads out",
    "{id: a, title: A, input_file: mazes}": "3:35: 'mazes' is a folder, not a file",
    "{id: a, title: A, input: '1x'}": "3:32: 'x' is no digit\n  only digits",
    "{id: a, title: A, input: 1x}": "3:31: 'x' is no digit",
    '{id: a, title: A, input: "1\\n2x"}': "3:30: line 2, column 2 of the input: 'x' is no digit",
    "{id: a, title: A, input: '1!'}": "the kit fails on this input: RuntimeError: boom",
    "a": "3:5: this case must be keys with values, found the text 'a'",
    "*x": "3:5: the anchor &x isn't defined before this alias",
    "&x [*x]": "3:9: the alias *x stands inside its own anchor",
    "{id: @a}": "3:10: text can't begin with @",
}


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_case_is_told_with_its_place(catalogue: Path, case: str) -> None:
    """Line and column are those of the very word."""
    assert CASES[case] in faults(catalogue, f"{HEAD}  - {case}\n")


FILES: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "extra.yaml:1:1: is empty\n  a catalogue file begins with `format: 1`"),
    "comments": ("# x\n", "1:1: is empty"),
    "a list": ("- a\n", "1:1: must hold keys with values, found a list"),
    "a word": ("foo\n", "1:1: must hold keys with values, found the text 'foo'"),
    "two documents": (f"{HEAD}{CASE}}}\n---\na: 1\n", "4:1: a second document begins here"),
    "format 2": ("format: 2\nfoo: 1\n", "1:9: this grader reads format 1, found the number 2"),
    "format as text": ("format: '1'\ncases: []\n", "1:9: this grader reads format 1, found the text '1'"),
    "no format": ("cases: []\n", "1:1: this file lacks format\n  add `format: 1`"),
    "no cases": ("format: 1\n", "1:1: this file lacks cases"),
    "empty cases": ("format: 1\ncases:\n", "2:7: cases must be a list, found nothing"),
    "cases as keys": ("format: 1\ncases: {a: 1}\n", "2:8: cases must be a list, found keys with values"),
    "a tab": ("format: 1\ncases:\n\t- id: a\n", "3:1: a tab stands here; YAML indents with blanks only"),
    "a colon": (f"{HEAD}  - id: a\n    title: A: b\n", "4:13: a second `: ` stands here"),
    "an open quote": (f'{HEAD}  - id: a\n    title: "A\n    input: 1\n', "4:12: a quoted text begins here and never"),
    "bad indentation": (f"{HEAD}  - id: a\n   title: A\n", "4:4: this line is no item of the list above it"),
    "an open bracket": (f"{HEAD}  - {{id: a, tags: [A\n", "it begins at 3:19"),
    "a tag": ("format: !!python/object:os.system 1\n", "1:9: the tag !!python/object:os.system isn't used"),
    "own tag": ("format: !foo {}\n", "1:9: the tag !foo isn't used in the catalogue"),
    "a NUL": ("format: 1\0\n", "1:10: the character U+0000 can't stand in YAML"),
    "a bell": ('format: 1\ncases: "\x07"\n', "2:9: the character U+0007 can't stand in YAML"),
    "Latin-1": (b"format: 1\ncases: \xe9\n", "2:8: byte 0xE9 isn't UTF-8"),
    "UTF-16": ("format: 1\n".encode("utf-16"), "1:1: byte 0xFF isn't UTF-8"),
    "a list as key": ("? [a]\n: 1\n", "1:3: a key must be one word or text"),
    "a bad merge": ("format: 1\n<<: 3\ncases: []\n", "2:5: `<<` takes keys with values"),
    "deep nesting": ("[" * 5000, "1:61: is nested more than 60 levels deep"),
    "a file too large": ("#" * ((8 << 20) + 1), "extra.yaml: is larger than 8 MiB"),
    "a maze's third row": (f"{HEAD}{BLOCK}|\n      12\n      34\n      5x\n", "8:8: 'x' is no digit\n  only digits"),
    "a measured block": (f"{HEAD}{BLOCK}|2-\n\n       1\n", "7:7: ' ' is no digit"),
    "a folded maze": (
        f"{HEAD}{BLOCK}>\n      12\n      34\n",
        "5:12: line 1, column 3 of the input: ' ' is no digit",
    ),
    "walls that YAML takes for comments": (
        f"{HEAD}{BLOCK}|\n        12\n      # 3\n    points: 1\n",
        "7:7: this line is no part of the block above it: the block's first line is indented deeper\n  write `|2`",
    ),
    "a first line indented deeper": (f"{HEAD}{BLOCK}|\n        12\n      34\n", "needs `|2` instead of `|`"),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_case_file_is_told(catalogue: Path, name: str) -> None:
    """Nonsense gets a place and a reason too."""
    content, told = FILES[name]
    assert told in faults(catalogue, content)


def test_aliases_that_multiply_are_refused(catalogue: Path) -> None:
    """Nine levels of nine aliases would be 387 million values."""
    levels = [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    told = faults(catalogue, "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(levels))
    assert "extra.yaml:6:20: holds more than 200,000 values when its aliases are written out" in told


def test_a_long_chain_of_aliases_is_refused(catalogue: Path) -> None:
    """Each level is small; together they would be deeper than Python can follow."""
    chain = "".join(f"k{level}: &a{level} [*a{level - 1}]\n" for level in range(1, 600))
    assert "is nested more than 60 levels deep" in faults(catalogue, "k0: &a0 [x]\n" + chain)


def test_a_flood_of_nonsense_is_told_briefly(catalogue: Path) -> None:
    """Two hundred faults are enough to begin with, and a key of a megabyte isn't repeated."""
    flood = "".join(f"key{number}: 1\n" for number in range(5000)) + "x" * 1000 + ": 1\n"
    told = faults(catalogue, f"format: 1\n{flood}cases:\n" + "  - {id: x, points: y}\n" * 1000)
    assert "4981 unknown keys more from here on" in told
    assert "faults more" in told
    assert len(told) < 50_000


def test_all_faults_of_all_files_come_in_one_go(catalogue: Path) -> None:
    """Whoever mends a catalogue shouldn't need one run per fault."""
    (catalogue / "sums" / "zebra.yaml").write_text("format: 9\n")
    told = faults(catalogue, HEAD + CASE + "points: x, tags: y, kind: z}\n  - {id: b}\n")
    places = [line.split(": ")[0] for line in told.splitlines() if not line.startswith("  ")]
    assert places == [
        "extra.yaml:3:43",
        "extra.yaml:3:52",
        "extra.yaml:3:61",
        "extra.yaml:4:5",
        "zebra.yaml:1:9",
    ]


def test_a_maze_files_fault_stands_in_that_file(catalogue: Path) -> None:
    """The place is the maze's own line and column."""
    (catalogue / "sums" / "mazes" / "bad.txt").write_text("12\n3?\n")
    told = faults(catalogue, HEAD + "  - {id: a, title: A, input_file: mazes/bad.txt}\n")
    assert told == "mazes/bad.txt:2:2: '?' is no digit\n  only digits"


def test_a_link_out_of_the_folder_is_refused(catalogue: Path) -> None:
    """A symbolic link is a way out like any other."""
    (catalogue / "sums" / "mazes" / "link.txt").symlink_to("/etc/passwd")
    assert "leads out" in faults(catalogue, HEAD + "  - {id: a, title: A, input_file: mazes/link.txt}\n")


def test_a_folder_named_like_a_case_file_is_told(catalogue: Path) -> None:
    """It can't be read, and is not silently passed over."""
    (catalogue / "sums" / "folder.yaml").mkdir()
    with pytest.raises(CatalogueError, match=r"folder\.yaml: is a folder, not a file"):
        load(catalogue)


def test_unchecked_mazes_load(catalogue: Path) -> None:
    """Whoever needs only the catalogue's data can skip the kits' reading."""
    (catalogue / "sums" / "extra.yaml").write_text(HEAD + "  - {id: a, title: A, input: 1x}\n")
    (loaded,) = load(catalogue, check_inputs=False)
    assert "1x" in [case.input for case in loaded.cases]
