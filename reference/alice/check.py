"""Judge a claimed answer strictly, and say in the maze's terms what is wrong."""

from __future__ import annotations

from grader.errors import CatalogueError, Fault
from grader.model.result import Mismatch
from reference.alice.claim import Claim, count_of, path_of, says_unsolvable
from reference.alice.puzzle import UNSOLVABLE, Maze, Place
from reference.alice.walk import Rules, Slip, follow

Path = tuple[Place, ...]


def check(maze: Maze, claim: Claim | None, rules: Rules) -> Mismatch | None:
    """Give None when the claim is right, else what is wrong with it."""
    if claim is None:
        return _nothing_printed()
    if says_unsolvable(maze, claim):
        return None if rules.steps == UNSOLVABLE else _gave_up(rules)
    path, count = path_of(maze, claim), count_of(maze, claim)
    if path is None:
        return _no_path(claim, count, rules)
    if maze.start == maze.goal and path == (maze.start, maze.start):
        path = (maze.start,)  # the square twice is right for a walk of no moves
    return _check_path(maze, path, rules, count) or _check_count(path, count)


def _check_path(maze: Maze, path: Path, rules: Rules, count: int | None) -> Mismatch | None:
    right = ("count",) if count == rules.steps else ()
    slip = follow(maze, path, rules).slip or _short_of_goal(maze, path, rules)
    if slip:
        return _illegal(slip, maze, path, rules, right)
    moves = len(path) - 1
    if moves > rules.steps != UNSOLVABLE:
        return _too_long(moves, rules, right)
    if moves != rules.steps:
        fault = f"a path of {_moves(moves)} keeps every rule, but the case expects {rules.steps}"
        raise CatalogueError([Fault(message=fault, hint="record the case again: grader cases record")])
    return None


def _check_count(path: Path, count: int | None) -> Mismatch | None:
    moves = len(path) - 1
    if count == moves:
        return None
    if count is None:
        return Mismatch(
            kind="count-missing",
            message=f"your path is right, but its number of moves ({moves}) isn't printed",
            expected=str(moves),
            found="no number",
            right=("path",),
        )
    why = ": that is its number of squares, and moves are one fewer" if count == moves + 1 else ""
    return Mismatch(
        kind="count",
        message=f"your path is right and has {_moves(moves)}, but the number you printed is {count}{why}",
        expected=str(moves),
        found=str(count),
        right=("path",),
    )


def _short_of_goal(maze: Maze, path: Path, rules: Rules) -> Slip | None:
    if path[-1] == maze.goal:
        return None
    moves, last, goal = len(path) - 1, rules.show(path[-1]), rules.show(maze.goal)
    message = f"your path ends at {last} after {_moves(moves)}; the goal is {goal}"
    return Slip(move=moves, kind="wrong-end", message=message)


def _illegal(slip: Slip, maze: Maze, path: Path, rules: Rules, right: tuple[str, ...]) -> Mismatch:
    if rules.steps == UNSOLVABLE:
        return Mismatch(
            kind="claimed-solution",
            message=f"this maze has no solution, but you print a path: {slip.message}",
            where=f"move {slip.move}" if slip.move else "the start",
            expected="no solution",
            found=_shown(path, rules),
            step=slip.move,
        )
    hint = _hint(maze, path, rules)
    return Mismatch(
        kind="illegal-move" if slip.kind not in {"wrong-start", "wrong-end", "past-goal"} else slip.kind,
        message=f"{slip.message}{hint}",
        where=f"move {slip.move}" if slip.move else "the start",
        expected=f"a path of {_moves(rules.steps)}",
        found=_shown(path, rules),
        step=slip.move,
        right=right,
    )


def _hint(maze: Maze, path: Path, rules: Rules) -> str:
    """Name the slip of the pen that would explain the whole path."""
    turned = tuple((column, row) for row, column in path)
    written = rules.show((0, 1))
    order = "(column, row)" if written == "(1,0)" else "(row, column)"
    for other, hint in (
        (tuple(reversed(path)), "read from its end it would be legal: print it from the start to the goal"),
        (turned, f"with the two numbers of each square exchanged it would be legal: here squares are {order}"),
        ((maze.start, *path), "with the start before it, it would be legal: the start belongs to the path"),
        ((*path, maze.goal), "with the goal after it, it would be legal: the goal belongs to the path"),
    ):
        if other[-1] == maze.goal and follow(maze, other, rules).slip is None:
            return f" ({hint})"
    return ""


def _too_long(moves: int, rules: Rules, right: tuple[str, ...]) -> Mismatch:
    enough = "1 is enough" if rules.steps == 1 else f"{rules.steps} are enough"
    return Mismatch(
        kind="not-shortest",
        message=f"your path is legal but has {_moves(moves)}; {enough}",
        expected=_moves(rules.steps),
        found=_moves(moves),
        right=right,
    )


def _gave_up(rules: Rules) -> Mismatch:
    return Mismatch(
        kind="claimed-unsolvable",
        message=f"you say that there is no solution, but {_moves(rules.steps)} lead to the goal",
        expected=_moves(rules.steps),
        found="no solution",
    )


def _nothing_printed() -> Mismatch:
    return Mismatch(
        kind="no-answer",
        message="your program printed nothing: print the path and its number of moves, or that there is no solution",
        expected="a path",
        found="nothing",
    )


def _no_path(claim: Claim, count: int | None, rules: Rules) -> Mismatch:
    wanted = "that there is no solution" if rules.steps == UNSOLVABLE else "a path such as (0, 0)->(0, 1)"
    return Mismatch(
        kind="no-answer",
        message=f"no path can be read in what your program printed; it ends with {claim.sample!r}",
        expected=wanted,
        found=claim.sample,
        right=("count",) if count is not None and count == rules.steps else (),
    )


def _moves(number: int) -> str:
    return "1 move" if number == 1 else f"{number} moves"


def _shown(path: Path, rules: Rules) -> str:
    places = [rules.show(place) for place in path]
    if len(places) > 40:
        places[20:-19] = ["…"]
    return "->".join(places)
