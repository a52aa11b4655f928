"""Has kits make the cases that `generate` asks for."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import msgspec

from grader.catalogue.kits import KitError, fresh_text, has_answers
from grader.catalogue.loading.files import CaseEntry
from grader.catalogue.loading.inputs import Input
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.placed_yaml.nodes import Sequence, find
from grader.model.dice import Dice
from grader.model.kit import Generating, Shape

if TYPE_CHECKING:
    from grader.catalogue.loading.files import CaseFile, Generate
    from grader.catalogue.placed_yaml.decode import Document
    from grader.model.assignment import CaseFacts
    from grader.model.kit import Kit
    from grader.model.run import Limits


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """One case that a kit made for an entry."""

    entry: CaseEntry
    number: int
    name: str
    """Of the shape."""
    shape: Shape
    input: Input

    @property
    def id(self) -> str:
        return f"{self.entry.id}-{self.number}"

    def facts_over(self, facts: CaseFacts) -> CaseFacts:
        """Return the entry's facts with what the shape says."""
        title = f"{facts.title} {self.number}: {self.shape.title}"
        tags = (*facts.tags, self.name)
        return msgspec.structs.replace(facts, id=self.id, title=title, tags=tags, hint=facts.hint or self.shape.hint)

    def limits_over(self, limits: Limits) -> Limits:
        """Return the limits with those that the shape needs."""
        return msgspec.structs.replace(limits, **self.shape.limits)


def make(document: Document[CaseFile], entry: CaseEntry, kit: Kit) -> tuple[Made, ...]:
    """Make the cases; what can't be had is a fault at its place."""
    wish, node = entry.generate, find(document.node(entry), "generate")
    assert wish is not None
    if not isinstance(kit, Generating) or not has_answers(kit):
        lacks = "vary" if has_answers(kit) else "solve"
        hint = "see docs/fields.md, and Generating in grader/model/kit.py"
        document.complaints.at(node, f"the kit has no `{lacks}`, so it can't make cases", hint=hint)
        return ()
    if entry.expect:
        message = "the kit is asked for the answers of the cases that it makes: expect means nothing here"
        document.complaints.at(find(document.node(entry), "expect"), message, hint="take it out")
    shapes = _wanted(document, wish, kit)
    try:
        turns = itertools.islice(itertools.cycle(shapes.items()), wish.count)
        return tuple(_made(entry, kit, *turn, number) for number, turn in enumerate(turns, 1))
    except KitError as error:
        document.complaints.at(node, error.message)
        return ()


def _made(entry: CaseEntry, kit: Generating, name: str, shape: Shape, number: int) -> Made:
    """Make one case; the id is part of the seed, so that entries with the same one differ."""
    assert entry.generate is not None
    dice = Dice(f"{entry.generate.seed}/{entry.id}/{name}/{number}")
    text = fresh_text(kit, dice, name, entry.generate.size)
    return Made(entry=entry, number=number, name=name, shape=shape, input=Input(text=text, raw=text.encode()))


def _wanted(document: Document[CaseFile], wish: Generate, kit: Generating) -> dict[str, Shape]:
    """Return the shapes to take in turn; what can't be had of those named is a fault."""
    known = kit.shapes()
    if not wish.shapes:
        return {name: shape for name, shape in known.items() if _fits(wish, shape)} or _no_size(document, wish, known)
    node = find(document.node(wish), "shapes")
    for name, at in zip(wish.shapes, node.items if isinstance(node, Sequence) else (), strict=False):
        if name not in known:
            document.complaints.at(at, f"the kit makes no {name}", hint=did_you_mean(name, known))
        elif not _fits(wish, known[name]):
            document.complaints.at(find(document.node(wish), "size"), _range(name, known[name]))
    return {name: known[name] for name in wish.shapes if name in known and _fits(wish, known[name])}


def _fits(wish: Generate, shape: Shape) -> bool:
    return wish.size is None or (shape.sizes is not None and shape.sizes[0] <= wish.size <= shape.sizes[1])


def _no_size(document: Document[CaseFile], wish: Generate, known: dict[str, Shape]) -> dict[str, Shape]:
    told = "; ".join(_range(name, shape) for name, shape in known.items() if shape.sizes)
    message = f"the kit makes nothing of size {wish.size}"
    document.complaints.at(find(document.node(wish), "size"), message, hint=told or "leave it out")
    return {}


def _range(name: str, shape: Shape) -> str:
    if shape.sizes is None:
        return f"{name} has a size of its own"
    return f"{name} can have a size from {shape.sizes[0]} to {shape.sizes[1]}"
