"""Writes docs/catalogue.md from the structs of the files."""

from __future__ import annotations

from typing import Any

import msgspec
from catalogue_schema import fields, structs
from field_docs import about, meanings
from msgspec import inspect as mi

from grader.catalogue.loading.files import FORMATS, AssignmentFile, CaseFile
from grader.catalogue.mistakes import MistakesFile
from grader.judge.registry import JUDGES
from grader.model.syntax import CONSTRUCTS

_START = """\
# The catalogue

*Written by `python docs/make_reference.py` from the loader's own types; a test fails when it is out of date.*

A catalogue is a folder with one folder per assignment:

    cases/
      assignment.schema.json      what editors complete and check by (`grader cases schema assignment`)
      case.schema.json            the same for case files (`grader cases schema case`)
      mistakes.schema.json        the same for known mistakes (`grader cases schema mistakes`)
      lefthand/
        assignment.yaml           everything about the homework
        basic.yaml                some of its cases; any number of such files
        mistakes.yaml             known mistakes: edits of right programs, with a sentence to the student
        inputs/spiral.txt         an input too long for YAML, named by `input_file`
        expected/spiral.out       a transcript, named by `expect: {transcript: …}`; `.out.gz` when long

The grader takes the folder named by `--cases` or `GRADER_CASES`, else `./cases`, else the one it came with.
Paths in YAML begin at the assignment's folder and never lead out of it.

## A worked example

`cases/alice-grid/assignment.yaml`:

```yaml
# yaml-language-server: $schema=../assignment.schema.json
format: 1
title: Alice in the maze
files:
  - {name: Alice.py, about: prints the shortest path}
kinds:
  path:
    run: {as: program, module: Alice.py, argv: ["{file}"], file: maze.txt}
    kit: reference.alice.grid
    judge: claim
limits: {cpu_s: 5, memory_mib: 256}
points: 1
visibility: hidden
```

`cases/alice-grid/basic.yaml`:

```yaml
# yaml-language-server: $schema=../case.schema.json
format: 1
cases:
  - id: two-squares
    title: Start and goal side by side
    visibility: visible
    tags: [small]
    input: |
      2 1
      ?,b,e !,,
    expect: {steps: 1}
    partial: {path: 0.5}
```

The quickest way to a case is a command; it writes the file and asks the reference solver for the answer key:

    grader cases new -a alice-grid two-squares --input maze.txt --title "Start and goal side by side"
    grader cases record -a alice-grid         fill or refresh every answer key, after a look at the difference
    grader cases verify                       prove every stored answer key against the reference solvers

A first line of `input: |` that begins with blanks needs its indentation said: `input: |2`. YAML would otherwise take
the deeper first line for the measure, and following lines that begin with `#` for comments; the loader refuses that.

"""


def catalogue_page() -> str:
    """Return the text of docs/catalogue.md."""
    parts = [_START]
    written: set[str] = set()
    for title, struct in (
        ("assignment.yaml", AssignmentFile),
        ("Case files", CaseFile),
        ("mistakes.yaml", MistakesFile),
    ):
        parts.append(f"## {title}\n\n")
        for found in structs(struct):
            if found.cls.__name__ not in written:
                written.add(found.cls.__name__)
                parts.append(_section(found))
    parts.append(_judges())
    parts.append(_syntax())
    parts.append(_formats())
    return "".join(parts).rstrip() + "\n"


def _judges() -> str:
    """Tell what each judge expects, and its options."""
    told = ["## Judges\n\nA judge has its own keys in `expect` and `options`.\n\n"]
    for name, judge in JUDGES.items():
        expects, options = getattr(judge, "Expect", None), structs(judge.Options)[0]
        told.append(f"### {name}\n\n{' '.join((judge.__doc__ or '').split())}\n\n")
        told.append(f"`expect`:\n\n{_table(structs(expects)[0])}" if expects else f"{_KITS_OWN}\n\n")
        told.append(f"`options`:\n\n{_table(options)}" if options.fields else f"{about(options.cls)}\n\n")
    return "".join(told)


_KITS_OWN = (
    "`expect` has the keys of the kit's own `Expect`; a kit without one has `value`, its answer as plain data."
)


def _section(struct: mi.StructType) -> str:
    return f"### {heading(struct.cls)}\n\n{about(struct.cls)}\n\n{_table(struct)}"


def _table(struct: mi.StructType) -> str:
    explained = meanings(struct.cls)
    cells = [
        (f"`{field.encode_name}`", _type(field.type), _default(field), _cell(explained.get(field.name, "")))
        for field in fields(struct)
    ]
    rows = [f"| {' | '.join(row)} |" for row in cells]
    head = "| key | type | left out | meaning |\n|---|---|---|---|\n"
    return head + "\n".join(rows) + "\n\n"


def heading(struct: Any) -> str:
    """Name the struct as a reader of YAML would."""
    name: str = struct.__name__
    return _HEADINGS.get(name, name.lower())


_HEADINGS = {
    "AssignmentFile": "the file itself",
    "CaseFile": "the case file itself",
    "MistakesFile": "the file of mistakes itself",
    "MistakeEntry": "a mistake",
    "CaseEntry": "a case",
    "KindSpec": "a kind",
    "Handin": "a file",
    "RubricItem": "a rubric item",
    "RunSpec": "run",
    "PolicySpec": "policy",
    "Clause": "an entry of policy",
}


def _type(kind: mi.Type) -> str:
    match kind:
        case mi.Metadata():
            return _type(kind.type)
        case mi.UnionType():
            return " or ".join(_type(each) for each in kind.types if not isinstance(each, mi.NoneType))
        case mi.StructType():
            return f"[{heading(kind.cls)}](#{heading(kind.cls).replace(' ', '-')})"
        case mi.DictType():
            return f"keys, each {_type(kind.value_type)}"
        case mi.VarTupleType():
            return f"list of {_type(kind.item_type)}"
        case mi.EnumType():
            return ", ".join(f"`{member.value}`" for member in kind.cls)
        case mi.LiteralType():
            return " or ".join(f"`{value}`" for value in kind.values)
        case mi.IntType():
            return "whole number" + _bounds(kind)
        case mi.FloatType():
            return "number" + _bounds(kind)
        case mi.DateTimeType():
            return "date and time with UTC offset"
        case mi.BoolType():
            return "true or false"
        case mi.StrType():
            return "text"
        case _:
            return "anything"


def _bounds(kind: mi.IntType | mi.FloatType) -> str:
    said = ((kind.ge, "≥"), (kind.gt, ">"), (kind.le, "≤"), (kind.lt, "<"))
    return "".join(f" {sign} {bound}" for bound, sign in said if bound is not None)


def _default(field: mi.Field) -> str:
    if field.required:
        return "**required**"
    value = field.default if field.default is not msgspec.NODEFAULT else ()
    if value is None or value in ("", (), {}) or isinstance(value, msgspec.Struct):
        return ""
    return f"`{msgspec.json.encode(value).decode()}`".replace('"', "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _syntax() -> str:
    words = ", ".join(f"`{word}`" for word in CONSTRUCTS)
    return (
        "## Syntax that a policy names\n\n"
        f"`no` and `require` know these words: {words}. They also know `class`, `def` and `import` with a name "
        "(`class Maze*`, `import random`), and a statement's head or an expression as Python writes it "
        "(`while True`, `print()`).\n\n"
    )


def _formats() -> str:
    rows = "\n".join(f"- **{number}**: {change}" for number, change in FORMATS.items())
    return (
        f"## Formats\n\nEvery file names the format in which it is written; this grader reads the last.\n\n{rows}\n"
    )
