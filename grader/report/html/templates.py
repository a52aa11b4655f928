"""Finds the page templates, and fills them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from grader.bundled import bundled
from grader.report import wording

if TYPE_CHECKING:
    from jinja2 import Environment

_LETTERS = 600
_FEWEST = 160
_ROOM = 9_600
"""Letters of outputs and inputs in a page, as long as each keeps the fewest."""
_BLANKS = re.compile(r" ?([{},;]|(?<=\w):) ?")
"""Of a style sheet, where they say nothing."""
_CODE = re.compile(r"`([^`\n]+)`")


def fill(template: str, *, scripts: tuple[str, ...], **values: Any) -> str:
    """Fill a page; its one script and one style are named in its Content-Security-Policy by their hashes."""
    style, script = _text("style.css"), _joined(scripts)
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(style),  # noqa: S704 -- our own file
            script=Markup(script),  # noqa: S704 -- our own file
            style_hash=hash_of(style),
            script_hash=hash_of(script),
            **values,
        )
    )


def page_hashes(*scripts: str) -> tuple[str, str]:
    """Return the hashes of the style and the script of pages with these scripts."""
    return hash_of(_text("style.css")), hash_of(_joined(scripts))


def _joined(scripts: tuple[str, ...]) -> str:
    return "\n".join(_text(name) for name in scripts)


def script_json(value: Any) -> Markup:
    """Return data as JSON that can neither close its script element nor open a comment in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 -- no character that HTML knows is left


def shortened(text: str, texts: int = 1) -> str:
    """Cut a text that stands beside an explanation: all texts of a page share its room."""
    letters = min(_LETTERS, max(_FEWEST, _ROOM // max(1, texts)))
    left_out = len(text) - letters
    return f"{text[:letters]}\n⟨{left_out:,} more characters left out⟩" if left_out > 0 else text


def prose(text: str) -> Markup:
    """Return words in which what stands between backticks is code."""
    parts = _CODE.split(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - slow, and often nothing is new

    environment = Environment(
        loader=FileSystemLoader(bundled("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": wording.number,
        "points": wording.points,
        "seconds": wording.seconds,
        "mebibytes": wording.mebibytes,
        "verdict": wording.verdict,
        "sign": wording.sign,
        "sentence": wording.sentence,
        "shortened": shortened,
        "json": script_json,
        "prose": prose,
    }
    return environment


@cache
def _text(name: str) -> str:
    """Return a file of ours without idle blanks and its own lines of comment: every page carries it."""
    lines = (line.strip() for line in bundled("templates", name).read_text("utf-8").split("\n"))
    kept = "\n".join(line for line in lines if line and not line.startswith("//"))
    return _BLANKS.sub(r"\1", kept) if name.endswith(".css") else kept


def hash_of(text: str) -> str:
    """Return the hash by which a content policy names a script or a style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
