"""Watches who uses the banned modules in the student's process.

Blocking an import would break `collections`, `random` and `dataclasses`, which use the banned modules themselves. So
the use is watched, and the code that uses is asked for: library code may, the student's may not.

- a banned module, and every library module that holds a piece of one, gets a class of its own whose properties see
  each read of such a name (other names cost nothing);
- Python functions of a banned module get their `__code__` swapped in place, so that every alias is covered;
- an audit hook sees the module's source executed again (loaders, runpy, marshal) and pickle's look-ups.

The fact is reported at once and nothing is raised: the report is what counts, a program that goes on can't undo it,
and a mistake of ours breaks no innocent program. This is a lint and no wall: whoever tears it down in the child can.

The file stands alone: its text is shipped into a child that can't import the grader. Call `arm` once, before the
student's code runs, with the student's folder in `sys.path` or as working directory; or `prepare` in a zygote and
`begin` in each child, which then costs next to nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
import marshal
import os
import sys
from importlib.machinery import PathFinder
from types import CodeType, FrameType, FunctionType, ModuleType

TYPE_CHECKING = False  # `typing` would cost a fresh interpreter milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_TELLING = 120  # bytes of code from which a function is surely the library's and not a chance likeness
_ENUMERATING = frozenset({"dir", "vars", "__dict__", "getmembers", "__all__"})
_LOOKS_AT_CALLER = frozenset({"_getframe", "_getframemodulename", "currentframe", "warn", "__class__"})
_GENERATES = 0x20 | 0x80 | 0x100 | 0x200


def arm(modules: tuple[str, ...], report: Callable[[dict[str, object]], None]) -> None:
    """Report from now on each use of `modules` (or `module.name`) by code that isn't the library's."""
    begin(prepare(modules), report)


def prepare(modules: tuple[str, ...]) -> Watch:
    """Set the guards, which tell nobody yet; a zygote does so once for all its children."""
    watch = Watch(modules)
    for name in modules:
        watch.ban(name)
    for module in tuple(sys.modules.values()):
        watch.guard_holder(module)
    return watch


def begin(watch: Watch, report: Callable[[dict[str, object]], None]) -> None:
    """Report from now on; the code that calls this belongs to the harness."""
    watch.library.harness.update(frame.f_code for frame in _stack())
    for name in watch.modules:
        if _is_own(name):
            sys.modules.pop(name, None)  # at home the student's own file is what the import finds
    sys.meta_path[-1:-1] = [_Finder(watch)]
    sys.addaudithook(watch.hear)
    watch.report = report


class Watch:
    """The guards of one process."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self.modules = modules
        self.report: Callable[[dict[str, object]], None] | None = None
        self.told: set[tuple[object, ...]] = set()
        self.pieces: dict[int, tuple[object, str]] = {}
        self.prints: dict[tuple[object, ...], str] = {}
        self.library = _Library()

    def ban(self, name: str) -> None:
        """Guard a module with all its public names, or one name of it."""
        try:
            module, only = importlib.import_module(name), ""
        except ImportError:
            home, _, only = name.rpartition(".")
            module = importlib.import_module(home or "builtins")
        space = vars(module)
        keys = {key for key in space if key == only or not (only or key.startswith("__"))}
        for key in keys:
            self._take(f"{module.__name__}.{key}", space[key], module)
        if not only:
            self.pieces[id(module)] = (module, module.__name__)
            self._give_class(module, keys | {"__dict__"}, holder=False)

    def _take(self, what: str, value: object, module: ModuleType) -> None:
        home = getattr(value, "__module__", None)
        if isinstance(value, ModuleType) or home not in {module.__name__, "_" + module.__name__, None}:
            return  # what the banned module itself borrowed isn't banned
        if callable(value):
            self.pieces[id(value)] = (value, what)
        if isinstance(value, FunctionType) and value.__globals__ is vars(module):
            self._swap(value, what)

    def _swap(self, function: FunctionType, what: str) -> None:
        code = function.__code__
        if len(code.co_code) >= _TELLING:
            self.prints[_print(code)] = what
        if code.co_freevars or code.co_flags & _GENERATES or _LOOKS_AT_CALLER.intersection(code.co_names):
            return
        if function.__name__.startswith("_"):
            return  # reached through a public one; a guard at each step would use up the stack
        original = FunctionType(code, function.__globals__, "original", function.__defaults__)
        original.__module__ = __name__
        original.__kwdefaults__ = function.__kwdefaults__

        def guard(*args: Any, **kwargs: Any) -> Any:
            self.see(sys._getframe(2), what, function)  # the frame that calls is the question
            return original(*args, **kwargs)

        consts = tuple(guard if const is ... else const for const in _template.__code__.co_consts)
        function.__code__ = _template.__code__.replace(co_consts=consts, co_name=code.co_name)
        self.library.trust(function.__code__)
        for other in function.__globals__.values():
            _rebind(other, function, original)  # inner recursion keeps its depth: it skips the guard

    def guard_holder(self, module: object) -> None:
        """Guard the names under which a library module holds a banned piece."""
        if isinstance(module, ModuleType) and id(module) not in self.pieces and self.library.owns(module):
            held = {key for key, value in vars(module).items() if id(value) in self.pieces}
            if held:
                self._give_class(module, held, holder=True)

    def _give_class(self, module: ModuleType, keys: set[str], *, holder: bool) -> None:
        members: dict[str, object] = {key: self._property(module, key, holder=holder) for key in keys}
        members |= {"__module__": "builtins", "__slots__": ()}
        try:
            module.__class__ = type("module", (type(module),), members)
        except TypeError:
            return  # a module of an unusual make stays as it is

    def _property(self, module: ModuleType, key: str, *, holder: bool) -> property:
        space = vars(module)
        whole = key == "__dict__"

        def read(_: ModuleType) -> object:
            if not whole and key not in space:
                raise AttributeError(f"module {module.__name__!r} has no attribute {key!r}", name=key, obj=module)
            value = space if whole else space[key]
            frame = sys._getframe(1)  # the frame that reads is the question
            if holder or whole:
                if id(value) in self.pieces and not self.library.has(frame.f_code) and _by_name(frame, key):
                    self.tell(frame, f"{self.pieces[id(value)][1]} (as {module.__name__}.{key})")
                elif whole and not self.library.has(frame.f_code):
                    self.tell(frame, f"{module.__name__}.__dict__")
            elif not _is_star(frame):
                self.see(frame, f"{module.__name__}.{key}", value)
            return value

        def write(_: ModuleType, value: object) -> None:
            space[key] = value

        def remove(_: ModuleType) -> None:
            space.pop(key, None)

        return property(read) if whole else property(read, write, remove)

    def see(self, frame: FrameType | None, what: str, value: object) -> None:
        """Tell of the innermost frame that isn't library code, unless library code asked for the thing by name."""
        words = what.split(".")
        while frame is not None and self.library.has(frame.f_code):
            code = frame.f_code
            names = code.co_names + code.co_varnames + code.co_freevars
            if any(word in name for word in words for name in names):
                return
            if value is not None and any(frame.f_globals.get(name) is value for name in code.co_names):
                return
            frame = frame.f_back
        if frame is not None and frame.f_code not in self.library.harness:
            self.tell(frame, what)

    def tell(self, frame: FrameType, what: str) -> None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if self.report is not None and (what, path, line) not in self.told:
            self.told.add((what, path, line))
            self.report({"module": what.split(" ", 1)[0].split(".", 1)[0], "what": what, "path": path, "line": line})

    def hear(self, event: str, args: tuple[object, ...]) -> None:
        """Hear the audit events that bring a banned module's code to life again."""
        if event in {"exec", "function.__new__"} and isinstance(args[0], CodeType):
            for code in _nested(args[0]):
                what = self.prints.get(_print(code)) if len(code.co_code) >= _TELLING else None
                if what is not None:
                    self.see(sys._getframe(1), what, None)  # the frame that executes is the question
        elif event == "pickle.find_class":
            for _, what in tuple(self.pieces.values()):
                if what == f"{args[0]}.{args[1]}":
                    self.see(sys._getframe(1), what, None)  # the frame that unpickles


class _Library:
    """Tells library code by comparing it with what the library's files hold: a file name can be forged."""

    def __init__(self) -> None:
        places = [
            os.path.dirname(os.__file__),
            *(p for p in sys.path if "site-packages" in p or "dist-packages" in p),
        ]
        self.roots = tuple(os.path.join(place, "") for place in places)
        self.known: dict[int, tuple[CodeType, bool]] = {}
        self.files: dict[str, frozenset[CodeType] | None] = {}
        self.harness: set[CodeType] = set()
        for code in _nested(_Finder.find_spec.__code__):
            self.trust(code)

    def trust(self, code: CodeType) -> None:
        self.known[id(code)] = (code, True)

    def owns(self, module: ModuleType) -> bool:
        origin = getattr(getattr(module, "__spec__", None), "origin", None)
        return isinstance(origin, str) and (origin in {"frozen", "built-in"} or origin.startswith(self.roots))

    def has(self, code: CodeType) -> bool:
        """Say whether this very code is in the library's files; if they can't be read, its name is believed."""
        entry = self.known.get(id(code))
        if entry is None:
            entry = self.known[id(code)] = (code, self._find(code))
        return entry[1]

    def _find(self, code: CodeType) -> bool:
        name = code.co_filename
        if not name.startswith((*self.roots, "<frozen ")):
            return False
        if name not in self.files:
            self.files[name] = _codes_of(name)
        codes = self.files[name]
        return codes is None or code in codes


class _Finder:
    """Guards library modules that are loaded after `arm`."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        spec = PathFinder.find_spec(name, path, target)
        origin = getattr(spec, "origin", None)
        loader: Any = getattr(spec, "loader", None)
        if not origin or not origin.startswith(self.watch.library.roots) or not hasattr(loader, "__dict__"):
            return None
        execute: Any = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module  # the loader is as it was
            execute(module)
            self.watch.guard_holder(module)

        loader.exec_module = exec_module
        return spec


def _template(*args: Any, **kwargs: Any) -> Any:
    guard: Any = ...
    return guard(*args, **kwargs)


def _rebind(other: object, function: FunctionType, original: FunctionType) -> None:
    if isinstance(other, FunctionType):
        other.__defaults__ = tuple(original if d is function else d for d in other.__defaults__ or ()) or None
        kept = (other.__kwdefaults__ or {}).items()
        other.__kwdefaults__ = {key: original if value is function else value for key, value in kept} or None


def _is_own(name: str) -> bool:
    """Say whether the import would find a file of the student's before the library's."""
    if name in sys.builtin_module_names or "." in name:
        return False
    return any(
        os.path.exists(os.path.join(place or ".", tail))
        for place in {os.getcwd(), *sys.path[:1]}
        for tail in (f"{name}.py", os.path.join(name, "__init__.py"))
        if os.path.abspath(place or ".") != os.path.dirname(os.__file__)
    )


def _by_name(frame: FrameType, key: str) -> bool:
    """Say whether the code asks for `key`, rather than going through everything a module has."""
    if _is_star(frame):
        return False
    names: set[str] = set()
    while frame is not None and len(names) < 1000:
        names.update(frame.f_code.co_names)
        if key in frame.f_code.co_names or key in frame.f_code.co_consts:
            return True
        if frame.f_back is None or frame.f_back.f_code.co_filename != frame.f_code.co_filename:
            break
        frame = frame.f_back
    return not names & _ENUMERATING


def _is_star(frame: FrameType) -> bool:
    from opcode import opname  # noqa: PLC0415  # only a program that reads a guarded name pays for it

    code = frame.f_code.co_code
    name = opname[code[frame.f_lasti]]
    return name == "IMPORT_STAR" or (name == "CALL_INTRINSIC_1" and code[frame.f_lasti + 1] == 2)


def _stack() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)  # the harness's own frames
    while frame is not None:
        yield frame
        frame = frame.f_back


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _nested(const)


def _print(code: CodeType) -> tuple[object, ...]:
    return code.co_code, code.co_names


def _codes_of(name: str) -> frozenset[CodeType] | None:
    try:
        if name.startswith("<frozen "):
            import _imp  # noqa: PLC0415  # rarely asked

            bare = name[len("<frozen ") : -1]
            bare = {"importlib._bootstrap": "_frozen_importlib"}.get(bare, bare)
            bare = {"importlib._bootstrap_external": "_frozen_importlib_external"}.get(bare, bare)
            return frozenset(_nested(_imp.get_frozen_object(bare)))
        return frozenset(_nested(_code_of_file(name)))
    except Exception:  # noqa: BLE001  # an innocent program must not pay for a file that we can't read
        return None


def _code_of_file(name: str) -> CodeType:
    try:
        with open(importlib.util.cache_from_source(name), "rb") as file:
            code: CodeType = marshal.loads(file.read()[16:])  # noqa: S302  # the library's own
    except (OSError, ValueError, EOFError):
        with open(name, "rb") as file:
            code = compile(file.read(), name, "exec", dont_inherit=True)
    return code
