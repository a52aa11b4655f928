"""Compares the value that a function returned with the expected one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from grader.judge.lines import Order, Strictness, refuse_contradiction
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Divergence, Expect, Explaining, expectation
from grader.model.result import Mismatch
from grader.model.run import python_text
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.kit import Kit, Puzzle


__all__ = ["Expect"]

NAME = "value"
_SHOWN = 200


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `options` of the judge `value`. A tuple always equals a list of the same items."""

    number_as_text: bool = False
    """Whether `24` and `"24"` are the same."""
    tolerance: Annotated[float, Meta(ge=0)] = 0.0
    """How far two numbers may be apart, absolute or relative."""
    order: Order = Order.KEPT
    """Whether the items of lists may come in any order; then a set is as good as a list."""
    repeats: Strictness = Strictness.KEEP
    """With `order: any`: whether it counts how often each item comes."""
    letter_case: Strictness = Strictness.KEEP
    """Whether capital and small letters differ."""

    def __post_init__(self) -> None:
        refuse_contradiction(self.order, self.repeats, self.tolerance)


def key(kit: Kit, puzzle: Puzzle) -> Expect:
    return Expect(value=expectation(kit, puzzle).value)


def judge(trial: Trial) -> Judgement:
    """Find the first place in which the values differ."""
    stored = trial.case.expect
    expected = (key(trial.kit, trial.puzzle) if stored is None else stored).value
    found = trial.record.replies[0].value
    divergence = difference(expected, found, msgspec.convert(trial.case.options, Options))
    if divergence is None:
        return Judgement(verdict=Verdict.AC)
    if isinstance(trial.kit, Explaining):
        return Judgement(verdict=Verdict.WA, mismatch=trial.kit.explain(trial.puzzle, divergence))
    return Judgement(verdict=Verdict.WA, mismatch=_plain(divergence))


def difference(expected: Any, found: Any, leniency: Options) -> Divergence | None:
    """Return the first place, in the order of the expected value, where the two differ."""
    if leniency.order is Order.ANY:
        expected, found = unordered(expected, leniency), unordered(found, leniency)
    return _difference(expected, found, leniency, ())


def _difference(expected: Any, found: Any, leniency: Options, where: tuple[Any, ...]) -> Divergence | None:
    if isinstance(expected, list) and isinstance(found, list):
        for index, (want, got) in enumerate(zip(expected, found, strict=False)):
            if (inner := _difference(want, got, leniency, (*where, index))) is not None:
                return inner
        if len(expected) == len(found):
            return None
    elif isinstance(expected, dict) and isinstance(found, dict):
        for key, want in expected.items():
            if key in found and (inner := _difference(want, found[key], leniency, (*where, key))) is not None:
                return inner
        if expected.keys() == found.keys():
            return None
    elif _same(expected, found, leniency):
        return None
    return Divergence(where=where, expected=expected, found=found)


def unordered(value: Any, leniency: Options) -> Any:
    """Return plain data with the items of every list sorted by how they are written; a set becomes a list."""
    if isinstance(value, dict):
        if value.keys() == {"$set"} and isinstance(value["$set"], list):
            return unordered(value["$set"], leniency)
        return {key: unordered(item, leniency) for key, item in value.items()}
    if not isinstance(value, list):
        is_caseless = leniency.letter_case is Strictness.IGNORE and isinstance(value, str)
        return value.casefold() if is_caseless else value
    items = sorted((unordered(item, leniency) for item in value), key=json_bytes)
    if leniency.repeats is Strictness.KEEP:
        return items
    return [item for index, item in enumerate(items) if not index or item != items[index - 1]]


def _same(expected: Any, found: Any, leniency: Options) -> bool:
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, int | float) and isinstance(found, int | float):
        if leniency.tolerance and not isinstance(expected, bool):
            return math.isclose(expected, found, rel_tol=leniency.tolerance, abs_tol=leniency.tolerance)
        return expected == found
    if leniency.letter_case is Strictness.IGNORE and isinstance(expected, str) and isinstance(found, str):
        return expected.casefold() == found.casefold()
    if leniency.number_as_text and isinstance(expected, str) and isinstance(found, int | str):
        return expected.strip() == str(found).strip()
    return type(expected) is type(found) and bool(expected == found)


def _plain(divergence: Divergence) -> Mismatch:
    place = "the returned value" + "".join(f"[{part!r}]" for part in divergence.where)
    expected, found = _show(divergence.expected), _show(divergence.found)
    return Mismatch(
        kind="value",
        message=f"{place} is {found}; expected {expected}.",
        where=place,
        expected=expected,
        found=found,
    )


def _show(value: Any) -> str:
    if isinstance(value, dict) and "$object" in value:
        return f"a {value['$object']} object"
    text = python_text(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def json_bytes(value: Any) -> bytes:
    """Write plain data so that numbers and numeric text, lists and tuples come out alike."""
    import json  # noqa: PLC0415 - few judges compare so

    return json.dumps(_alike(value), sort_keys=True, separators=(",", ":")).encode()


def _alike(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_alike(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _alike(item) for key, item in value.items()}
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
