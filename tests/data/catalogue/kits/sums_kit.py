"""A toy kit: the puzzle is rows of digits, the answer their sum."""

from typing import Annotated

import msgspec

from grader.model.kit import PuzzleError, Shape


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    steps: Annotated[int, msgspec.Meta(ge=-1)] | None = None
    value: object = None


class Sums:
    Expect = Expect

    def __init__(self, factor, form):
        self.factor = factor
        self.form = form

    def parse(self, text):
        rows = text.splitlines()
        if not rows:
            raise PuzzleError("the puzzle is empty", hint="write digits")
        for number, row in enumerate(rows, 1):
            for column, character in enumerate(row, 1):
                if character == "!":
                    raise RuntimeError("boom")
                if not character.isdigit():
                    raise PuzzleError(f"{character!r} is no digit", line=number, column=column, hint="only digits")
        return tuple(rows)

    def write(self, puzzle):
        return "\n".join(puzzle) + "\n"

    def solve(self, puzzle):
        return self.factor * sum(int(digit) for row in puzzle for digit in row)

    def expect(self, puzzle):
        if self.form == "transcript":
            return Expect()
        if self.form == "value":
            return Expect(value=[[int(digit) for digit in row] for row in puzzle])
        return Expect(steps=self.solve(puzzle))

    def transcript(self, puzzle):
        for row in puzzle:
            yield row
            yield f"Sum: {sum(int(digit) for digit in row)}"

    def read(self, record):
        return None

    def check(self, puzzle, claim, expect):
        return None

    def shapes(self):
        return {"one": Shape(title="The digit 1", hunted=(1, 1))}

    def vary(self, dice, shape, size=None):
        return "1\n"

    def draw(self, puzzle, claim):
        return None


def kit(*, factor=1, form="steps"):
    if not isinstance(factor, int):
        raise ValueError("factor must be a whole number")
    return Sums(factor, form)
