"""Text is safe to show, and shows what it held."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.report.clean import LINE_LIMIT, clean, clean_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\x00b", "a\\x00b"),
        ("user\u202etxt.exe", "user⟨U+202E⟩txt.exe"),
        ("a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("a\r\nb\rc", "a\nb\\x0dc"),
        ("a\x9bb", "a\\x9bb"),
        ("a\x7f", "a\\x7f"),
        ("\udcff", "\\udcff"),
        ("a\tb", "a\tb"),
        ("naïve ☃ 漢字", "naïve ☃ 漢字"),
    ],
)
def test_each_unseen_character_gets_a_picture(text: str, shown: str) -> None:
    """What the eye can't see or a terminal obeys is replaced by something visible."""
    assert clean(text) == shown


def test_broken_utf8_shows_its_bytes() -> None:
    """Bytes that are no UTF-8 appear as escapes, the rest as text."""
    assert clean(b"ok \xff\xfe caf\xc3\xa9") == "ok \\xff\\xfe café"


def test_a_long_line_is_cut_and_says_so() -> None:
    """A line of ten million characters becomes a short one that names what was left out."""
    shown = clean("x" * 10_000_000)
    assert len(shown) < 3 * LINE_LIMIT
    assert "more characters" in shown
    assert "9,984,000 more characters left out" in shown


def test_stacked_marks_are_cut() -> None:
    """A letter under a thousand accents doesn't cover the lines above it."""
    assert len(clean("a" + "\u0301" * 1000)) < 20


def test_a_title_is_one_line() -> None:
    """A title with line ends stays on its line."""
    assert clean_line("a\nb\tc") == "a\\nb c"


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.text(), st.binary(), st.text(alphabet="a\x00\x1b\x85\u202e\ud800\udcff\ufffe\uffff\U000e0041\u0301\r\n")
    )
)
def test_clean_text_is_xml(text: str | bytes) -> None:
    """Whatever comes in, what goes out can be encoded and stands in an XML file."""
    node = ET.Element("a")
    node.text = clean(text)
    again = ET.fromstring(ET.tostring(node, encoding="utf-8"))
    assert (again.text or "") == node.text
