"""Finds the page templates, and fills them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.bundled import bundled
from grader.model.words import number
from grader.report import wording

_LETTERS = 600
_FEWEST = 160
_ROOM = 9_600
"""Letters of outputs and inputs in a page, as long as each keeps the fewest."""
_BLANKS = re.compile(r" ?([{},;]|(?<=\w):) ?")
"""Of a style sheet, where they say nothing."""
Packed = tuple[str, tuple[str, ...]]
"""Names of a style sheet and of the scripts that need it."""
_WHOLE = re.compile(r"-&gt;|\(-?\d{1,9}, -?\d{1,9}\)")
_CODE = re.compile(r"`([^`\n]+)`")


def fill(
    template: str,
    *,
    scripts: tuple[str, ...],
    styles: tuple[str, ...] = ("style.css", "overview.css"),
    packed: Packed | None = None,
    **values: Any,
) -> str:
    """Fill a page; its Content-Security-Policy names its style and its script by their hashes, and what is packed."""
    style, script = _joined(styles), _joined(scripts)
    style_hashes, script_hashes = page_hashes(styles, scripts, packed)
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(style),  # noqa: S704 -- our own file
            script=Markup(script),  # noqa: S704 -- our own file
            style_hashes=style_hashes,
            script_hashes=script_hashes,
            packed=_packed(packed) if packed else "",
            **values,
        )
    )


def compile_all() -> None:
    """Compile the templates that are there, for a memory that is kept (web/src/snapshot.mjs)."""
    for name in _environment().list_templates(extensions=["html"]):
        _environment().get_template(name)


@cache
def page_hashes(styles: tuple[str, ...], scripts: tuple[str, ...], packed: Packed | None) -> tuple[Markup, Markup]:
    """Return the sources that a content policy allows for styles and for scripts."""
    named = [_joined(styles)], [_joined(scripts)]
    if packed:
        named[0].append(_text(packed[0]))
        named[1].append(_joined(packed[1]))
    style, script = (Markup(" ".join(f"'{hash_of(text)}'" for text in texts)) for texts in named)  # noqa: S704 -- hashes
    return style, script


@cache
def _packed(packed: Packed) -> str:
    """Return a style and its scripts for the page to unpack once it needs them."""
    told = json.dumps({"style": _text(packed[0]), "script": _joined(packed[1])}, ensure_ascii=False)
    return base64.b64encode(zlib.compress(told.encode(), 9)).decode()


@cache
def _joined(names: tuple[str, ...]) -> str:
    return "\n".join(_text(name) for name in names)


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
        Markup("<code>{}</code>").format(path(part)) if place % 2 else path(part) for place, part in enumerate(parts)
    )


def path(text: str) -> Markup:
    """Return a text whose lines may end behind an arrow, and never inside one, nor inside a pair of numbers."""
    whole = _WHOLE.sub(r"<i>\g<0></i>", str(escape(text)))
    return Markup(whole.replace("<i>-&gt;</i>", "<i>-&gt;</i><wbr>"))  # noqa: S704 -- escaped above


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(bundled("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": number,
        "points": wording.points,
        "seconds": wording.seconds,
        "mebibytes": wording.mebibytes,
        "verdict": wording.verdict,
        "sign": wording.sign,
        "sentence": wording.sentence,
        "shortened": shortened,
        "json": script_json,
        "prose": prose,
        "path": path,
    }
    return environment


@cache
def _text(name: str) -> str:
    """Return a file of ours without idle blanks and its own lines of comment: every page carries it."""
    lines = (line.strip() for line in bundled("templates", name).read_text("utf-8").split("\n"))
    kept = "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))
    return _BLANKS.sub(r"\1", kept).replace("\n", "").replace(";}", "}") if name.endswith(".css") else kept


def hash_of(text: str) -> str:
    """Return the hash by which a content policy names a script or a style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
