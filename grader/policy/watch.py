"""Watches who uses the banned modules in the student's process.

Blocking an import would break `collections`, `random` and `dataclasses`, which use the banned modules themselves. So
the use is watched, and the code that uses is asked for: library code may, the student's may not.

- a banned module gets a class of its own whose properties see each read of its names, however often it is made;
- Python functions of a banned module get their `__code__` swapped in place, so that every alias is covered;
- an audit hook sees the module's source executed again (loaders, runpy, marshal), and whoever takes the guards off.

The fact is reported at once and nothing is raised: the report is what counts, a program that goes on can't undo it,
and a mistake of ours breaks no innocent program. This is a lint and no wall: whoever tears it down in the child can.

The file stands alone: its text is shipped into a child that can't import the grader. Call `arm` once, before the
student's code runs, with the student's folder first in `sys.path`; or `prepare` in a zygote, `begin` in each child.
Whatever the watch needs later is taken at the start, for the student may replace it, and may be forbidden it.
"""

from __future__ import annotations

import _imp
import _thread
import gc
import importlib.util
import marshal
import opcode
import os
import sys
import zipimport
from types import CodeType, FrameType, FunctionType, ModuleType

TYPE_CHECKING = False  # `typing` would cost a fresh interpreter milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Report = Callable[[int, FrameType | None], None]
    """Takes an index into the list of modules and the student's frame; None where there is none on the stack."""

_TELLING = 120  # bytes of code from which a function is surely the library's and not a chance likeness
_LOOKS_AT_CALLER = frozenset({"_getframe", "_getframemodulename", "currentframe", "warn", "__class__"})
_GENERATES = 0x20 | 0x80 | 0x100 | 0x200
_LOADS = ("create_builtin", "exec_builtin", "create_dynamic", "exec_dynamic")
_FROZEN = {"importlib._bootstrap": "_frozen_importlib", "importlib._bootstrap_external": "_frozen_importlib_external"}
_FOR_C = frozenset(
    {"_strptime", "array", "asyncio", "collections", "copyreg", "functools", "io", "locale", "os", "re"}
)
_FOR_C |= {"sys", "threading", "time", "traceback", "types", "typing", "warnings", "weakref"}
"""Modules that functions written in C use while they run: `date.today()` asks `time`, `sqlite3` asks `functools`."""
_NAMING = frozenset(opcode.hasname)
_get_frame, _get_ident, _get_frozen = sys._getframe, _thread.get_ident, _imp.get_frozen_object
_load_code, _normal, _pyc_of = marshal.loads, os.path.normpath, importlib.util.cache_from_source
_zips = tuple(zipimport.zipimporter(place) for place in sys.path if place.endswith(".zip") and os.path.isfile(place))
"""In a browser the standard library is one."""
_read_zipped = zipimport.zipimporter.get_data


def arm(modules: tuple[str, ...], report: Report) -> None:
    """Report from now on each use of `modules` (or `module.name`) by code that isn't the library's."""
    begin(prepare(modules), report)


def prepare(modules: tuple[str, ...]) -> Watch:
    """Set the guards, which tell nobody yet; a zygote does so once for all its children."""
    watch = Watch()
    for index, name in enumerate(modules):
        watch.ban(name, index)
    for name in _LOADS:
        watch.wrap_loading(name)
    return watch


def begin(watch: Watch, report: Report) -> None:
    """Report from now on; all code that is alive by now is the library's or the harness's."""
    frame: FrameType | None = _get_frame(1)
    while frame is not None:
        watch.library.trust(frame.f_code)
        frame = frame.f_back
    watch.library.homes = tuple(os.path.join(os.path.abspath(place), "") for place in {os.getcwd(), *sys.path[:1]})
    for name in watch.homes:
        if _is_own(name):
            sys.modules.pop(name, None)  # at home the student's own file is what the import finds
    watch.main, watch.report = _get_ident(), report
    sys.addaudithook(watch.hear)


class Watch:
    """The guards of one process."""

    def __init__(self) -> None:
        self.report: Report | None = None
        self.main = 0
        self.homes: dict[str, tuple[int, frozenset[str]]] = {}
        """Banned module → its place in the list, and the names of it that are guarded."""
        self.guarded: dict[int, tuple[object, int]] = {}
        """Id of a guarded module or function → itself, and its place in the list."""
        self.prints: dict[tuple[object, ...], tuple[int, tuple[str, ...]]] = {}
        """A telling function's code → its place in the list, and the words that excuse library code."""
        self.members: dict[int, frozenset[str]] = {}
        """Place in the list → the names that it stands for."""
        self.loading: set[CodeType] = set()
        self.library = _Library()

    def ban(self, name: str, index: int) -> None:
        """Guard a module with all its public names, or one name wherever the library holds it."""
        try:
            module, only = importlib.import_module(name), ""
        except ImportError:
            home, _, only = name.rpartition(".")
            module = importlib.import_module(home or "builtins")
        space = vars(module)
        keys = frozenset(key for key in space if key == only or not (only or key.startswith("__")))
        self.homes[module.__name__] = (index, keys)
        self.members[index] = frozenset([only] if only else keys)
        for key in keys:
            value = space[key]
            if isinstance(value, FunctionType) and value.__globals__ is space and value.__module__ == module.__name__:
                self._swap(value, index, (module.__name__, key))
        holders = [m for m in tuple(sys.modules.values()) if isinstance(m, ModuleType)] if only else [module]
        for holder in holders:
            if holder is module or (only in vars(holder) and vars(holder)[only] is space.get(only)):
                self.guard(holder, index, keys, whole=not only)

    def _swap(self, function: FunctionType, index: int, words: tuple[str, ...]) -> None:
        code = function.__code__
        if len(code.co_code) >= _TELLING:
            self.prints[_print(code)] = (index, words)
        if code.co_freevars or code.co_flags & _GENERATES or _LOOKS_AT_CALLER.intersection(code.co_names):
            return
        if function.__name__.startswith("_"):
            return  # reached through a public one; a guard at each step would use up the stack
        original = FunctionType(code, function.__globals__, function.__name__, function.__defaults__)
        original.__kwdefaults__ = function.__kwdefaults__
        for other in function.__globals__.values():
            _rebind(other, function, original)  # inner recursion keeps its depth: it skips the guard
        function.__code__ = self._guarded(index, words, function, original).__code__.replace(
            co_name=code.co_name, co_filename=code.co_filename, co_firstlineno=max(code.co_firstlineno - 4, 1)
        )  # so that a traceback shows the first line of the library's function, not the watch
        self.library.trust(function.__code__)
        self.guarded[id(function)] = (function, index)

    def _guarded(self, index: int, words: tuple[str, ...], value: object, original: Any) -> FunctionType:
        """Return a function that looks at its caller, then calls `original`; it has no cell or global to change."""

        def look() -> None:
            self.see(_get_frame(1).f_back, index, words, value)  # who calls or reads; the interpreter has no frame

        fixed = {"look": look, "original": original}
        consts = tuple(fixed.get(const, const) if isinstance(const, str) else const for const in _TEMPLATE.co_consts)
        guard = FunctionType(_TEMPLATE.replace(co_consts=consts), {})
        self.library.trust(guard.__code__)
        self.guarded[id(guard)] = (guard, index)
        return guard

    def guard(self, module: ModuleType, index: int, keys: frozenset[str], *, whole: bool) -> None:
        """Give a module a class of its own that sees its names read."""
        space = vars(module)
        members: dict[str, object] = {"__module__": "builtins", "__slots__": (), "__new__": _plain_module}
        for key in keys & space.keys():
            words = (module.__name__, key)
            members[key] = property(
                self._guarded(index, words, space[key], _reader(space, key)), *_writers(space, key)
            )
        if whole:
            members["__dict__"] = property(self._guarded(index, (), None, lambda _: space))
        try:
            module.__class__ = type("module", (type(module),), members)
        except TypeError:
            return  # a module of an unusual make stays as it is
        self.guarded[id(module)] = (module, index)

    def wrap_loading(self, name: str) -> None:
        """Guard a banned module that is made a second time, and let an extension use what it likes as it loads."""
        real = getattr(_imp, name)

        def load(*args: Any) -> Any:
            made = real(*args)
            for module in (made, *args):
                index, keys = self.homes.get(getattr(module, "__name__", ""), (0, frozenset({""})))
                if isinstance(module, ModuleType) and id(module) not in self.guarded and keys <= vars(module).keys():
                    self.guard(module, index, keys, whole=True)
            return made

        load.__code__ = load.__code__.replace(co_filename="<frozen importlib._bootstrap>")  # tracebacks leave it out
        self.library.trust(load.__code__)
        self.loading.add(load.__code__)
        setattr(_imp, name, load)

    def see(self, frame: FrameType | None, index: int, words: tuple[str, ...], value: object) -> None:
        """Tell of the innermost frame that isn't library code, unless library code asked for the thing by name."""
        if frame is None and _get_ident() == self.main:
            return  # the interpreter: it opens files for a traceback, and calls what was left for the end
        while frame is not None:
            code = frame.f_code
            if not self.library.has(code):
                if not _is_for_c(frame, words):
                    self.tell(index, frame)
                return
            names = code.co_names + code.co_varnames + code.co_freevars
            if code in self.loading or not words or any(word in name for word in words for name in names):
                return
            if not self.members[index].isdisjoint(names):
                return  # `contextlib` names `wraps`, which calls `update_wrapper`
            if value is not None and any(frame.f_globals.get(name) is value for name in code.co_names):
                return
            frame = frame.f_back
        if _get_ident() != self.main or type(value) is FunctionType:
            self.tell(index, None)  # only the student puts a banned thing into a thread or in the place of `solve`

    def tell(self, index: int, frame: FrameType | None) -> None:
        if self.report is not None:
            self.report(index, frame)

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Hear the audit events that bring a banned module's code to life again, or take a guard off."""
        if event in {"exec", "function.__new__"}:
            for code in _nested(args[0]) if isinstance(args[0], CodeType) else ():
                if len(code.co_code) >= _TELLING and _print(code) in self.prints:
                    self.see(_get_frame(1), *self.prints[_print(code)], _template)
        elif event in {"object.__setattr__", "object.__getattr__"}:
            is_ours = args[1] in {"__code__", "__class__"} and id(args[0]) in self.guarded
            if is_ours and (event == "object.__setattr__" or args[1] == "__code__"):
                self.see(_get_frame(1), self.guarded[id(args[0])][1], ("ismodule", "getsource", "signature"), None)


def _is_for_c(frame: FrameType, words: tuple[str, ...]) -> bool:
    """Tell whether a function written in C, called here, reads the name: the line neither reads nor spells it."""
    code = frame.f_code
    is_call = code.co_code[frame.f_lasti] not in _NAMING
    return is_call and bool(words) and words[0] in _FOR_C and words[-1] not in code.co_consts


class _Library:
    """Tells library code by comparing it with what the library's files hold: a file name can be forged."""

    def __init__(self) -> None:
        places = [os.path.dirname(os.__file__), *(p for p in sys.path[1:] if p and p != os.getcwd())]
        self.roots = tuple(os.path.join(place, "") for place in places)
        self.homes: tuple[str, ...] = ()
        """The student's folders."""
        self.known: dict[int, tuple[CodeType, bool]] = {}
        self.files: dict[str, frozenset[CodeType]] = {}
        for function in gc.get_objects():  # whatever is there before the student's code
            if type(function) is FunctionType:
                self.trust(function.__code__)

    def trust(self, code: CodeType) -> None:
        for each in _nested(code):
            self.known[id(each)] = (each, True)

    def has(self, code: CodeType) -> bool:
        """Tell whether this very code is in the library's files."""
        entry = self.known.get(id(code))
        if entry is None:
            entry = self.known[id(code)] = (code, self._find(code))
        return entry[1]

    def _find(self, code: CodeType) -> bool:
        name = code.co_filename
        if not name.startswith("<frozen "):
            root, home = (
                max((len(p) for p in ps if name.startswith(p)), default=0) for ps in (self.roots, self.homes)
            )
            if root <= home or _normal(name) != name:
                return False
        if name not in self.files:
            try:
                self.files[name] = frozenset(_nested(_code_of(name)))
            except Exception:  # noqa: BLE001  # a file that isn't there holds no code
                self.files[name] = frozenset()
        return code in self.files[name]


def _template(*args: Any, **kwargs: Any) -> Any:
    look: Any = "look"
    original: Any = "original"
    look()
    return original(*args, **kwargs)


_TEMPLATE = _template.__code__


def _plain_module(_: type, *args: Any) -> ModuleType:
    return ModuleType(*args)  # importlib makes modules by `type(sys)(name)`


def _reader(space: dict[str, Any], key: str) -> Callable[[ModuleType], Any]:
    return lambda _: space[key]


def _writers(space: dict[str, Any], key: str) -> tuple[Any, Any]:
    def remove(module: ModuleType) -> None:
        space.pop(key, None)
        delattr(type(module), key)

    return lambda _, value: space.__setitem__(key, value), remove


def _rebind(other: object, function: FunctionType, original: FunctionType) -> None:
    if isinstance(other, FunctionType):
        other.__defaults__ = tuple(original if d is function else d for d in other.__defaults__ or ()) or None
        kept = (other.__kwdefaults__ or {}).items()
        other.__kwdefaults__ = {key: original if value is function else value for key, value in kept} or None


def _is_own(name: str) -> bool:
    """Tell whether the import would find a file of the student's before the library's."""
    if name in sys.builtin_module_names or "." in name:
        return False
    return any(
        os.path.exists(os.path.join(place or ".", tail))
        for place in {os.getcwd(), *sys.path[:1]}
        for tail in (f"{name}.py", os.path.join(name, "__init__.py"))
        if os.path.abspath(place or ".") != os.path.dirname(os.__file__)
    )


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _nested(const)


def _print(code: CodeType) -> tuple[object, ...]:
    return code.co_code, code.co_names


def _code_of(name: str) -> CodeType:
    if name.startswith("<frozen "):
        return _get_frozen(_FROZEN.get(name[8:-1], name[8:-1]))
    try:
        with open(_pyc_of(name), "rb") as file:
            code: CodeType = _load_code(file.read()[16:])
    except (OSError, ValueError, EOFError):
        code = compile(_source(name), name, "exec", dont_inherit=True)
    return code


def _source(name: str) -> bytes:
    for place in _zips:
        if name.startswith(place.archive):
            return _read_zipped(place, name)
    with open(name, "rb") as file:
        return file.read()
