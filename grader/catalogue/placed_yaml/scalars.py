"""Reads one word of YAML as the type that is wanted, minding YAML's traps."""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import TYPE_CHECKING, Any

from msgspec import inspect as mi

from grader.catalogue.placed_yaml.messages import did_you_mean, found, quoted, truth

if TYPE_CHECKING:
    from grader.catalogue.placed_yaml.nodes import Scalar

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_MOST_DIGITS = 18


class WrongError(Exception):
    """The word can't be read as wanted; the message follows the value's name."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def wanted(kind: mi.Type) -> str:
    """Name the type for people."""
    match kind:
        case mi.BoolType():
            return "true or false"
        case mi.IntType():
            return "a whole number"
        case mi.FloatType():
            return "a number"
        case mi.EnumType():
            return "one of " + ", ".join(member.value for member in kind.cls)
        case _:
            return "text"


def read_scalar(node: Scalar, kind: mi.Type) -> Any:
    """Return the value, within the bounds that its type carries; WrongError says what is wrong."""
    if node.type == "null" and not node.text:
        raise WrongError("has no value", "give one, or take the line out")
    match kind:
        case mi.BoolType():
            return read_bool(node)
        case mi.IntType():
            value: Any = read_number(node, whole=True)
        case mi.FloatType():
            value = float(read_number(node))
        case mi.StrType():
            value = _read_text(node)
        case mi.DateTimeType():
            return _read_moment(node)
        case mi.EnumType():
            return _read_word(node, kind)
        case mi.LiteralType():
            return _read_literal(node, kind)
        case _:
            raise TypeError(f"the format has a type that this decoder doesn't know: {kind}")
    check_bounds(value, kind)
    return value


def read_bool(node: Scalar) -> bool:
    if node.type == "bool":
        return truth(node.text)
    raise WrongError(f"must be true or false, found {found(node)}")


def read_number(node: Scalar, *, whole: bool = False) -> float:
    """Read a number written in the plain way; YAML's octal, base 60, infinity and NaN are refused."""
    text = node.text
    if not node.style and _WHOLE.fullmatch(text):
        if len(text) <= _MOST_DIGITS:
            return int(text)
        raise WrongError(f"has too many digits: {quoted(text)}")
    if not node.style and not whole and _is_decimal(text):
        return float(text)
    what = "a whole number" if whole else "a number"
    raise WrongError(f"must be {what}, found {found(node)}", _number_hint(node, whole=whole))


def check_bounds(value: Any, kind: mi.Type) -> None:
    """Check the bounds that the type carries."""
    if isinstance(kind, mi.Metadata):
        check_bounds(value, kind.type)
    elif isinstance(kind, mi.IntType | mi.FloatType):
        _check_number(value, kind)
    elif isinstance(kind, mi.StrType):
        _check_text(value, kind)


def _read_text(node: Scalar) -> str:
    if node.type in {"str", "timestamp", "value", "merge"}:
        return node.text
    hint = f'put it in quotes: "{node.text}"' if node.text else ""
    raise WrongError(f"must be text, found {found(node)}", hint)


def _read_moment(node: Scalar) -> dt.datetime:
    try:
        return dt.datetime.fromisoformat(node.text)
    except ValueError:
        hint = "write it as 2019-04-04T23:59:59+08:00"
        raise WrongError(f"must be a date with a time, found {found(node)}", hint) from None


def _read_word(node: Scalar, kind: mi.EnumType) -> Any:
    words = [member.value for member in kind.cls]
    if node.text in words:
        return kind.cls(node.text)
    raise WrongError(f"must be {wanted(kind)}, found {found(node)}", did_you_mean(node.text, words))


def _read_literal(node: Scalar, kind: mi.LiteralType) -> Any:
    for value in kind.values:
        if node.text == str(value):
            return value
    raise WrongError(f"must be {' or '.join(map(str, kind.values))}, found {found(node)}")


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


def _check_number(value: float, kind: mi.IntType | mi.FloatType) -> None:
    if kind.ge is not None and value < kind.ge:
        raise WrongError(f"must be at least {kind.ge}, found {value:g}")
    if kind.gt is not None and value <= kind.gt:
        raise WrongError(f"must be more than {kind.gt}, found {value:g}")
    if kind.le is not None and value > kind.le:
        raise WrongError(f"must be at most {kind.le}, found {value:g}")


def _check_text(value: str, kind: mi.StrType) -> None:
    if kind.min_length is not None and len(value.strip()) < kind.min_length:
        raise WrongError("is empty", "write some text")
    if kind.max_length is not None and len(value) > kind.max_length:
        raise WrongError(f"is longer than {kind.max_length} characters")
    if kind.pattern is not None and not re.fullmatch(kind.pattern, value):
        hint = "use lower-case letters, digits, - _ . and begin with a letter or digit"
        raise WrongError(f"can't be {quoted(value)}", hint)
