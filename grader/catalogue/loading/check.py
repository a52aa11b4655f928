"""Checks what types alone can't say: names, expectations that fit."""

from __future__ import annotations

import importlib
import re
import sys
from contextlib import redirect_stdout
from importlib.machinery import FrozenImporter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.catalogue.loading.policy import check_policy
from grader.catalogue.placed_yaml.messages import did_you_mean, quoted
from grader.catalogue.placed_yaml.nodes import Mapping, Sequence, find, keys
from grader.judge import registry
from grader.model import wire
from grader.model.assignment import GroupScore, RunAs
from grader.model.file_names import unsafe_reason, why_dropped
from grader.model.judgement import Judgement, Trial
from grader.model.result import Mismatch
from grader.model.run import Reply, RunRecord
from grader.model.verdict import FIRST_SEEN, Ending, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.catalogue.loading.files import AssignmentFile, CaseEntry, CaseFile
    from grader.catalogue.loading.inputs import Input
    from grader.catalogue.placed_yaml.decode import Document
    from grader.catalogue.placed_yaml.nodes import Node
    from grader.catalogue.placed_yaml.source import Complaints
    from grader.model.assignment import Case, CaseFacts, RunSpec
    from grader.model.kit import Kit
    from grader.model.run import Limits


_ALIKE = 0.7
_LEAST = {"cpu_s": 0.1, "wall_s": 0.1, "files": 8, "output_mib": 0.001}
"""Limit → the least with which Python starts, reads its source and prints a line."""


def check_assignment(document: Document[AssignmentFile], file: AssignmentFile) -> None:
    """Check the names of the files, and that the packages are installed where the programs run."""
    names = [handin.name.casefold() for handin in file.files]
    for handin in file.files:
        node = find(document.node(handin), "name")
        reason = _unfit(handin.name) or ("it lies in a folder" if "/" in handin.name else "")
        if reason:
            message = f"{quoted(handin.name)} is no name of a file that students hand in: {reason}"
            document.complaints.at(node, message, hint="wherever it lies in a submission, it is found by its name")
        elif names.count(handin.name.casefold()) > 1:
            document.complaints.at(node, f"the file {handin.name} stands here twice")
    items = [item.id for item in file.rubric]
    for item in file.rubric:
        if items.count(item.id) > 1:
            document.complaints.at(find(document.node(item), "id"), f"the rubric item {item.id} stands here twice")
    packages = document.root.get("packages")
    for name, node in zip(file.packages, packages.items if isinstance(packages, Sequence) else (), strict=False):
        wrong = _why_unfit(name)
        if wrong:
            document.complaints.at(node, f"the package {quoted(name)} {wrong}", hint=f"pip install '{name}'")


def check_run(document: Document[AssignmentFile], file: AssignmentFile, kind: str, kit: Kit | None) -> None:
    """Check that a kind's run can work for anybody: its module is handed in, its input is in nobody's way."""
    run = file.kinds[kind].run
    node, complaints = document.node(run), document.complaints
    handed_in = [handin.name for handin in file.files]
    if run.module not in handed_in:
        hint = did_you_mean(run.module, handed_in)
        complaints.at(
            find(node, "module"), f"{quoted(run.module)} isn't among the files that students hand in", hint=hint
        )
    elif not run.module.endswith(".py") or (run.run_as is not RunAs.PROGRAM and "." in run.module[:-3]):
        complaints.at(find(node, "module"), f"{quoted(run.module)} is no Python file that can be run or imported")
    elif run.run_as is not RunAs.PROGRAM and _is_pythons_own(run.module[:-3]):
        message = f"{quoted(run.module)} can't be imported: Python has a module of this name that comes first"
        complaints.at(find(node, "module"), message, hint="give the file another name")
    check_input_name(complaints, node, run, handed_in)
    if run.run_as is not RunAs.PROGRAM and not run.function.isidentifier():
        found = quoted(run.function) if run.function else "nothing"
        message = f"run as {run.run_as.value}, it needs the name of the student's function, found {found}"
        complaints.at(find(node, "function"), message, hint="add `function: solve`")
    needed = {RunAs.FUNCTION: "calls" if run.args is None else "", RunAs.AGENT: "world"}.get(run.run_as)
    if kit is not None and needed and not callable(getattr(kit, needed, None)):
        hint = "write `args: […]`" if needed == "calls" else ""
        message = f"the kit {file.kinds[kind].kit} has no {needed}, which `as: {run.run_as.value}` needs"
        complaints.at(find(node, "as"), message, hint=hint)


def check_rule(document: Document[CaseFile], entry: CaseEntry, packages: tuple[str, ...]) -> None:
    """Check a case that looks at the source: its policy, and that it has nothing that is run."""
    node = document.node(entry)
    assert entry.policy is not None
    check_policy(document.complaints, node.get("policy"), entry.policy, packages)
    run = {"kind", "limits", "input", "input_file", "beside", "run", "expect", "options"}
    for name in keys(node):
        if name in run | {"partial", "after"}:
            message = f"a case with a policy looks at the source alone: {name} means nothing here"
            document.complaints.at(find(node, name), message, hint="take it out, or make it a case of its own")


def check_change(complaints: Complaints, node: Node, run: RunSpec) -> None:
    """Check that a case changes only what its kind's run has."""
    unused = ("args",) if run.run_as is RunAs.PROGRAM else ("argv", "stdin", "exit_status")
    unused = (*unused, "args") if run.run_as is RunAs.AGENT else unused
    for name in keys(node):
        if name in unused:
            complaints.at(find(node, name), f"run.{name} means nothing for a kind that is run as {run.run_as.value}")


def check_beside(document: Document[CaseFile], entry: CaseEntry, handed_in: list[str]) -> None:
    """Check that each file beside the input can be laid out, in nobody's way."""
    node = find(document.node(entry), "beside")
    for name in entry.beside:
        _check_name(document.complaints, find(node, name), name, handed_in)


def _check_name(complaints: Complaints, node: Node, name: str, handed_in: list[str]) -> None:
    if reason := _unfit(name):
        message = f"{quoted(name)} is no name for an input beside the program: {reason}"
        complaints.at(node, message, hint="such as `input.txt`")
    elif name.split("/", maxsplit=1)[0].casefold() in {each.casefold() for each in handed_in}:
        message = f"the input {quoted(name)} would take the place of a file that students hand in"
        complaints.at(node, message, hint="give it another name, such as `input.txt`")


def check_input_name(complaints: Complaints, node: Node, run: RunSpec, handed_in: list[str]) -> None:
    """Check that a run can find its input, and that its exit statuses are some."""
    if not run.exit_status or any(not 0 <= status < 256 for status in run.exit_status):
        complaints.at(find(node, "exit_status"), "exit_status needs one or more numbers between 0 and 255")
    at = find(node, "file")
    words = (run.stdin, *run.argv, *(word for word in run.args or () if isinstance(word, str)))
    used = {name for word in words for name in re.findall(r"\{(\w+)\}", word)}
    for name in sorted(used - {"file", "input"}):
        import difflib  # noqa: PLC0415 - only for keys that are not known

        if difflib.SequenceMatcher(None, name.lower(), "file").ratio() > _ALIKE:
            complaints.at(node, f"{{{name}}} stands for nothing", hint="did you mean {file}?")
    if not run.file:
        if "file" in used:
            complaints.at(at, "{file} is used here, but there is no input file", hint="give `file` a name")
    else:
        _check_name(complaints, at, run.file, handed_in)


def check_limits(complaints: Complaints, node: Node, limits: Limits) -> None:
    """Check that a program can begin at all within the limits that are written at the node."""
    for name, least in _LEAST.items():
        if getattr(limits, name) < least:
            complaints.at(find(node, "limits", name), f"with limits.{name} below {least:g} no program can begin")


def check_size(given: Input, limits: Limits, *, complaints: Complaints, node: Node) -> None:
    """Check that the input leaves room on the disk that a case has."""
    if len(given.raw) > limits.disk_mib << 19:
        message = f"the input has {len(given.raw)} bytes, more than half of the disk that a case has"
        complaints.at(node, message, hint=f"raise limits.disk_mib ({limits.disk_mib} MiB)")


def check_output(case: Case, *, complaints: Complaints, node: Node) -> None:
    """Check that the expected output itself stays within what a program may print."""
    stored = getattr(case.expect, "transcript", None) or ""
    is_text = stored.endswith(".out") and Path(stored).is_file()
    size = Path(stored).stat().st_size if is_text else len(getattr(case.expect, "stdout", None) or "")
    if size > case.limits.output_mib * (1 << 20):
        message = f"the expected output has {size} bytes, more than a program may print"
        complaints.at(node, message, hint=f"raise limits.output_mib ({case.limits.output_mib:g} MiB)")


def _is_pythons_own(name: str) -> bool:
    """Tell whether a module is there before any file is looked for: built in, frozen, or part of Python's start."""
    is_frozen = FrozenImporter.find_spec(name) is not None
    return name in sys.builtin_module_names or is_frozen or name in {"__main__", "encodings"}


def _unfit(name: str) -> str:
    """Say why no file of this name can be laid out for a program."""
    if not name.strip():
        return "it is empty"
    return unsafe_reason(name) or why_dropped(name) or ("it has a backslash" if "\\" in name else "")


def package_name(requirement: str) -> str:
    """Return the bare name of a package that may be asked for in some versions only: `numpy>=2`."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


def _why_unfit(requirement: str) -> str:
    """Say why a package can't be had as it is asked for; empty when it can."""
    from importlib import metadata  # noqa: PLC0415 - slow to import, and few assignments allow packages

    name = package_name(requirement)
    try:
        installed = metadata.version(name)
    except (metadata.PackageNotFoundError, ValueError):
        return "isn't installed here"
    return "" if name == requirement else _why_unmet(requirement, installed)


def _why_unmet(requirement: str, installed: str) -> str:
    from packaging.requirements import InvalidRequirement, Requirement  # noqa: PLC0415 - for versions alone

    try:
        asked = Requirement(requirement)
    except InvalidRequirement:
        return "can't be read: write it as pip takes it, such as numpy>=2"
    if asked.url or asked.marker or asked.extras:
        return "can't be read: a name and versions are all that it may have"
    return "" if asked.specifier.contains(installed, prereleases=True) else f"is here as version {installed}"


def check_options(document: Document[Any], options: Node | None, judge: str, module: Any) -> None:
    """Check the options of a kind or a case by the judge that reads them."""
    struct = getattr(module, "Options", None)
    if options is None or struct is None:
        return
    if not struct.__struct_fields__ and isinstance(options, Mapping) and options.entries:
        document.complaints.at(options, f"the judge {judge} takes no options", hint="take them out")
    else:
        document.decoder.decode(options, struct, "options")


def check_file(complaints: Complaints, node: Node, key: str, name: str, endings: tuple[str, ...]) -> None:
    """Check the ending of a file that an expectation names."""
    if not name.endswith(endings):
        complaints.at(node, f"{quoted(name)} is no {key}", hint=f"it ends with {' or '.join(endings)}")


Entries = dict[str, tuple["Document[CaseFile]", "CaseEntry"]]


def check_scoring(entries: Entries, document: Document[AssignmentFile], facts: dict[str, CaseFacts]) -> None:
    """Check every group and every `after`; `facts` are those of the cases that could be built."""
    assert document.value is not None
    for name, (home, entry) in entries.items():
        if name in facts:
            _check_group(home, entry, document.value)
            _check_after(home, entry, entries, facts)
    _check_groups(document, facts)


def _check_group(home: Document[CaseFile], entry: CaseEntry, file: AssignmentFile) -> None:
    if entry.group and entry.group not in file.groups:
        node = find(home.node(entry), "group")
        hint = did_you_mean(entry.group, file.groups) if file.groups else "name it under `groups` in assignment.yaml"
        home.complaints.at(node, f"there is no group {entry.group}", hint=hint)


def _check_after(home: Document[CaseFile], entry: CaseEntry, entries: Entries, facts: dict[str, CaseFacts]) -> None:
    for node, name in zip(_items(find(home.node(entry), "after")), entry.after, strict=False):
        other = facts.get(name)
        if name not in entries or (other and entries[name][1].policy is not None):
            known = [each for each, (_, one) in entries.items() if one.policy is None and each != entry.id]
            home.complaints.at(node, f"there is no case {name} to wait for", hint=did_you_mean(name, known))
        elif _waits_for(name, entry.id, entries):
            circle = f"{entry.id} and {name} wait for each other" if name != entry.id else f"{name} waits for itself"
            home.complaints.at(node, circle, hint="take one of them out")
        elif other and FIRST_SEEN.index(facts[entry.id].visibility) < FIRST_SEEN.index(other.visibility):
            own = facts[entry.id].visibility
            seen = "visible" if own is Visibility.VISIBLE else f"seen {own.replace('_', ' ')}"
            message = f"{entry.id} is {seen} and waits for {name}, which is not: whether it runs would tell"
            home.complaints.at(node, message, hint="let it wait for a visible case, or hide it, too")


def _waits_for(first: str, other: str, entries: Entries) -> bool:
    """Tell whether one case comes after the other, however many stand between."""
    seen, todo = {first}, [first]
    while todo:
        name = todo.pop()
        if name == other:
            return True
        new = {each for each in entries[name][1].after if each in entries} - seen
        seen |= new
        todo += new
    return False


def _check_groups(document: Document[AssignmentFile], facts: dict[str, CaseFacts]) -> None:
    assert document.value is not None
    for name, group in document.value.groups.items():
        members = [fact for fact in facts.values() if fact.group == name]
        node = find(document.root, "groups", name)
        if not members:
            document.complaints.at(node, f"no case is in the group {name}", hint=f"write `group: {name}` in a case")
        elif len({fact.visibility for fact in members}) > 1 and (group.stop or group.score is not GroupScore.SUM):
            message = f"the cases of {name} are scored together, and some are hidden: their points would tell of them"
            document.complaints.at(node, message, hint="give all of them the same visibility")


def _items(node: Node) -> tuple[Node, ...]:
    return tuple(node.items) if isinstance(node, Sequence) else ()


def rehearse(case: Case, kit: Kit, puzzle: Any) -> str:
    """Have kit and judge do what they do for every student; say what fails, empty when nothing does."""
    doing = ""
    try:
        with redirect_stdout(sys.stderr):  # what a kit prints is for staff
            for step in _steps(case, kit, puzzle):
                doing = step
    except (Exception, SystemExit) as error:  # noqa: BLE001 - kits and judges are other people's code
        return f"{doing} fails on the case {case.id}: {type(error).__name__}: {error}"
    return ""


def _steps(case: Case, kit: Any, puzzle: Any) -> Iterator[str]:
    """Do one thing after the other; before each, say what it is."""
    judge, calls = registry.find(case.kind.judge), 1
    if case.kind.run.run_as is RunAs.FUNCTION and case.kind.run.args is None:
        yield f"`calls` of the kit {case.kind.kit}"
        calls = _counted(kit.calls(puzzle))
    if case.kind.run.run_as is RunAs.AGENT:
        yield f"the world of the kit {case.kind.kit}"
        _one_tick(*kit.world(puzzle))
    if case.expect is None:
        yield f"`solve` of the kit {case.kind.kit}"
        wire.encode(registry.key(judge, kit, puzzle))
    yield f"the judge {case.kind.judge}, given an empty answer,"
    replies = () if case.kind.run.run_as is RunAs.PROGRAM else (Reply(),) * calls
    record = RunRecord(ending=Ending.EXITED, exit_status=0, replies=replies)
    judged = judge.judge(Trial(case=case, kit=kit, puzzle=puzzle, record=record))
    if not isinstance(judged, Judgement) or not isinstance(judged.mismatch, Mismatch | None):
        told = judged.mismatch if isinstance(judged, Judgement) else judged
        raise TypeError(f"it gave {told!r:.80}, not a Judgement with a Mismatch")


def _one_tick(path: str, setup: Any) -> None:
    """Let an agent that answers nothing act once; the setup and the arguments must be plain data."""
    module, _, name = path.partition(":")
    wire.encode(setup)
    world = getattr(importlib.import_module(module), name)(setup)
    arguments = world.observe()
    if arguments is not None:
        wire.encode(tuple(arguments))
        world.act(None)
        world.observe()


def _counted(calls: Any) -> int:
    """Count the calls, each a tuple of plain arguments."""
    if not isinstance(calls, tuple | list) or not calls or not all(isinstance(each, tuple | list) for each in calls):
        raise TypeError(f"it gave {calls!r:.80}, not one tuple of arguments per call, such as ((puzzle,),)")
    wire.encode(calls)
    return len(calls)
