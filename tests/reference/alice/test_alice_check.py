"""Promises of the strict judgement and its explanations."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from drawn import puzzles_of
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import CatalogueError
from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.alice import csv, grid, text263
from reference.alice.accuse import ARROW_NAMES, MISTAKES
from reference.alice.kit import ExpectedSteps
from reference.alice.mistaken import fewest_moves
from reference.alice.puzzle import Arrow, Colour, Maze, Square, StartColour

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from grader.model.result import Mismatch
    from reference.alice.kit import AliceKit

KIT = csv.kit()
EXAMPLE = text263.parse("3\ns=(2,0)\ng=(0,1)\nr:(r,dr,d) goal y:(dl)\nb:(u) b:(u) b:(dl)\nb:(u,r) b:(r) b:(u)\n")
LOST = csv.parse("2\n0,0\n1,1\nB,4,B,48\nB,0,G,0\n")
BLANKS = csv.parse("3\n0,0\n0,2\nR,4,N,0,G,0\nN,0,N,0,N,0\nN,0,N,0,N,0\n")


def say(kit: AliceKit, text: str) -> RunRecord:
    return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text.encode()))


def judge(text: str, maze: Maze = EXAMPLE, kit: AliceKit | None = None) -> Mismatch | None:
    kit = kit or text263.kit()
    return kit.check(maze, kit.read(say(kit, text)), kit.expect(maze))


def found(text: str, maze: Maze = EXAMPLE, kit: AliceKit | None = None) -> Mismatch:
    mismatch = judge(text, maze, kit)
    assert mismatch is not None
    return mismatch


@pytest.mark.parametrize("module", [csv, grid, text263], ids=["csv", "grid", "263"])
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_the_checker_accepts_the_solver_s_answer(module: ModuleType, data: st.DataObject) -> None:
    """Written as the assignment asks, the reference's answer is right."""
    kit: AliceKit = module.kit()
    maze = data.draw(puzzles_of(kit))
    answer = kit.solve(maze)
    text = "->".join(kit.form.show(place) for place in answer.path) + f"\n{answer.steps}\n"
    assert judge(text if answer.path else "No solution\n", maze, kit) is None
    other = "No solution" if answer.path else "(0, 0)->(0, 1)\n1"
    assert judge(other, maze, kit) is not None


def test_the_example_s_path_is_right() -> None:
    """The handout's answer passes."""
    path = "(2, 0) -> (1, 0) -> (0, 0) -> (0, 2) -> (1, 1) -> (0, 1)"
    assert judge(f"The shortest path length was 5 steps.\nThe path was {path}.") is None


def test_a_longer_legal_path_says_how_many_are_enough() -> None:
    """The example's other path has a move too many."""
    mismatch = found("(2, 0)->(1, 0)->(0, 0)->(2, 2)->(0, 2)->(1, 1)->(0, 1)\n6")
    assert mismatch.kind == "not-shortest"
    assert mismatch.message.startswith(
        "your path is legal but has 6 moves; 5 are enough. Move 3 of a shorter one goes"
    )
    assert "from (0, 0) to (0, 2), yours to (2, 2): (2, 0)->(1, 0)->(0, 0) (red, d = 2)->(0, 2)" in mismatch.message
    assert mismatch.right == ()


def test_a_wrong_distance_names_the_colour_that_changed_d() -> None:
    """The explanation goes back to the square whose colour was forgotten."""
    mismatch = found("(2, 0)->(1, 0)->(0, 0)->(1, 1)->(0, 1)\n4")
    assert mismatch.message.startswith(
        "move 2 lands on (0, 0), which is red: d rises from 1 to 2; your next move went 1 square"
    )
    assert (mismatch.kind, mismatch.where, mismatch.step) == ("illegal-move", "move 3", 3)
    mismatch = found("(2, 0)->(1, 0)->(0, 0)->(0, 2)->(2, 0)->(1, 0)\n5")
    assert mismatch.message.startswith("move 3 lands on (0, 2), which is yellow: d drops from 2 to 1; your next move")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(2, 0)->(2, 2)\n1", "d is 1 at the start; your first move went 2 squares"),
        ("(2, 0)->(3, 0)->(0, 1)\n2", "leaves the grid: (3, 0)"),
        ("(2, 0)->(0, 1)\n1", "no straight line"),
        ("(2, 0)->(1, 1)->(0, 1)\n2", "(2, 0) has no arrow that way (only N, E)"),
        ("(2, 0)->(2, 0)->(0, 1)\n2", "stays on (2, 0)"),
        ("(2, 0)->(1, 0)->(0, 0)->(0, 1)\n3", "over the goal (0, 1) to (0, 2); only landing on the goal counts"),
        ("(2, 0)->(1, 0)->(0, 0)->(0, 2)->(1, 1)->(0, 1)->(0, 0)\n6", "move 5 reaches the goal (0, 1)"),
        ("(2, 0)->(1, 0)->(0, 0)\n2", "your path ends at (0, 0) after 2 moves"),
        ("Hello", "ends with 'Hello'"),
        ("", "printed nothing"),
        ("The maze has no solution.", "but 5 moves lead to the goal"),
    ],
)
def test_each_fault_is_explained_in_the_maze_s_terms(text: str, words: str) -> None:
    """The student reads what is wrong where."""
    assert words in found(text).message


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(1, 0)->(0, 0)->(0, 2)->(1, 1)->(0, 1)\n5", "start-missing"),
        ("(2, 0)->(1, 0)->(0, 0)->(0, 2)->(1, 1)\n5", "goal-missing"),
        ("(0, 1)->(1, 1)->(0, 2)->(0, 0)->(1, 0)->(2, 0)\n5", "path-backwards"),
        ("(0, 2)->(0, 1)->(0, 0)->(2, 0)->(1, 1)->(1, 0)\n5", "exchanged-numbers"),
        ("(3, 1)->(2, 1)->(1, 1)->(1, 3)->(2, 2)->(1, 2)\n5", "counted-from-1"),
        ("(0, 0)->(1, 0)->(2, 0)->(2, 2)->(1, 1)->(2, 1)\n5", "rows-from-below"),
    ],
)
def test_a_legal_path_in_another_way_of_writing_is_recognised(text: str, kind: str) -> None:
    """The student reads how it is written, and that the number is right."""
    mismatch = found(text)
    assert mismatch.kind == kind
    assert "Your number of moves is right" in mismatch.message


def test_an_answer_on_a_maze_without_solution_is_asked_for_as_such() -> None:
    """Nobody is told to print a path where there is none."""
    for text in ("", "-1", "None"):
        mismatch = found(text, LOST, csv.kit())
        assert (mismatch.kind, mismatch.expected) == ("no-answer", "that there is no solution")


def test_the_last_of_two_answers_counts() -> None:
    """A search that gives up on the way may say so; what is printed last is the answer."""
    path = "(2, 0)->(1, 0)->(0, 0)->(0, 2)->(1, 1)->(0, 1)\n5"
    assert judge(f"No solution\n{path}") is None
    assert found(f"{path}\nNo solution").kind == "claimed-unsolvable"
    assert judge(f"no solution from (2, 2)\n{path}") is None


def test_no_solution_is_answered_by_a_path() -> None:
    """The student sees each change of d; of the many mistakes that find no path none is named by one maze."""
    mismatch = found("no solution")
    assert "(2, 0)->(1, 0)->(0, 0) (red, d = 2)->(0, 2) (yellow, d = 1)->(1, 1)->(0, 1)" in mismatch.message
    assert mismatch.suspicion is not None
    assert {"YellowIgnored", "NoDiagonals", "NeverThere"} < {*mismatch.suspicion.names}
    assert "RedIgnored" not in mismatch.suspicion.names
    assert "with 0 moves" in found("no solution", csv.parse("1\n0,0\n0,0\nG,0\n"), csv.kit()).message


def test_mistaken_rules_explain_a_path_that_is_shortest_by_them() -> None:
    """Only where the whole path keeps them."""
    suspicion = found("(0, 0)->(0, 2)\n1", BLANKS, csv.kit()).suspicion
    assert suspicion is not None
    assert "StartCounts" in suspicion.names
    other = found("(2, 0)->(1, 0)->(0, 0)->(0, 1)\n3").suspicion
    assert other is not None
    assert "StartCounts" not in other.names


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("RedIgnored",), "a program that doesn't add 1 to d on red squares."),
        (("RedIgnored", "UpToD"), "red squares, or one that makes moves that are shorter than d"),
        (("exchanged: N S", "wrong: N E", "wrong: N W", "wrong: N nowhere"), "whose arrow N (up) leads a wrong way."),
        (("turned: 1", "turned: 4", "Exchanged", "NeverThere"), "You say of every maze that there is no solution"),
        (("turned: 1",), "turns every arrow an eighth clockwise"),
    ],
)
def test_what_mistakes_have_in_common_is_said(names: tuple[str, ...], words: str) -> None:
    accusation = KIT.accuse(names)
    assert accusation is not None
    assert words in accusation.words


def test_too_many_mistakes_accuse_nobody() -> None:
    assert KIT.accuse(("RedIgnored", "UpToD", "Wraps", "FirstArrow")) is None


def test_every_mistake_shows_in_some_maze_and_has_words() -> None:
    """None is the right search in disguise (the start never counts here, and caps show in few); each can be told."""
    mazes = [*seeded_mazes(300)]
    tables = [fewest_moves(maze, StartColour.IGNORED) for maze in mazes]
    shown = {name for table in tables for name, fewest in table.items() if fewest != table[""]}
    assert {*MISTAKES, *ARROW_NAMES} - shown <= {"StartIgnored", "GridCaps"}
    assert all(KIT.accuse((name,)) for name in tables[0] if name)


def seeded_mazes(count: int) -> Iterator[Maze]:
    dice = random.Random(4)
    for _ in range(count):
        rows, columns = dice.randint(3, 8), dice.randint(3, 8)
        places = [(row, column) for row in range(rows) for column in range(columns)]
        start, goal = dice.sample(places, 2)
        yield Maze(
            rows=rows, columns=columns, start=start, goal=goal, squares=tuple(seeded_square(dice) for _ in places)
        )


def seeded_square(dice: random.Random) -> Square:
    colour = dice.choice([Colour.BLACK, Colour.RED, Colour.RED, Colour.YELLOW, Colour.NONE])
    return Square(colour=colour, arrows=tuple(dice.sample(tuple(Arrow), dice.randint(1, 4))) if colour else ())


def test_suspects_give_up_on_a_large_maze() -> None:
    """The path is still shown; no search by mistaken rules is tried."""
    size = 60
    row = ",".join(["B,4"] * (size - 1) + ["B,6"])
    maze = csv.parse(f"{size}\n0,0\n0,{size - 1}\n" + "\n".join([row] * size) + "\n")
    message = found("no solution", maze, csv.kit()).message
    assert "59 moves lead to the goal: (0, 0)->(0, 1)" in message
    assert found("no solution", maze, csv.kit()).suspicion is None


def test_path_and_count_are_told_apart() -> None:
    """Half right answers say which half, for partial credit."""
    path = "(2, 0)->(1, 0)->(0, 0)->(0, 2)->(1, 1)->(0, 1)"
    squares = found(f"{path}\n6")
    assert (squares.kind, squares.right) == ("count", ("path",))
    assert "number of squares" in squares.message
    assert (found(path).kind, found(path).right) == ("count-missing", ("path",))
    assert found("(2, 0)->(1, 0)->(0, 1)\n5").right == ("count",)
    assert found("5 steps").right == ("count",)
    longer = "(2, 0)->(1, 0)->(0, 0)->(2, 2)->(0, 2)->(1, 1)->(0, 1)\n5"
    assert (found(longer).kind, found(longer).right) == ("not-shortest", ("count",))


def test_d_below_one_ends_the_walk() -> None:
    """A path that goes on from d = 0 is told why."""
    maze = csv.parse("2\n0,0\n1,1\nB,4,Y,6\nB,5,G,0\n")
    assert "d drops from 1 to 0: there is no further move" in found("(0, 0)->(0, 1)->(1, 1)\n2", maze).message


def test_a_blank_square_can_be_passed_but_not_landed_on() -> None:
    """Landing on N is a fault of its own."""
    assert "which is blank" in found("(0, 0)->(0, 1)->(0, 2)\n2", BLANKS, csv.kit()).message
    applied = csv.kit(start_colour="applied")
    assert judge("(0, 0)->(0, 2)\n1", BLANKS, applied) is None
    assert "its colour red counts" in found("(0, 0)->(0, 1)->(0, 2)\n2", BLANKS, applied).message


def test_a_path_through_a_maze_without_solution_is_explained() -> None:
    """The first illegal move is named."""
    mismatch = found("(0, 0)->(1, 1)\n1", LOST, csv.kit())
    assert mismatch.kind == "claimed-solution"
    assert "has no arrow that way" in mismatch.message


def test_start_on_the_goal_takes_one_square_or_two() -> None:
    """Both ways to print a walk of no moves are right; one that walks is not."""
    home = csv.parse("2\n0,0\n0,0\nG,4,B,8\nB,0,B,0\n")
    assert judge("(0, 0)\n0", home, csv.kit()) is None
    assert judge("(0, 0)->(0, 0)\n0", home, csv.kit()) is None
    assert found("(0, 0)->(0, 1)->(0, 0)\n2", home, csv.kit()).kind == "past-goal"
    assert found("(0, 0)\n1", home, csv.kit()).kind == "count"


def test_grid_messages_say_column_first() -> None:
    """Places in messages are written as in the assignment."""
    message = found("(0,2)->(0,1)->(0,0)->(1,0)\nlength is 3", EXAMPLE, grid.kit()).message
    assert "over the goal (1,0) to (2,0)" in message
    assert "Squares are (column, row)" in message


def test_an_expectation_that_is_too_large_is_the_author_s_fault() -> None:
    """A student who beats the answer key isn't marked down."""
    kit = text263.kit()
    right = say(kit, "(2, 0)->(1, 0)->(0, 0)->(0, 2)->(1, 1)->(0, 1)\n5")
    for steps in (6, -1):
        with pytest.raises(CatalogueError, match="record the case again"):
            kit.check(EXAMPLE, kit.read(right), ExpectedSteps(steps=steps))


def test_the_scene_has_both_walks_with_d() -> None:
    """The report can play both paths; a wrong move is crossed, with d and where it could have gone."""
    kit = text263.kit()
    scene = kit.draw(EXAMPLE, kit.read(say(kit, "(2, 0)->(1, 0)->(0, 0)->(0, 1)\n3")))
    assert [track.title for track in scene.tracks] == ["expected", "yours"]
    assert [frame.label for frame in scene.tracks[0].frames] == ["1", "1", "2", "1", "1", "1"]
    assert [frame.at for frame in scene.tracks[1].frames] == [(2, 0), (1, 0), (0, 0), (0, 1)]
    assert scene.difference == 3
    slip = scene.tracks[1].frames[3]
    assert slip.label == "2"
    marks = {(mark.row, mark.column): mark.look for mark in slip.hints}
    assert (marks[0, 1], marks[0, 2]) == ("barred", "target")
    texts = {(square.row, square.column): square.text for square in scene.squares}
    assert (len(texts), texts[2, 0], texts[0, 1]) == (9, "S", "G")


def test_a_scene_can_do_without_a_claim() -> None:
    """Nothing claimed, or no solution: the maze is still drawn."""
    assert len(text263.kit().draw(EXAMPLE, None).tracks) == 1
    assert csv.kit().draw(LOST, None).tracks == ()
