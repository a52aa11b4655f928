"""Watches who uses the banned modules in the student's process.

Blocking an import would break `collections`, `random` and `dataclasses`, which use the banned modules themselves. So
the use is watched, and the caller is asked for: library code may, the student's may not. A banned module sees its
names read. Its functions written in Python, and the iterators of `itertools`, see themselves called, too: whichever
way the student came by them.

The fact is reported at once and nothing is raised: the report is what counts, a program that goes on can't undo it,
and a mistake of ours breaks no innocent program. This is a lint and no wall: whoever tears it down in the child can.

The file stands alone: its text is shipped into a child that can't import the grader. Call `arm` once, before the
student's code runs, with the student's folder first in `sys.path`; or `prepare` in a zygote, `begin` in each child.
"""

from __future__ import annotations

import _imp
import _thread
import importlib
import opcode
import os
import sys
from types import CodeType, FunctionType, ModuleType

TYPE_CHECKING = False  # `typing` would cost a fresh interpreter milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any

    Report = Callable[[int, FrameType | None], None]
    """Takes an index into the list of modules and the student's frame; None where there is none on the stack."""
    Look = Callable[[tuple[Any, ...]], None]

_TELLING = 120  # bytes of code from which a function is surely the library's and not a chance likeness
_OPEN = 1 << 10  # a class that may be inherited from
_NOT_SWAPPED = 0x20 | 0x80 | 0x100 | 0x200  # generators and coroutines
_LOOKS_AT_CALLER = frozenset({"_getframe", "_getframemodulename", "currentframe", "warn"})
_LOADS = (_imp.create_builtin, _imp.exec_builtin, _imp.create_dynamic, _imp.exec_dynamic)
_IMPORTLIB = "<frozen importlib._bootstrap"
_NAMING = frozenset(opcode.hasname)
_FOR_C = {"_strptime", "array", "asyncio", "collections", "copyreg", "encodings", "functools", "io", "locale", "os"}
_FOR_C |= {"re", "sys", "threading", "time", "traceback", "types", "typing", "warnings", "weakref"}
"""Modules that functions written in C use while they run: `date.today()` asks `time`, `sqlite3` asks `functools`."""
_get_frame, _get_ident = sys._getframe, _thread.get_ident


def arm(modules: tuple[str, ...], report: Report) -> None:
    """Report from now on each use of `modules` (or `module.name`) by code that isn't the library's."""
    begin(prepare(modules), report)


def prepare(modules: tuple[str, ...]) -> Watch:
    """Set the guards, which tell nobody yet; a zygote does so once for all its children."""
    watch = Watch()
    for index, name in enumerate(modules):
        watch.ban(name, index)
    return watch


def begin(watch: Watch, report: Report) -> None:
    """Report from now on."""
    watch.homes = tuple(os.path.join(os.path.abspath(place), "") for place in {os.getcwd(), *sys.path[:1]})
    watch.places.clear()  # it knew no student's folder yet
    for name in [name for name in watch.modules if watch.is_own(name)]:
        sys.modules.pop(name, None)  # at home the student's own file is what the import finds
    watch.main, watch.report = _get_ident(), report
    sys.addaudithook(watch.hear)


class Watch:
    """The guards of one process."""

    def __init__(self) -> None:
        self.report: Report = lambda _index, _frame: None
        self.main = 0
        self.homes: tuple[str, ...] = ()
        """The student's folders."""
        self.roots = tuple(os.path.join(p, "") for p in (os.path.dirname(os.__file__), *sys.path[1:]) if p)
        loaded = list(sys.modules.values())
        self.files = {_TEMPLATE.co_filename, *(getattr(module, "__file__", None) for module in loaded)}
        """Files of the library, the harness and the watch."""
        self.places: dict[str, bool] = {}
        """File → whether what stands in it is one of these."""
        self.forged: dict[int, CodeType] = {}
        """Code that only says that it is the library's."""
        self.modules: dict[str, ModuleType] = {}
        self.guards: dict[int, tuple[object, int]] = {}
        """Id of what is guarded, or guards → itself, and its module's place in the list."""
        self.prints: dict[bytes, tuple[int, str]] = {}
        """A telling function's code → its module's place in the list, and name."""

    def ban(self, name: str, index: int) -> None:
        """Guard a module with all its names, or one name of it."""
        home, only = name, ""
        try:
            module = importlib.import_module(name)
        except ImportError:
            home, _, only = name.rpartition(".")
            module = importlib.import_module(home or "builtins")
        space = vars(module)
        keys = frozenset(key for key in space if key == only or not (only or key.startswith("__")))
        for value in [space[key] for key in keys]:
            if isinstance(value, FunctionType) and value.__globals__ is space:
                self._guard_function(value, index)
            elif isinstance(value, type) and value.__flags__ & _OPEN and module.__name__ == "itertools":
                self._guard_iterator(value, index)
        self._guard_module(module, home, index, keys | ({only} if only else {"__dict__"}))

    def _guard_module(self, module: ModuleType, name: str, index: int, keys: frozenset[str]) -> None:
        """Give a module a class of its own that sees its names read."""

        def look(args: tuple[Any, ...]) -> None:
            if args[1] in keys:
                self.see(_get_frame(1).f_back, index, name, args[1])

        reads = self._sealed(type(module).__getattribute__, index, look)  # which may be a guard for another name
        members = {"__getattribute__": reads, "__module__": "builtins"}
        members["__new__"] = lambda _, *args: ModuleType(*args)  # importlib makes modules by `type(sys)(name)`
        if not self.modules:  # a built-in module isn't made a second time
            create = _imp.create_builtin
            make = self._sealed(lambda spec: self.modules.get(spec.name) or create(spec), index, lambda _: None)
            _imp.create_builtin = make
        self.modules[name] = module
        try:
            module.__class__ = type("module", (type(module),), members)
        except TypeError:
            return  # a module of an unusual make stays as it is
        self.guards[id(module)] = (module, index)

    def _guard_function(self, function: FunctionType, index: int) -> None:
        """Put a guard in place of a function's code, so that every alias is covered."""
        code, module = function.__code__, function.__module__
        if len(code.co_code) >= _TELLING:
            self.prints[code.co_code] = (index, module)
        if code.co_freevars or code.co_flags & _NOT_SWAPPED or _LOOKS_AT_CALLER.intersection(code.co_names):
            return
        if function.__name__.startswith("_"):
            return  # reached through a public one; a guard at each step would use up the stack
        original = FunctionType(code, function.__globals__, "", function.__defaults__)
        original.__kwdefaults__, original.__qualname__ = function.__kwdefaults__, ""  # not to be found by its name
        for other in function.__globals__.values():
            _rebind(other, function, original)  # inner recursion keeps its depth: it skips the guard
        guard = self._sealed(original, index, self._caller(index, module, function.__name__))
        function.__code__ = guard.__code__.replace(
            co_name=code.co_name, co_filename=code.co_filename, co_firstlineno=max(code.co_firstlineno - 4, 1)
        )  # so that a traceback shows the first line of the library's function, not the watch
        self.guards[id(function)] = (function, index)

    def _guard_iterator(self, kind: type, index: int) -> None:
        """Put a class that sees its instances made in place of another, wherever the library holds that."""
        look = self._caller(index, kind.__module__, kind.__name__)
        members: dict[str, Any] = {"__slots__": (), "__module__": kind.__module__}
        members["__new__"] = self._sealed(kind.__new__, index, look)
        if "from_iterable" in vars(kind):
            members["from_iterable"] = classmethod(self._sealed(_maker(vars(kind)["from_iterable"]), index, look))
        guard = type(kind.__name__, (kind,), members)
        for module in list(sys.modules.values()):
            for key, value in list(getattr(module, "__dict__", {}).items()):
                if value is kind and (module.__name__, key) != ("collections", "_repeat"):
                    module.__dict__[key] = guard  # that one is called by C, with the student's frame on top

    def _sealed(self, original: Any, index: int, look: Look) -> FunctionType:
        """Return a function that looks at its caller, then calls `original`; it has no cell or global to change."""
        fixed = {"look": look, "original": original}
        consts = tuple(fixed.get(const, const) if isinstance(const, str) else const for const in _TEMPLATE.co_consts)
        guard = FunctionType(_TEMPLATE.replace(co_consts=consts, co_filename=f"{_IMPORTLIB}>"), {})
        self.guards[id(guard)] = (guard, index)
        return guard

    def _caller(self, index: int, module: str, key: str) -> Look:
        def look(_: tuple[Any, ...]) -> None:
            frame = _get_frame(1).f_back
            if frame is None or not self.is_library(frame.f_code):
                self.see(frame, index, module, key)

        return look

    def see(self, frame: FrameType | None, index: int, module: str, key: str) -> None:
        """Report the innermost frame that isn't library code, unless library code names the thing itself."""
        while frame is not None and self.is_library(frame.f_code):
            if not {module, key}.isdisjoint(frame.f_code.co_names) or key == "__dict__" or _is_loading(frame):
                return
            frame = frame.f_back
        if (_get_ident() != self.main) if frame is None else not _is_for_c(frame, module, key):
            self.report(index, frame)  # without any frame it is the interpreter, or what a thread was given

    def is_library(self, code: CodeType) -> bool:
        """Tell whether code is the library's or the harness's."""
        name = code.co_filename
        if name not in self.places:
            root, home = (
                max((len(p) for p in ps if name.startswith(p)), default=0) for ps in (self.roots, self.homes)
            )
            self.places[name] = root > home or name in self.files or name.startswith("<frozen ")
        return self.places[name] and id(code) not in self.forged

    def is_own(self, name: str) -> bool:
        """Tell whether the import would find a file of the student's before the library's."""
        tails = () if name in sys.builtin_module_names or "." in name else (f"{name}.py", f"{name}/__init__.py")
        places = [place for place in self.homes if place != self.roots[0]]
        return any(os.path.exists(place + tail) for place in places for tail in tails)

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Hear the audit events that bring a banned module's code to life again, or take a guard off."""
        if event in {"exec", "function.__new__"}:
            self._enliven(_get_frame().f_back, args[0])
        elif event in {"object.__setattr__", "object.__getattr__"} and args[1] in {"__code__", "__class__"}:
            is_change = event == "object.__setattr__"
            if is_change and args[1] == "__code__":
                self._enliven(_get_frame().f_back, args[2])
            if id(args[0]) in self.guards and (is_change or args[1] == "__code__"):
                self.see(_get_frame().f_back, self.guards[id(args[0])][1], "getsource", "signature")

    def _enliven(self, frame: FrameType | None, code: object) -> None:
        """Look at code that is run from outside the library, and at code of a banned module that is run again."""
        for each in _nested(code) if isinstance(code, CodeType) else ():
            if frame is not None and not self.is_library(frame.f_code):
                self.forged[id(each)] = each
            if each.co_code in self.prints:
                index, module = self.prints[each.co_code]
                while frame is not None and frame.f_code.co_filename.startswith(_IMPORTLIB):
                    frame = frame.f_back
                if frame is not None and not (self.is_library(frame.f_code) and module in frame.f_code.co_names):
                    self.see(frame, index, "", "")


def _template(*args: Any, **kwargs: Any) -> Any:
    look: Any = "look"
    original: Any = "original"
    look(args)
    return original(*args, **kwargs)


_TEMPLATE = _template.__code__


def _maker(method: Any) -> Callable[..., Any]:
    return lambda kind, *args: method.__get__(None, kind)(*args)


def _is_loading(frame: FrameType) -> bool:
    """Tell whether an extension is loaded here: it may use what it likes."""
    return frame.f_code.co_filename == f"{_IMPORTLIB}>" and frame.f_locals.get("f") in (*_LOADS, _imp.create_builtin)


def _is_for_c(frame: FrameType, module: str, key: str) -> bool:
    """Tell whether a function written in C, called here, reads the name: the line neither reads nor spells it."""
    code = frame.f_code
    return module in _FOR_C and code.co_code[frame.f_lasti] not in _NAMING and key not in code.co_consts


def _rebind(other: object, function: FunctionType, original: FunctionType) -> None:
    if isinstance(other, FunctionType):
        other.__defaults__ = tuple(original if d is function else d for d in other.__defaults__ or ()) or None
        kept = (other.__kwdefaults__ or {}).items()
        other.__kwdefaults__ = {key: original if value is function else value for key, value in kept} or None


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _nested(const)
