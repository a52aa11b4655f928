"""Reads one word of YAML as the type that is wanted, minding YAML's traps."""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import TYPE_CHECKING, Any

from msgspec import inspect as mi

from grader.catalogue.words import found, quoted, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.catalogue.nodes import Scalar

    Complain = Callable[..., None]

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_MOST_DIGITS = 18


def read_bool(node: Scalar, complain: Complain) -> bool | None:
    if node.type == "bool":
        return truth(node.text)
    complain(f"must be true or false, found {found(node)}")
    return None


def read_text(node: Scalar, complain: Complain) -> str | None:
    if node.type in {"str", "timestamp", "value", "merge"}:
        return node.text
    complain(f"must be text, found {found(node)}", hint=f'put it in quotes: "{node.text}"' if node.text else "")
    return None


def read_moment(node: Scalar, complain: Complain) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(node.text)
    except ValueError:
        complain(f"must be a date with a time, found {found(node)}", hint="write it as 2019-04-04T23:59:59+08:00")
        return None


def read_number(node: Scalar, complain: Complain, *, whole: bool = False) -> float | None:
    """Read a number written in the plain way; YAML's octal, base 60, infinity and NaN are refused."""
    wanted = "a whole number" if whole else "a number"
    text = node.text
    if not node.style and _WHOLE.fullmatch(text):
        if len(text) <= _MOST_DIGITS:
            return int(text)
        complain(f"has too many digits: {quoted(text)}")
    elif not node.style and not whole and _is_decimal(text):
        return float(text)
    else:
        complain(f"must be {wanted}, found {found(node)}", hint=_number_hint(node, whole=whole))
    return None


def _is_decimal(text: str) -> bool:
    octal = text.lstrip("+-").startswith("0") and text.lstrip("+-").isdigit()
    return not octal and bool(_DECIMAL.fullmatch(text)) and math.isfinite(float(text))


def _number_hint(node: Scalar, *, whole: bool) -> str:
    text = node.text
    if node.style and (_WHOLE.fullmatch(text) or _is_decimal(text)):
        return "take the quotes off"
    if node.type == "int" and text.lstrip("+-").startswith("0"):
        return "numbers that begin with 0 are octal or hexadecimal in YAML; write the plain number"
    if node.type in {"int", "float"} and ":" in text:
        return "YAML reads a:b as a number to base 60; write the plain number"
    if node.type == "float" and not _DECIMAL.fullmatch(text):
        return "infinity and NaN are no numbers here"
    if whole and _is_decimal(text):
        return "write it without a decimal point"
    return ""


def within(value: Any, kind: mi.Type, *, complain: Complain) -> bool:
    """Check the bounds that the type carries; complain where one is broken."""
    if isinstance(kind, mi.Metadata):
        return within(value, kind.type, complain=complain)
    if isinstance(kind, mi.IntType | mi.FloatType):
        return _within_numbers(value, kind, complain)
    if isinstance(kind, mi.StrType):
        return _within_text(value, kind, complain)
    return True


def _within_numbers(value: float, kind: mi.IntType | mi.FloatType, complain: Complain) -> bool:
    if kind.ge is not None and value < kind.ge:
        complain(f"must be at least {kind.ge}, found {value:g}")
    elif kind.gt is not None and value <= kind.gt:
        complain(f"must be more than {kind.gt}, found {value:g}")
    elif kind.le is not None and value > kind.le:
        complain(f"must be at most {kind.le}, found {value:g}")
    else:
        return True
    return False


def _within_text(value: str, kind: mi.StrType, complain: Complain) -> bool:
    if kind.min_length is not None and len(value.strip()) < kind.min_length:
        complain("is empty", hint="write some text")
    elif kind.max_length is not None and len(value) > kind.max_length:
        complain(f"is longer than {kind.max_length} characters")
    elif kind.pattern is not None and not re.fullmatch(kind.pattern, value):
        complain(
            f"can't be {quoted(value)}",
            hint="use lower-case letters, digits, - _ . and begin with a letter or digit",
        )
    else:
        return True
    return False
