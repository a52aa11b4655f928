"""Turns placed YAML nodes into typed values, noting every fault."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, cast

from msgspec import inspect as mi

from grader.catalogue.format import FORMAT
from grader.catalogue.nodes import Mapping, Node, Scalar, Sequence
from grader.catalogue.scalars import read_bool, read_moment, read_number, read_text, within
from grader.catalogue.words import cut, did_you_mean, found, quoted

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from grader.catalogue.faults import Complaints


class _Bad:
    """Stands for a value whose fault is already noted."""


BAD = _Bad()

_MOST_UNKNOWN = 20  # more would be noise


@functools.cache
def _type_info(struct: Hashable) -> mi.Type:
    return mi.type_info(struct)


class Decoder:
    """Decodes one file; remembers from which node each struct came."""

    def __init__(self, complaints: Complaints) -> None:
        self.complaints = complaints
        self._origins: dict[int, tuple[Any, Mapping]] = {}

    def decode(self, node: Node, struct: type[Any]) -> Any:
        """Give the struct, or BAD when a key that it can't be without is missing or wrong."""
        return self.value(node, _type_info(cast("Hashable", struct)), "")

    def check(self, node: Node, struct: type[Any], name: str) -> None:
        """Note the faults that the node would have as such a struct."""
        self.value(node, _type_info(cast("Hashable", struct)), name)

    def node(self, value: Any) -> Mapping:
        """Give the node from which the struct came."""
        return self._origins[id(value)][1]

    def value(self, node: Node, kind: mi.Type, name: str) -> Any:
        match kind:
            case mi.Metadata():
                return self.value(node, kind.type, name)
            case mi.UnionType():
                return self.union(node, kind, name)
            case mi.StructType():
                return self.struct(node, kind, name)
            case mi.DictType():
                return self.dictionary(node, kind, name)
            case mi.VarTupleType():
                return self.items(node, kind, name)
            case mi.AnyType():
                return self.plain(node, name)
            case _:
                return self.scalar(node, kind, name)

    def union(self, node: Node, kind: mi.UnionType, name: str) -> Any:
        if isinstance(node, Scalar) and node.type == "null" and node.text:
            return None
        types = [each for each in kind.types if not isinstance(each, mi.NoneType)]
        structs = [each for each in types if isinstance(each, mi.StructType)]
        return self.value(node, (structs if structs and isinstance(node, Mapping) else types)[0], name)

    def struct(self, node: Node, kind: mi.StructType, name: str) -> Any:
        if not isinstance(node, Mapping):
            return self.wrong(node, name, "keys with values", hint=_first_key(kind))
        fields = {field.encode_name: field for field in kind.fields}
        values = {}
        unknown: list[Scalar] = []
        for key, child in node:
            field = fields.get(key.text)
            if field is None:
                unknown.append(key)
                continue
            value = self.value(child, field.type, _inside(name, key.text))
            if value is not BAD:
                values[field.name] = value
        self.refuse(unknown, fields, name)
        missing = [field for field in kind.fields if field.required and field.name not in values]
        absent = [field.encode_name for field in missing if node.entry(field.encode_name) is None]
        if absent:
            hint = f"add `{absent[0]}: {FORMAT if absent[0] == 'format' else '…'}`"
            self.complaints.at(node, f"{_called(name)} lacks {' and '.join(absent)}", hint=hint)
        if missing:
            return BAD
        return self.born(node, kind.cls, values, name)

    def refuse(self, unknown: list[Scalar], known: Iterable[str], name: str) -> None:
        for key in unknown[:_MOST_UNKNOWN]:
            self.complaints.at(key, f"unknown key {_inside(name, cut(key.text))}", hint=did_you_mean(key.text, known))
        if len(unknown) > _MOST_UNKNOWN:
            self.complaints.at(
                unknown[_MOST_UNKNOWN], f"{len(unknown) - _MOST_UNKNOWN} unknown keys more from here on"
            )

    def born(self, node: Mapping, struct: type[Any], values: dict[str, Any], name: str) -> Any:
        """Build the struct; it may refuse values that make no sense together."""
        try:
            built = struct(**values)
        except ValueError as error:
            key = str(error).split(" ", maxsplit=1)[0].rpartition(".")[2]
            self.complaints.at(node.get(key) or node, f"{name}: {error}")
            return BAD
        self._origins[id(built)] = (built, node)
        return built

    def dictionary(self, node: Node, kind: mi.DictType, name: str) -> Any:
        if not isinstance(node, Mapping):
            return self.wrong(node, name, "keys with values", hint=f"such as `{name}: {{key: value}}`")
        result = {}
        for key, child in node:
            within(key.text, kind.key_type, complain=self.complaining(key, f"the key {quoted(key.text)}"))
            value = self.value(child, kind.value_type, _inside(name, key.text))
            if value is not BAD:
                result[key.text] = value
        return self.long_enough(node, kind, name, result)

    def items(self, node: Node, kind: mi.VarTupleType, name: str) -> Any:
        if not isinstance(node, Sequence):
            item = kind.item_type
            begin = f"begin each with `- {item.fields[0].encode_name}: …`" if isinstance(item, mi.StructType) else ""
            hint = begin or f"such as `{name}: [one, two]`"
            return self.wrong(node, name, "a list", hint=hint)
        values = [self.value(item, kind.item_type, f"{name}[{number}]") for number, item in enumerate(node.items)]
        return self.long_enough(node, kind, name, tuple(value for value in values if value is not BAD))

    def long_enough(self, node: Node, kind: mi.DictType | mi.VarTupleType, name: str, value: Any) -> Any:
        size = len(node.items if isinstance(node, Sequence) else tuple(node)) if not isinstance(node, Scalar) else 0
        if kind.min_length is not None and size < kind.min_length:
            self.complaints.at(node, f"{name} is empty; it needs at least {kind.min_length}")
            return BAD
        return value

    def plain(self, node: Node, name: str) -> Any:
        """Give any value as plain data: None, booleans, numbers, text, lists, dictionaries."""
        if isinstance(node, Sequence):
            return [self.plain(item, f"{name}[{number}]") for number, item in enumerate(node.items)]
        if isinstance(node, Mapping):
            return {key.text: self.plain(child, _inside(name, key.text)) for key, child in node}
        match node.type:
            case "null":
                return None
            case "bool":
                return read_bool(node, self.complaining(node, name))
            case "int" | "float":
                return read_number(node, self.complaining(node, name))
            case _:
                return node.text

    def scalar(self, node: Node, kind: mi.Type, name: str) -> Any:
        complain = self.complaining(node, name)
        if not isinstance(node, Scalar):
            return self.wrong(node, name, _wanted(kind))
        if node.type == "null" and not node.text:
            self.complaints.at(node, f"{name} has no value", hint="give one, or take the line out")
            return BAD
        value: Any
        match kind:
            case mi.BoolType():
                value = read_bool(node, complain)
            case mi.IntType():
                value = read_number(node, complain, whole=True)
            case mi.FloatType():
                value = read_number(node, complain)
                value = value if value is None else float(value)
            case mi.StrType():
                value = read_text(node, complain)
            case mi.DateTimeType():
                value = read_moment(node, complain)
            case mi.EnumType():
                return self.word(node, kind, name)
            case mi.LiteralType():
                return self.literal(node, kind, name)
            case _:
                raise TypeError(f"the format has a type that this decoder doesn't know: {kind}")
        if value is None or not within(value, kind, complain=complain):
            return BAD
        return value

    def word(self, node: Scalar, kind: mi.EnumType, name: str) -> Any:
        words = [member.value for member in kind.cls]
        if node.text in words:
            return kind.cls(node.text)
        return self.wrong(node, name, f"one of {', '.join(words)}", hint=did_you_mean(node.text, words))

    def literal(self, node: Scalar, kind: mi.LiteralType, name: str) -> Any:
        for value in kind.values:
            if node.text == str(value):
                return value
        return self.wrong(node, name, " or ".join(str(value) for value in kind.values))

    def wrong(self, node: Node, name: str, wanted: str, *, hint: str = "") -> _Bad:
        self.complaints.at(node, f"{_called(name)} must be {wanted}, found {found(node)}", hint=hint)
        return BAD

    def complaining(self, node: Node, name: str) -> Any:
        """Give a function that adds a fault about this node."""

        def complain(message: str, hint: str = "") -> None:
            self.complaints.at(node, f"{name} {message}", hint=hint)

        return complain


def _first_key(kind: mi.StructType) -> str:
    return f"such as `{kind.fields[0].encode_name}: …`" if kind.fields else ""


def _called(name: str) -> str:
    """Name a thing for people; its place says which one."""
    return "this case" if name.startswith("cases[") else name or "this file"


def _inside(name: str, key: str) -> str:
    return f"{name}.{key}" if name and not name.startswith("cases[") else key


def _wanted(kind: mi.Type) -> str:
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
