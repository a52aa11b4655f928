"""A notebook is taken as the module of its code cells, where the assignment lets it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from grader.intake.collect import collect, collect_one
from grader.intake.notebook import module_of
from grader.intake.offered import UnreadableError
from grader.model.assignment import Assignment, Handin
from grader.model.submission import cell_of

if TYPE_CHECKING:
    from pathlib import Path

ASSIGNMENT = Assignment(name="n", title="N", files=(Handin(name="solve.py", notebook=True),), kinds={})


def notebook(*cells: str | list[str], **more: Any) -> bytes:
    made: list[dict[str, Any]] = [
        {"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells
    ]
    text = {"cell_type": "markdown", "source": "# Words, no code"}
    return json.dumps({"cells": [text, *made], "nbformat": 4, "metadata": {}, **more}).encode()


def test_code_cells_become_the_module(tmp_path: Path) -> None:
    """Text is left out, order is kept, and each cell says its number."""
    (tmp_path / "solve.ipynb").write_bytes(notebook(["import math\n", "x = 1"], "print(x)"))
    found = collect_one(tmp_path, ASSIGNMENT)
    assert not found.problem
    assert [file.path for file in found.files] == ["solve.py"]
    assert found.files[0].content.decode().splitlines() == [
        "# ── cell 1 ──",
        "import math",
        "x = 1",
        "# ── cell 2 ──",
        "print(x)",
    ]
    assert found.notes[0].message == "the code cells of solve.ipynb were taken as solve.py"


def test_magics_are_left_out_and_named(tmp_path: Path) -> None:
    """What only a notebook understands is dropped with a note; a block that held nothing else stays a block."""
    cells = ("%matplotlib inline\nx = 7", "if x:\n    !ls\nlen?", "%%timeit\nx += 1", 'text = """\n%d apples"""')
    (tmp_path / "solve.ipynb").write_bytes(notebook(*cells))
    found = collect_one(tmp_path, ASSIGNMENT)
    source = found.files[0].content.decode()
    compile(source, "solve.py", "exec")
    assert "%d apples" in source
    for magic in ("%matplotlib inline (cell 1)", "!ls (cell 2)", "len? (cell 2)", "%%timeit (cell 3)"):
        assert magic in found.notes[0].message


def test_the_only_notebook_counts_whatever_its_name(tmp_path: Path) -> None:
    """A class of loose notebooks is graded; a Python file goes before a notebook."""
    (tmp_path / "ann.ipynb").write_bytes(notebook("a = 1"))
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "homework 3.ipynb").write_bytes(notebook("b = 1"))
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "solve.ipynb").write_bytes(notebook("old = 1"))
    (tmp_path / "eve" / "solve.py").write_text("new = 1")
    found = {each.id: each for each in collect([tmp_path], ASSIGNMENT)}
    assert {name: bool(each.problem) for name, each in found.items()} == {"ann": False, "bob": False, "eve": False}
    assert [file.content for file in found["eve"].files if file.path == "solve.py"] == [b"new = 1"]


def test_a_folder_with_the_notebook_is_one_submission(tmp_path: Path) -> None:
    """Its name is the folder's, as with a Python file."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "solve.ipynb").write_bytes(notebook("a = 1"))
    assert [each.id for each in collect([tmp_path / "ann"], ASSIGNMENT)] == ["ann"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"null", b'{"cells": 3}', b'{"cells": [{"cell_type": "code"}]}', b"[" * 100_000, b"\xff\xfe"],
)
def test_what_is_no_notebook_is_said_so(tmp_path: Path, content: bytes) -> None:
    """Nothing is raised but the reason."""
    with pytest.raises(UnreadableError):
        module_of(content)
    (tmp_path / "solve.ipynb").write_bytes(content)
    assert "no notebook that can be read" in collect_one(tmp_path, ASSIGNMENT).problem


def test_a_line_knows_its_cell() -> None:
    """Findings and failures are told by cell and line; a plain module has none."""
    source = module_of(notebook("a = 1\nb = 2", "c = 3")).source.decode()
    assert [cell_of(source, line) for line in (2, 3, 5)] == ["cell 1, line 1", "cell 1, line 2", "cell 2, line 1"]
    assert not cell_of("a = 1\n", 1)
