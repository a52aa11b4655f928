"""A course of its own, for tests: a kit that has nothing to do with mazes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.model.assignment import Assignment, Case, CaseFacts, Handin, Kind, PolicySpec, RunAs, RunSpec
from grader.model.kit import Expect, Shape
from grader.model.result import Mismatch
from grader.model.run import File, Limits
from grader.model.scene import Scene
from grader.model.submission import Submission
from grader.pipeline.prepare import Plan, prepare_case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.dice import Dice
    from grader.model.run import RunRecord


class DoublingKit:
    """The puzzle is a number; the answer is its double."""

    def parse(self, text: str) -> int:
        return int(text)

    def write(self, puzzle: int) -> str:
        return f"{puzzle}\n"

    def solve(self, puzzle: int) -> int:
        return 2 * puzzle

    def expect(self, puzzle: int) -> Expect:
        return Expect(value=2 * puzzle)

    def read(self, record: RunRecord) -> int | None:
        text = record.stdout.content().decode("utf-8", "replace").strip()
        if text == "boom":
            raise RuntimeError("a fault of the kit")
        return int(text) if text.lstrip("-").isdigit() else None

    def check(self, puzzle: int, claim: int | None, expect: Expect) -> Mismatch | None:
        if claim == expect.value:
            return None
        right = ("sign",) if claim is not None and claim < 0 and -claim == expect.value else ()
        return Mismatch(kind="double", message=f"twice {puzzle} is {expect.value}, not {claim}.", right=right)

    def shapes(self) -> dict[str, Shape]:
        return {"any": Shape(title="A number", hunted=(0, 1000))}

    def vary(self, dice: Dice, shape: str, size: int | None = None) -> str:
        del shape
        return self.write(dice.pick(1001) if size is None else size)

    def smaller(self, puzzle: int) -> Iterator[int]:
        yield from (number for number in (puzzle // 2, puzzle - 1) if 0 <= number < puzzle)

    def draw(self, puzzle: int, claim: int | None) -> Scene:
        return Scene(rows=1, columns=1, squares=(), title=f"{puzzle} {claim}")


def kit() -> DoublingKit:
    """Make the kit, as an assignment names it."""
    return DoublingKit()


KIND = Kind(
    name="double",
    run=RunSpec(run_as=RunAs.PROGRAM, module="double.py", argv=("{file}",), file="n.txt"),
    kit="doubling",
    judge="claim",
)


def case(number: int, **more: Any) -> Case:
    text = f"{number}\n"
    names = set(more) & set(CaseFacts.__struct_fields__)
    told = {"id": f"n{number}", "title": f"Double {number}"} | {name: more.pop(name) for name in names}
    known: dict[str, Any] = {"limits": Limits(cpu_s=1, wall_s=5), "facts": CaseFacts(**told)}
    return Case(**(known | more), kind=KIND, input=text, raw=text.encode(), expect=Expect(value=2 * number))


def plan(*cases: Case, policy: PolicySpec | None = None, repeat: int = 1) -> Plan:
    assignment = Assignment(
        name="double",
        title="Doubling",
        files=(Handin(name="double.py"),),
        kinds={"double": KIND},
        policy=policy or PolicySpec(ban=("itertools",)),
        cases=cases,
    )
    made = kit()
    return Plan(assignment=assignment, cases=tuple(prepare_case(each, made) for each in cases), repeat=repeat)


RIGHT = "import sys\nprint(2 * int(open(sys.argv[1]).read()))\n"


def student(name: str, source: str = RIGHT) -> Submission:
    return Submission(id=name, files=(File(path="double.py", content=source.encode()),))
