"""Checks how cases depend on each other: groups, and cases that wait for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.placed_yaml.nodes import Sequence, find
from grader.model.assignment import GroupScore
from grader.model.verdict import FIRST_SEEN, Visibility

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader.catalogue.loading.files import AssignmentFile, CaseEntry, CaseFile
    from grader.catalogue.placed_yaml.decode import Document
    from grader.catalogue.placed_yaml.nodes import Node
    from grader.model.assignment import CaseFacts

Entries = dict[str, tuple["Document[CaseFile]", "CaseEntry"]]


def check_scoring(entries: Entries, document: Document[AssignmentFile], facts: Mapping[str, CaseFacts]) -> None:
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


def _check_after(
    home: Document[CaseFile], entry: CaseEntry, entries: Entries, facts: Mapping[str, CaseFacts]
) -> None:
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


def _check_groups(document: Document[AssignmentFile], facts: Mapping[str, CaseFacts]) -> None:
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
