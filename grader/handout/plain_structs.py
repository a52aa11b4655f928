"""What the students' kit has instead of msgspec, in plain Python: pack.py has its modules import this.

A Struct is a dataclass, and packed data become Structs again. What the data may hold was checked when the kit was
packed. Nothing else uses this file.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import json as _json
import pickle
import sys
import types
import typing
from typing import Any

_MUTABLE = (dict, list, set)
_EXACT = (bool, int, str, type(None))
_WIDEST = 1 << 64


class ValidationError(ValueError):
    """The data don't fit the type."""


class DecodeError(ValueError):
    """The bytes are no JSON."""


class Meta:
    """Bounds of a field."""

    def __init__(self, **bounds: Any) -> None:
        self.bounds = bounds


def field(*, name: str | None = None, **given: Any) -> Any:
    """Describe a field: its name outside, its default."""
    return dataclasses.field(metadata={"name": name}, **given)


class Struct:
    """A value with named fields."""

    __tag__: typing.ClassVar[str | None] = None
    __array__: typing.ClassVar[bool] = False
    __struct_fields__: typing.ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, tag: str | None = None, array_like: bool = False, **options: Any) -> None:
        super().__init_subclass__()
        cls.__tag__, cls.__array__ = tag or cls.__tag__, array_like or cls.__array__
        for key, value in list(vars(cls).items()):
            if key in cls.__annotations__ and isinstance(value, _MUTABLE):
                setattr(cls, key, dataclasses.field(default_factory=value.copy))
        known = {key: options[key] for key in ("frozen", "kw_only", "order") if key in options}
        dataclasses.dataclass(**known)(cls)
        cls.__struct_fields__ = tuple(each.name for each in dataclasses.fields(cls))  # type: ignore[arg-type]  # it is one by now


def convert(data: Any, type: Any, **_: Any) -> Any:  # noqa: A002 - msgspec's own name for it
    """Build a value of this type from plain data."""
    origin, inner = typing.get_origin(type), typing.get_args(type)
    if type is Any:
        return data
    if origin is typing.Annotated:
        return convert(data, inner[0])
    if origin in (typing.Union, types.UnionType):
        return _first_fitting(data, inner)
    if origin is dict:
        return {key: convert(value, inner[1]) for key, value in data.items()}
    if origin is not None:
        return origin(_items(data, inner))
    return _plain(data, type)


def _first_fitting(data: Any, choices: tuple[Any, ...]) -> Any:
    for choice in choices:
        try:
            return convert(data, choice)
        except ValidationError:
            continue
    raise ValidationError(f"nothing fits {data!r}")


def _items(data: Any, inner: tuple[Any, ...]) -> list[Any]:
    if not isinstance(data, list | tuple | set):
        raise ValidationError(f"expected several values, found {data!r}")
    wanted = inner if Ellipsis not in inner and len(inner) > 1 else inner[:1] * len(data)
    if len(wanted) != len(data):
        raise ValidationError(f"expected {len(wanted)} values, found {len(data)}")
    return [convert(value, kind) for value, kind in zip(data, wanted, strict=True)]


def _plain(data: Any, wanted: Any) -> Any:
    kind = type(data)
    if kind is wanted or (kind in _EXACT and wanted is float and kind is int):
        return float(data) if wanted is float else data
    if isinstance(wanted, type) and issubclass(wanted, Struct):
        return _struct(data, wanted)
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        if data not in [each.value for each in wanted]:
            raise ValidationError(f"{data!r} is no {wanted.__name__}")
        return wanted(data)
    if wanted is bytes and kind is str:
        return base64.b64decode(data)
    raise ValidationError(f"expected {wanted.__name__}, found {data!r}")


def _struct(data: Any, wanted: Any) -> Any:
    names = {_outside(each): each.name for each in dataclasses.fields(wanted)}
    if wanted.__array__ and isinstance(data, list | tuple):
        data = dict(zip(names, data, strict=False))
    if not isinstance(data, dict) or (wanted.__tag__ and data.get("type") != wanted.__tag__):
        raise ValidationError(f"expected {wanted.__name__}, found {data!r}")
    kinds = typing.get_type_hints(wanted, include_extras=True)
    given = {names[key]: convert(value, kinds[names[key]]) for key, value in data.items() if key in names}
    try:
        return wanted(**given)
    except TypeError as error:
        raise ValidationError(str(error)) from error


def _outside(each: dataclasses.Field[Any]) -> str:
    return each.metadata.get("name") or each.name


def to_builtins(value: Any, **_: Any) -> Any:
    """Return a value as plain data."""
    if isinstance(value, Struct):
        plain = {_outside(each): to_builtins(getattr(value, each.name)) for each in dataclasses.fields(value)}  # type: ignore[arg-type]  # every subclass is a dataclass
        if value.__array__:
            return list(plain.values())
        return {"type": value.__tag__, **plain} if value.__tag__ else plain
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {to_builtins(key): to_builtins(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_builtins(item) for item in value]
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _encode(value: Any) -> bytes:
    return _json.dumps(to_builtins(value)).encode()


def _decode(data: bytes | str, *, type: Any = Any, **_: Any) -> Any:  # noqa: A002 - as above
    try:
        plain = _json.loads(data)
    except ValueError as error:
        raise DecodeError(str(error)) from error
    return convert(plain, type)


def _pack(value: Any) -> bytes:
    """Refuse numbers of more than 64 bits, as msgpack does; nobody reads the bytes."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each
        elif isinstance(each, int) and not -_WIDEST // 2 <= each < _WIDEST:
            raise OverflowError("a number of more than 64 bits")
    return b""


def _submodule(name: str, **members: Any) -> types.ModuleType:
    module = types.ModuleType(f"{__name__}.{name}")
    module.__dict__.update(members)
    sys.modules[f"{__name__}.{name}"] = module
    return module


class _Encoder:
    """Writes what this process alone reads again, as quickly as can be; it never reads anybody else's bytes."""

    def __init__(self, **_: Any) -> None: ...

    def encode(self, value: Any) -> bytes:
        return pickle.dumps(value)


class _Decoder:
    def __init__(self, *_: Any, **__: Any) -> None: ...

    def decode(self, data: bytes) -> Any:
        return pickle.loads(data)  # noqa: S301 - see above


class _Ext:
    """An extension of msgpack: for numbers of more than 64 bits, which no kit keeps."""


def _fields_of(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


structs = _submodule("structs", replace=dataclasses.replace, asdict=_fields_of)
json = _submodule("json", encode=_encode, decode=_decode)
msgpack = _submodule("msgpack", encode=_pack, Encoder=_Encoder, Decoder=_Decoder, Ext=_Ext)
