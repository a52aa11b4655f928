"""The left-hand kit: its functions behind the harness's protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.lefthand import claim, draw, explain, mistaken, parse, suspects, transcript, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.dice import Dice
    from grader.model.kit import Divergence, Shape
    from grader.model.result import Accusation, Mismatch
    from grader.model.scene import Scene
    from reference.lefthand.claim import Claim
    from reference.lefthand.maze import Maze, Pose

SOLVERS = (
    "reference.lefthand.walk",
    "reference.lefthand.transcript:Drawing,transcript",
    "reference.lefthand.lines",
    "reference.lefthand.maze:BLANK,LEFT_BEHIND,Facing,_LEFT,_STEPS,_ARROWS,Pose,Maze",
)


class LeftHand:
    """Reads, walks, explains, generates and draws left-hand mazes."""

    def parse(self, text: str) -> Maze:
        return parse.parse(text)

    def write(self, puzzle: Maze) -> str:
        return parse.write(puzzle)

    def solve(self, puzzle: Maze) -> tuple[Pose, ...]:
        return tuple(walk.walk(puzzle))

    def lent(self, puzzle: Maze) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Name the walk, its pictures, and the walks of wrong rules."""
        yield from ((function, (puzzle,)) for function in (walk.walk, transcript.pictures))
        yield from ((mistaken.walk_text, (puzzle, name)) for name in ("", *suspects.NAMES))

    def read(self, record: RunRecord) -> Claim | None:
        return claim.read(record)

    def check(self, puzzle: Maze, claimed: Claim | None, expect: Any) -> Mismatch | None:
        """Check the poses; the expectation adds nothing, as a maze has one walk."""
        del expect
        return claim.check(puzzle, claimed)

    def smaller(self, puzzle: Maze) -> Iterator[Maze]:
        from reference.lefthand import generate  # noqa: PLC0415  # only a hunt needs it

        return generate.smaller(puzzle)

    def shapes(self) -> dict[str, Shape]:
        from reference.lefthand import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.SHAPES

    def vary(self, dice: Dice, shape: str, size: int | None = None) -> str:
        from reference.lefthand import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.vary(dice, shape, size)

    def difficulty(self, puzzle: Maze) -> dict[str, float]:
        from reference.lefthand import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.difficulty(puzzle)

    def draw(self, puzzle: Maze, claimed: Claim | None) -> Scene:
        return draw.draw(puzzle, claimed)

    def transcript(self, puzzle: Maze) -> Iterator[str]:
        return transcript.transcript(puzzle)

    def tell(self, puzzle: Maze) -> Iterator[RunRecord]:
        """Print the transcript as a program does."""
        text = "".join(f"{line}\n" for line in transcript.transcript(puzzle))
        yield RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text.encode()))

    def explain(self, puzzle: Maze, divergence: Divergence) -> Mismatch:
        return explain.explain(puzzle, divergence)

    def would_pass(self, puzzle: Maze, suspect: str) -> bool:
        return suspects.would_pass(puzzle, suspect)

    def accuse(self, names: tuple[str, ...]) -> Accusation | None:
        return suspects.accuse(names)


def kit() -> LeftHand:
    """Give the kit; the left-hand rule has no variants."""
    return LeftHand()
