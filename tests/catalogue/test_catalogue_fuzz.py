"""Whatever stands in a file, the loader gives values or faults, never a traceback."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalogue.load import load
from grader.catalogue.writing.record import plan
from grader.errors import CatalogueError, Fault

GOOD = Path(__file__).parent.parent / "data" / "catalogue" / "good"
FILES = ("sums/assignment.yaml", "sums/basic.yaml", "sums/tell.yaml")
WORDS = """
    format cases id title input input_file expect steps transcript kinds run as kit judge policy limits points tags
    regulations due late until window partial visibility 1 -1 0x1F 010 1:30 .inf .nan yes no ~ null 2019-04-04 a b
    program path hidden sums_kit &a *a << ! !!str !!int !!binary | > |2 >- ' [ ] { } , : - ? # % @ ` ---
""".split()  # noqa: SIM905 - a list would fill a page
LIMITS = settings(max_examples=80, deadline=None, database=None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fuzz") / "cases"
    shutil.copytree(GOOD, root)
    return root


def loads_or_tells(folder: Path, name: str, content: bytes) -> None:
    """Load with the file replaced; a fault must have a file."""
    (folder / name).write_bytes(content)
    told: tuple[Fault, ...] = ()
    try:
        load(folder)
        plan(folder / "sums")
    except CatalogueError as error:
        told = error.faults
    finally:
        shutil.copy(GOOD / name, folder / name)
    assert all(fault.message and fault.path for fault in told)


yaml_text = st.lists(st.sampled_from([*WORDS, " ", "  ", "\n", "\n  ", "\n    ", ": ", "- "]), max_size=60).map(
    "".join
)


@LIMITS
@given(name=st.sampled_from(FILES), content=st.binary(max_size=200))
def test_random_bytes(folder: Path, name: str, content: bytes) -> None:
    """Bytes of any kind."""
    loads_or_tells(folder, name, content)


@LIMITS
@given(name=st.sampled_from(FILES), text=st.one_of(yaml_text, st.text(max_size=100)))
def test_random_yaml_text(folder: Path, name: str, text: str) -> None:
    """Text that looks like YAML, after a good beginning."""
    loads_or_tells(folder, name, f"format: 1\n{text}".encode("utf-8", "surrogatepass"))


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 2.5, "", "x", "../x", [], [1], ["a", {}], {}, {"a": 1}, {"name": "x"}, [[]]]
)


def spots(data: Any) -> list[tuple[Any, Any]]:
    """Give every container with a key at which a value could be replaced."""
    pairs = list(data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ())
    return [(data, key) for key, _ in pairs] + [spot for _, value in pairs for spot in spots(value)]


@LIMITS
@given(name=st.sampled_from(FILES), where=st.integers(0, 10**6), junk=JUNK, drop=st.booleans())
def test_a_good_file_with_a_value_of_another_shape(
    folder: Path, name: str, where: int, junk: Any, *, drop: bool
) -> None:
    """Numbers for lists, lists for keys, nothing at all."""
    data = yaml.safe_load((GOOD / name).read_text())
    places = spots(data)
    container, key = places[where % len(places)]
    if drop:
        del container[key]
    else:
        container[key] = junk
    loads_or_tells(folder, name, yaml.safe_dump(data).encode())


@LIMITS
@given(name=st.sampled_from(FILES), seed=st.integers(0, 2**32), words=st.lists(st.sampled_from(WORDS), max_size=4))
def test_a_good_file_with_a_few_words_changed(folder: Path, name: str, seed: int, words: list[str]) -> None:
    """Slips of the pen: words replaced, inserted, cut, lines swapped."""
    chance = random.Random(seed)
    text = (GOOD / name).read_text()
    for word in words:
        at = chance.randrange(len(text))
        text = text[:at] + word + text[at + chance.choice((0, 0, 1, len(word), 20)) :]
    lines = text.split("\n")
    if chance.random() < 0.3:
        chance.shuffle(lines)
    loads_or_tells(folder, name, "\n".join(lines).encode())
