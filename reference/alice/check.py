"""Judge a claimed answer strictly, and say in the maze's terms what is wrong."""

from __future__ import annotations

from itertools import zip_longest

from grader.errors import CatalogueError, Fault
from grader.model.kit import WithheldError
from grader.model.result import Mismatch, Suspicion
from reference.alice import solve, suspects
from reference.alice.claim import Claim, count_of, path_of, says_unsolvable
from reference.alice.disguise import unmask
from reference.alice.puzzle import UNSOLVABLE, Maze, Place
from reference.alice.walk import Rules, Slip, count_moves, follow, written

Path = tuple[Place, ...]


def check(maze: Maze, claim: Claim | None, rules: Rules) -> Mismatch | None:
    """Give None when the claim is right, else what is wrong with it."""
    if claim is None:
        return _nothing_printed(rules)
    if says_unsolvable(maze, claim):
        return None if rules.steps == UNSOLVABLE else _gave_up(maze, rules)
    path, count = path_of(maze, claim), count_of(maze, claim)
    if path is None:
        return _no_path(claim, count, rules)
    if maze.start == maze.goal and path == (maze.start, maze.start):
        path = (maze.start,)  # the square twice is right for a walk of no moves
    return _check_path(maze, path, rules, count) or _check_count(path, count)


def _check_path(maze: Maze, path: Path, rules: Rules, count: int | None) -> Mismatch | None:
    slip = follow(maze, path, rules).slip or _short_of_goal(maze, path, rules)
    if slip:
        return _illegal(slip, maze, path, rules, count)
    moves = len(path) - 1
    if moves > rules.steps != UNSOLVABLE:
        return _too_long(maze, path, rules, count)
    if moves != rules.steps:
        fault = f"a path of {count_moves(moves)} keeps every rule, but the case expects {rules.steps}"
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
            names_cause=True,
        )
    why = ": that is its number of squares, and moves are one fewer" if count == moves + 1 else ""
    return Mismatch(
        kind="count",
        message=f"your path is right and has {count_moves(moves)}, but the number you printed is {count}{why}",
        expected=str(moves),
        found=str(count),
        right=("path",),
        names_cause=True,
    )


def _short_of_goal(maze: Maze, path: Path, rules: Rules) -> Slip | None:
    if path[-1] == maze.goal:
        return None
    moves, last, goal = len(path) - 1, rules.show(path[-1]), rules.show(maze.goal)
    message = f"your path ends at {last} after {count_moves(moves)}; the goal is {goal}"
    return Slip(move=moves, kind="wrong-end", message=message)


def _illegal(slip: Slip, maze: Maze, path: Path, rules: Rules, count: int | None) -> Mismatch:
    disguise = unmask(maze, path, rules)
    is_lost = rules.steps == UNSOLVABLE
    suspected = None if disguise else suspicion(maze, path, rules)
    says_enough = disguise or slip.kind == "passes-goal" or (suspected and suspected.names)
    reason = "" if says_enough else only_the_end(maze, path, rules)
    words = f"{disguise.words} ({slip.message})" if disguise else f"{slip.message}{reason}"
    lost = "this maze has no solution, but you print a path: " if is_lost else ""
    right = _right_count(count, rules)
    return Mismatch(
        kind="claimed-solution" if is_lost else disguise.kind if disguise else _kind_of(slip),
        message=f"{lost}{words}{'. Your number of moves is right' if right else ''}{rules.legend}",
        where=f"move {slip.move}" if slip.move else "the start",
        expected="no solution" if is_lost else f"a path of {count_moves(rules.steps)}",
        found=_shown(path, rules),
        step=slip.move,
        right=right,
        suspicion=suspected,
        names_cause=disguise is not None,
    )


def _kind_of(slip: Slip) -> str:
    return slip.kind if slip.kind in {"wrong-start", "wrong-end", "past-goal"} else "illegal-move"


def _right_count(count: int | None, rules: Rules) -> tuple[str, ...]:
    return ("count",) if count is not None and count == rules.steps else ()


def _too_long(maze: Maze, path: Path, rules: Rules, count: int | None) -> Mismatch:
    moves, reason = len(path) - 1, shorter(maze, path, rules)
    enough = "1 is enough" if rules.steps == 1 else f"{rules.steps} are enough"
    return Mismatch(
        kind="not-shortest",
        message=f"your path is legal but has {count_moves(moves)}; {enough}{reason}{rules.legend}",
        expected=count_moves(rules.steps),
        found=count_moves(moves),
        right=_right_count(count, rules),
        suspicion=suspicion(maze, path, rules),
    )


def _gave_up(maze: Maze, rules: Rules) -> Mismatch:
    if maze.start == maze.goal:
        lead = f"the start {rules.show(maze.start)} is the goal: that square alone is the path, with 0 moves"
    else:
        lead = f"{count_moves(rules.steps)} lead{'s' * (rules.steps == 1)} to the goal{shown_path(maze, rules)}"
    return Mismatch(
        kind="claimed-unsolvable",
        message=f"you say that there is no solution, but {lead}{rules.legend}",
        expected=count_moves(rules.steps),
        found="no solution",
        suspicion=suspicion(maze, None, rules),
    )


def _nothing_printed(rules: Rules) -> Mismatch:
    is_lost = rules.steps == UNSOLVABLE
    wanted = "there is no way to the goal here: print that there is no solution"
    return Mismatch(
        kind="no-answer",
        message=f"your program printed nothing; {wanted if is_lost else 'print the path and its number of moves'}",
        expected="that there is no solution" if is_lost else f"a path of {count_moves(rules.steps)}",
        found="nothing",
    )


def _no_path(claim: Claim, count: int | None, rules: Rules) -> Mismatch:
    right = _right_count(count, rules)
    if rules.steps == UNSOLVABLE:
        message = f"there is no way to the goal here, and your program doesn't say so; it ends with {claim.sample!r}"
    else:
        known = f"; its number of moves, {count}, is right" if right else ""
        message = f"no path can be read in what your program printed; it ends with {claim.sample!r}{known}"
    return Mismatch(
        kind="no-answer",
        message=message,
        expected="that there is no solution" if rules.steps == UNSOLVABLE else "a path such as (0, 0)->(0, 1)",
        found=claim.sample,
        right=right,
    )


def _shown(path: Path, rules: Rules) -> str:
    return written([rules.show(place) for place in path])


def shown_path(maze: Maze, rules: Rules) -> str:
    """Show a shortest path, as far as it is known here."""
    try:
        path = solve.solve(maze, rules.start_colour).path
    except WithheldError:
        return ""
    squares = maze.rows * maze.columns
    many = f" (more moves than the maze has squares, {squares})" if rules.steps > squares else ""
    return (
        f"{many}: {_annotated(maze, path, rules)}. Look for the first of these moves that your program doesn't make"
    )


def shorter(maze: Maze, path: Path, rules: Rules) -> str:
    """Say where a shorter path leaves the student's."""
    try:
        best = solve.solve(maze, rules.start_colour).path
    except WithheldError:
        return ""
    pairs = enumerate(zip_longest(best, path))
    fork = next(number for number, (theirs, yours) in pairs if theirs != yours)
    here, there, yours = (rules.show(place) for place in (best[fork - 1], best[fork], path[fork]))
    leaves = f". Move {fork} of a shorter one goes from {here} to {there}, yours to {yours}"
    return f"{leaves}: {_annotated(maze, best, rules)}"


def suspicion(maze: Maze, path: Path | None, rules: Rules) -> Suspicion | None:
    """Return the mistakes that explain a path; in the students' kit none is proved of a maze of one's own."""
    try:
        return suspects.suspect(maze, rules.start_colour, path)
    except WithheldError:
        return Suspicion(names=())


def only_the_end(maze: Maze, path: Path, rules: Rules) -> str:
    """Say that a wrong path lacks its beginning."""
    try:
        is_end = _is_end_of(path, solve.solve(maze, rules.start_colour).path)
    except WithheldError:
        return ""
    missing = "It is only the end of a path that visits the start again: the moves before that are missing"
    return f". {missing}" if is_end else ""


def _is_end_of(path: Path, best: Path) -> bool:
    return 0 < len(path) < len(best) and best[-len(path) :] == path and path[0] == best[0]


def _annotated(maze: Maze, path: Path, rules: Rules) -> str:
    """Write a path with each change of d."""
    trail = follow(maze, path, rules).d
    words = [rules.show(path[0])]
    for number, place in enumerate(path[1:], start=1):
        changed = trail[number] != trail[number - 1]
        words.append(f"{rules.show(place)}{f' ({maze.at(place).colour}, d = {trail[number]})' if changed else ''}")
    return written(words)
