"""A stand-in for msgspec in plain Python, for a runner that needs nothing but Python.

It goes into the students' zipapp under the name `msgspec` and knows just what our values use: frozen structs with
defaults, `convert` from plain data, `to_builtins`, `replace`, and JSON.
"""

from __future__ import annotations

import base64
import enum
import json as _json
import sys
import types
import typing
from typing import Any

_NOTHING: Any = object()


class ValidationError(ValueError):
    """The data don't fit the type."""


class DecodeError(ValueError):
    """The bytes are no JSON."""


class Meta:
    """Bounds of a field; they were checked when the kit was packed."""

    def __init__(self, **bounds: Any) -> None:
        self.bounds = bounds


class _Field:
    def __init__(self, name: str | None, default: Any, default_factory: Any) -> None:
        self.name = name
        self.default = default
        self.default_factory = default_factory


def field(*, name: str | None = None, default: Any = _NOTHING, default_factory: Any = None) -> Any:
    """Describe a field: its name outside, its default."""
    return _Field(name, default, default_factory)


class _StructMeta(type):
    __struct_fields__: tuple[str, ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any], **options: Any) -> _StructMeta:
        fields = [key for base in bases for key in getattr(base, "__struct_fields__", ())]
        named = (key for key in space.get("__annotations__", {}) if not key.startswith("__"))
        fields += [key for key in named if key not in fields]
        given = {key: space.pop(key) for key in list(space) if key in fields}
        defaults: dict[str, Any] = {}
        outside: dict[str, str] = {}
        for base in bases:
            defaults |= getattr(base, "__defaults__", {})
            outside |= getattr(base, "__outside__", {})
        for key, value in given.items():
            if isinstance(value, _Field):
                outside[key] = value.name or key
                if value.default is _NOTHING and value.default_factory is None:
                    continue
            defaults[key] = value
        space |= {"__struct_fields__": tuple(fields), "__defaults__": defaults, "__outside__": outside}
        space["__tag__"] = options.get("tag")
        space["__array__"] = options.get("array_like", False)
        return super().__new__(mcs, name, bases, space)

    def __init__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any], **options: Any) -> None:
        del options
        super().__init__(name, bases, space)


class Struct(metaclass=_StructMeta):
    """A frozen value with named fields."""

    __defaults__: typing.ClassVar[dict[str, Any]]
    __outside__: typing.ClassVar[dict[str, str]]
    __tag__: typing.ClassVar[str | None]
    __array__: typing.ClassVar[bool]

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        given = dict(zip(type(self).__struct_fields__, arguments, strict=False)) | keywords
        for key in type(self).__struct_fields__:
            if key in given:
                value = given.pop(key)
            elif key in self.__defaults__:
                value = _default(self.__defaults__[key])
            else:
                raise TypeError(f"{type(self).__name__} needs {key}")
            object.__setattr__(self, key, value)
        if given:
            raise TypeError(f"{type(self).__name__} has no {', '.join(given)}")
        post = getattr(self, "__post_init__", None)
        if post is not None:
            post()

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, key) for key in type(self).__struct_fields__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __lt__(self, other: Any) -> bool:
        return self._values() < typing.cast("tuple[Any, ...]", other._values())

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={getattr(self, key)!r}" for key in type(self).__struct_fields__)
        return f"{type(self).__name__}({inner})"


def _default(value: Any) -> Any:
    if isinstance(value, _Field):
        return value.default_factory() if value.default_factory else _default(value.default)
    return value.copy() if isinstance(value, dict | list | set) else value


def convert(data: Any, type: Any, **_: Any) -> Any:  # noqa: A002 - msgspec's own name for it
    """Build a value of this type from plain data."""
    return _convert(data, type)


def _convert(data: Any, wanted: Any) -> Any:
    origin = typing.get_origin(wanted)
    if wanted is Any or isinstance(wanted, typing.TypeVar):
        return data
    if origin is typing.Annotated:
        return _convert(data, typing.get_args(wanted)[0])
    if origin in (typing.Union, types.UnionType):
        return _convert_union(data, typing.get_args(wanted))
    if origin in (tuple, list, set, frozenset):
        return _convert_items(data, origin, typing.get_args(wanted))
    if origin is dict:
        inner = typing.get_args(wanted)[1]
        return {key: _convert(value, inner) for key, value in data.items()}
    return _convert_plain(data, wanted)


def _convert_plain(data: Any, wanted: Any) -> Any:
    if isinstance(data, wanted) and not isinstance(data, dict):
        return data
    if issubclass(wanted, Struct):
        return _convert_struct(data, wanted)
    if issubclass(wanted, enum.Enum):
        return wanted(data)
    if wanted is bytes:
        return base64.b64decode(data)
    if wanted is float and isinstance(data, int):
        return float(data)
    if isinstance(data, wanted):
        return data
    raise ValidationError(f"expected {wanted.__name__}, found {data!r}")


def _convert_items(data: Any, origin: Any, arguments: tuple[Any, ...]) -> Any:
    if not isinstance(data, list | tuple | set):
        raise ValidationError(f"expected several values, found {data!r}")
    if origin is tuple and arguments and Ellipsis not in arguments:
        return tuple(_convert(item, inner) for item, inner in zip(data, arguments, strict=True))
    inner = arguments[0] if arguments else Any
    return origin(_convert(item, inner) for item in data)


def _convert_union(data: Any, choices: tuple[Any, ...]) -> Any:
    for choice in choices:
        tag = getattr(choice, "__tag__", None)
        if tag and isinstance(data, dict) and data.get("type") != tag:
            continue
        try:
            return None if choice is type(None) and data is None else _convert(data, choice)
        except (ValidationError, TypeError, ValueError, AttributeError):
            continue
    raise ValidationError(f"nothing fits {data!r}")


def _convert_struct(data: Any, wanted: Any) -> Any:
    kinds = _hints(wanted)
    names = {wanted.__outside__.get(key, key): key for key in wanted.__struct_fields__}
    if isinstance(data, list | tuple):
        data = dict(zip(names, data, strict=False))
    if not isinstance(data, dict):
        raise ValidationError(f"expected {wanted.__name__}, found {data!r}")
    known = {names[key]: _convert(value, kinds[names[key]]) for key, value in data.items() if key in names}
    try:
        return wanted(**known)
    except TypeError as error:
        raise ValidationError(str(error)) from error


_KNOWN: dict[Any, dict[str, Any]] = {}


def _hints(wanted: Any) -> dict[str, Any]:
    if wanted not in _KNOWN:
        _KNOWN[wanted] = typing.get_type_hints(wanted, include_extras=True)
    return _KNOWN[wanted]


def to_builtins(value: Any, **_: Any) -> Any:
    """Give a value as plain data."""
    if isinstance(value, Struct):
        if value.__array__:
            return [to_builtins(getattr(value, key)) for key in type(value).__struct_fields__]
        plain = {value.__outside__.get(k, k): to_builtins(getattr(value, k)) for k in type(value).__struct_fields__}
        return ({"type": value.__tag__} | plain) if value.__tag__ else plain
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {to_builtins(key): to_builtins(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_builtins(item) for item in value]
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _replace(struct: Any, /, **changes: Any) -> Any:
    return type(struct)(**({key: getattr(struct, key) for key in type(struct).__struct_fields__} | changes))


def _encode(value: Any) -> bytes:
    return _json.dumps(to_builtins(value)).encode()


def _decode(data: bytes | str, *, type: Any = Any, **_: Any) -> Any:  # noqa: A002 - as above
    try:
        plain = _json.loads(data)
    except ValueError as error:
        raise DecodeError(str(error)) from error
    return _convert(plain, type)


def _submodule(name: str, **members: Any) -> types.ModuleType:
    module = types.ModuleType(f"{__name__}.{name}")
    module.__dict__.update(members)
    sys.modules[f"{__name__}.{name}"] = module
    return module


structs = _submodule("structs", replace=_replace)
json = _submodule("json", encode=_encode, decode=_decode)
