"""Turns placed YAML nodes into typed values, noting every fault."""

from __future__ import annotations

import datetime as dt
import functools
import math
import re
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import inspect as mi
from msgspec.structs import fields

from grader.catalogue.placed_yaml.compose import compose
from grader.catalogue.placed_yaml.messages import cut, did_you_mean, found, quoted, truth
from grader.catalogue.placed_yaml.nodes import Mapping, Node, Scalar, Sequence, find
from grader.catalogue.placed_yaml.source import Complaints, Faults, Source, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from msgspec.structs import FieldInfo


_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_MOST_DIGITS = 18
FORMAT = 1
"""What every file names first; the keys of another format would only be noise."""
_MOST_UNKNOWN = 20  # more would be noise
T = TypeVar("T")


class _WrongError(Exception):
    """The word can't be read as wanted; the message follows the value's name."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def _wanted(kind: mi.Type) -> str:
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


def _read_scalar(node: Scalar, kind: mi.Type) -> Any:
    """Return the value, within the bounds that its type carries; _WrongError says what is wrong."""
    if node.type == "null" and not node.text:
        raise _WrongError("has no value", "give one, or take the line out")
    match kind:
        case mi.BoolType():
            return _read_bool(node)
        case mi.IntType():
            value: Any = _read_number(node, whole=True)
        case mi.FloatType():
            value = float(_read_number(node))
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
    _check_bounds(value, kind)
    return value


def _read_bool(node: Scalar) -> bool:
    if node.type == "bool":
        return truth(node.text)
    raise _WrongError(f"must be true or false, found {found(node)}")


def _read_number(node: Scalar, *, whole: bool = False) -> float:
    """Read a number written in the plain way; YAML's octal, base 60, infinity and NaN are refused."""
    text = node.text
    if not node.style and _WHOLE.fullmatch(text):
        if len(text) <= _MOST_DIGITS:
            return int(text)
        raise _WrongError(f"has too many digits: {quoted(text)}")
    if not node.style and not whole and _is_decimal(text):
        return float(text)
    what = "a whole number" if whole else "a number"
    raise _WrongError(f"must be {what}, found {found(node)}", _number_hint(node, whole=whole))


def _check_bounds(value: Any, kind: mi.Type) -> None:
    """Check the bounds that the type carries."""
    if isinstance(kind, mi.Metadata):
        _check_bounds(value, kind.type)
    elif isinstance(kind, mi.IntType | mi.FloatType):
        _check_number(value, kind)
    elif isinstance(kind, mi.StrType):
        _check_text(value, kind)


def _read_text(node: Scalar) -> str:
    if node.type in {"str", "timestamp", "value", "merge"}:
        return node.text
    hint = f'put it in quotes: "{node.text}"' if node.text else ""
    raise _WrongError(f"must be text, found {found(node)}", hint)


def _read_moment(node: Scalar) -> dt.datetime:
    try:
        return dt.datetime.fromisoformat(node.text)
    except ValueError:
        hint = "write it as 2019-04-04T23:59:59+08:00"
        raise _WrongError(f"must be a date with a time, found {found(node)}", hint) from None


def _read_word(node: Scalar, kind: mi.EnumType) -> Any:
    words = [member.value for member in kind.cls]
    if node.text in words:
        return kind.cls(node.text)
    raise _WrongError(f"must be {_wanted(kind)}, found {found(node)}", did_you_mean(node.text, words))


def _read_literal(node: Scalar, kind: mi.LiteralType) -> Any:
    for value in kind.values:
        if node.text == str(value):
            return value
    raise _WrongError(f"must be {' or '.join(map(str, kind.values))}, found {found(node)}")


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
        raise _WrongError(f"must be at least {kind.ge}, found {value:g}")
    if kind.gt is not None and value <= kind.gt:
        raise _WrongError(f"must be more than {kind.gt}, found {value:g}")
    if kind.le is not None and value > kind.le:
        raise _WrongError(f"must be at most {kind.le}, found {value:g}")


def _check_text(value: str, kind: mi.StrType) -> None:
    if kind.min_length is not None and len(value.strip()) < kind.min_length:
        raise _WrongError("is empty", "write some text")
    if kind.max_length is not None and len(value) > kind.max_length:
        raise _WrongError(f"is longer than {kind.max_length} characters")
    if kind.pattern is not None and not re.fullmatch(kind.pattern, value):
        hint = "use lower-case letters, digits, - _ . and begin with a letter or digit"
        raise _WrongError(f"can't be {quoted(value)}", hint)


class _Bad:
    """Stands for a value whose fault is already noted."""


BAD = _Bad()


@functools.cache
def _fields(struct: Any) -> dict[str, FieldInfo]:
    return {field.encode_name: field for field in fields(struct)}


@functools.cache
def _type_of(struct: Any, name: str) -> mi.Type:
    """Return the type of one field; most files use few, and to look at all costs a `check` time."""
    return mi.type_info(_fields(struct)[name].type)


class Decoder:
    """Decodes one file; remembers from which node each struct came."""

    def __init__(self, complaints: Complaints) -> None:
        self.complaints = complaints
        self._origins: dict[int, tuple[Any, Mapping]] = {}

    def decode(self, node: Node, struct: type[Any], name: str = "") -> Any:
        """Return the struct, or BAD when a key that it can't be without is missing or wrong."""
        return self.struct(node, struct, name)

    def node(self, value: Any) -> Mapping:
        """Return the node from which the struct came."""
        return self._origins[id(value)][1]

    def value(self, node: Node, kind: mi.Type, name: str) -> Any:
        match kind:
            case mi.Metadata():
                return self.value(node, kind.type, name)
            case mi.UnionType():
                return self.union(node, kind, name)
            case mi.StructType():
                return self.struct(node, kind.cls, name)
            case mi.DictType():
                return self.dictionary(node, kind, name)
            case mi.VarTupleType():
                return self.items(node, kind, name)
            case mi.AnyType():
                return self.plain(node, name)
        if not isinstance(node, Scalar):
            return self.wrong(node, name, _wanted(kind))
        try:
            return _read_scalar(node, kind)
        except _WrongError as error:
            self.complaints.at(node, f"{name} {error.message}", hint=error.hint)
            return BAD

    def union(self, node: Node, kind: mi.UnionType, name: str) -> Any:
        if isinstance(node, Scalar) and node.type == "null" and node.text:
            return None
        types = [each for each in kind.types if not isinstance(each, mi.NoneType)]
        fitting = [each for each in types if _fits(node, each)]
        return self.value(node, (fitting or types)[0], name)

    def struct(self, node: Node, struct: Any, name: str) -> Any:
        known = _fields(struct)
        if not isinstance(node, Mapping):
            return self.wrong(node, name, "keys with values", hint=_first_key(known))
        values: dict[str, Any] = {}
        for key, child in node:
            if key.text in known:
                value = self.value(child, _type_of(struct, key.text), _inside(name, key.text))
                values |= {} if value is BAD else {known[key.text].name: value}
        former = getattr(struct, "FORMER", {})
        self.refuse([key for key, _ in node if key.text not in known], known, name, former)
        missing = [field for field in known.values() if field.required and field.name not in values]
        absent = [field.encode_name for field in missing if node.entry(field.encode_name) is None]
        if absent:
            hint = f"add `{absent[0]}: {FORMAT if absent[0] == 'format' else '…'}`"
            self.complaints.at(node, f"{_called(name)} lacks {' and '.join(absent)}", hint=hint)
        return BAD if missing else self.born(node, struct, values, name)

    def refuse(self, unknown: list[Scalar], known: Iterable[str], name: str, former: dict[str, str]) -> None:
        for key in unknown[:_MOST_UNKNOWN]:
            now = former.get(key.text)
            hint = f"it is called {now} now" if now else did_you_mean(key.text, known)
            self.complaints.at(key, f"unknown key {_inside(name, cut(key.text))}", hint=hint)
        for key in unknown[_MOST_UNKNOWN : _MOST_UNKNOWN + 1]:
            self.complaints.at(key, f"{len(unknown) - _MOST_UNKNOWN} unknown keys more from here on")

    def born(self, node: Mapping, struct: type[Any], values: dict[str, Any], name: str) -> Any:
        """Build the struct; it may refuse values that make no sense together, and names the key first."""
        try:
            built = struct(**values)
        except ValueError as error:
            keys = str(error).split(" ", maxsplit=1)[0].split(".")
            if keys[0] == name.rpartition(".")[2]:
                keys = keys[1:]
            self.complaints.at(find(node, *keys), f"{name}: {error}")
            return BAD
        self._origins[id(built)] = (built, node)
        return built

    def dictionary(self, node: Node, kind: mi.DictType, name: str) -> Any:
        if not isinstance(node, Mapping):
            return self.wrong(node, name, "keys with values", hint=f"such as `{name}: {{key: value}}`")
        result = {}
        for key, child in node:
            try:
                _check_bounds(key.text, kind.key_type)
            except _WrongError as error:
                self.complaints.at(key, f"the key {quoted(key.text)} {error.message}", hint=error.hint)
            result[key.text] = self.value(child, kind.value_type, _inside(name, key.text))
        return self.long_enough(
            node, kind.min_length, name, {key: value for key, value in result.items() if value is not BAD}
        )

    def items(self, node: Node, kind: mi.VarTupleType, name: str) -> Any:
        if not isinstance(node, Sequence):
            item = kind.item_type
            begin = f"begin each with `- {item.fields[0].encode_name}: …`" if isinstance(item, mi.StructType) else ""
            return self.wrong(node, name, "a list", hint=begin or f"such as `{name}: [one, two]`")
        values = [self.value(item, kind.item_type, f"{name}[{number}]") for number, item in enumerate(node.items)]
        return self.long_enough(node, kind.min_length, name, tuple(value for value in values if value is not BAD))

    def long_enough(self, node: Mapping | Sequence, least: int | None, name: str, value: Any) -> Any:
        if least is None or len(node.items if isinstance(node, Sequence) else node.entries) >= least:
            return value
        self.complaints.at(node, f"{name} is empty; it needs at least {least}")
        return BAD

    def plain(self, node: Node, name: str) -> Any:
        """Return any value as plain data: None, booleans, numbers, text, lists, dictionaries."""
        if isinstance(node, Sequence):
            return [self.plain(item, f"{name}[{number}]") for number, item in enumerate(node.items)]
        if isinstance(node, Mapping):
            return {key.text: self.plain(child, _inside(name, key.text)) for key, child in node}
        try:
            match node.type:
                case "null":
                    return None
                case "bool":
                    return _read_bool(node)
                case "int" | "float":
                    return _read_number(node)
        except _WrongError as error:
            self.complaints.at(node, f"{name} {error.message}", hint=error.hint)
        return node.text

    def wrong(self, node: Node, name: str, wanted: str, *, hint: str = "") -> _Bad:
        self.complaints.at(node, f"{_called(name)} must be {wanted}, found {found(node)}", hint=hint)
        return BAD


def _first_key(known: Iterable[str]) -> str:
    return next((f"such as `{key}: …`" for key in known), "")


def _fits(node: Node, kind: mi.Type) -> bool:
    """Tell which of several types a node looks like."""
    if isinstance(node, Mapping):
        return isinstance(kind, mi.StructType)
    return isinstance(kind, mi.IntType) and isinstance(node, Scalar) and node.type == "int"


def _called(name: str) -> str:
    """Name a thing for people; its place says which one."""
    return "this case" if name.startswith("cases[") else name or "this file"


def _inside(name: str, key: str) -> str:
    return f"{name}.{key}" if name and not name.startswith("cases[") else key


class Document(Generic[T]):
    """One file that could be read: its value, and the node of each struct in it."""

    def __init__(self, source: Source, faults: Faults, root: Mapping) -> None:
        self.source = source
        self.root = root
        self.complaints = Complaints(faults, source)
        self.decoder = Decoder(self.complaints)
        self.value: T | None = None

    def node(self, value: Any) -> Mapping:
        return self.decoder.node(value)


def read_document(path: Path, struct: type[T], faults: Faults) -> Document[T] | None:
    """Read and decode a file; None when it is no catalogue file of this format at all."""
    source = read_source(path, faults)
    root = compose(source, faults) if source else None
    if source is None or root is None:
        return None
    if not isinstance(root, Mapping):
        message = f"must hold keys with values, found {found(root)}"
        faults.add(source.shown, message, place=root.start, hint="begin with `format: 1`")
        return None
    document: Document[T] = Document(source, faults, root)
    if not _known_format(root, document.complaints):
        return None
    value = document.decoder.decode(root, struct)
    document.value = None if value is BAD else value
    return document


def _known_format(root: Mapping, complaints: Complaints) -> bool:
    """Check the version first: the keys of another format would only be noise."""
    node: Node | None = root.get("format")
    if node is None:
        return True
    if isinstance(node, Scalar) and node.type == "int" and node.text == str(FORMAT):
        return True
    complaints.at(node, f"this grader reads format {FORMAT}, found {found(node)}", hint=f"write `format: {FORMAT}`")
    return False
