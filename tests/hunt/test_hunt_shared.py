"""Promises of a process that many puzzles share: what passes there is right, and no fault hides in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from doubling import KIND, RIGHT, student
from model_values import make_assignment
from msgspec.structs import replace

from grader.catalogue.load import load_assignment
from grader.hunt.ask import Question, Questions
from grader.hunt.hunt import Hunt, hunt
from grader.hunt.many import TOGETHER
from grader.hunt.search import _drawn
from grader.intake.collect import collect_one
from grader.model.run import Limits
from grader.model.verdict import Verdict
from grader.wiring import open_asker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.hunt.ask import Asker
    from grader.hunt.hunt import Counterexample

LIMITS = Limits(cpu_s=0.2, wall_s=60, output_mib=2, memory_mib=256)
NUMBERS = (5, 7, 600, 0, 7000, 12)
DOUBLE = "import atexit, os, sys, threading, time\nnumber = int(open(sys.argv[1]).read())\n"
PRINTED = DOUBLE + "print(2 * number)\n"

RIGHT_ODDITIES = {
    "module state": "import sys\nseen = []\nseen.append(open(sys.argv[1]).read())\nprint(2 * int(''.join(seen)))",
    "main guard": DOUBLE + "if __name__ == '__main__':\n    print(2 * number)\n    sys.exit()",
    "leaves with exit": PRINTED + "exit()",
    "goes elsewhere": PRINTED + "os.chdir('/')",
    "changes its arguments": "import sys\nprint(2 * int(open(sys.argv.pop()).read()))\nsys.argv.clear()",
    "changes where modules are found": PRINTED + "sys.path.clear()",
    "asks on stdin": "print(2 * int(open('n.txt').read()), end='')\nimport sys\nsys.stdin.close()",
    "changes the depth": PRINTED + "sys.setrecursionlimit(60)",
    "prints bytes": DOUBLE + "sys.stdout.buffer.write(b'%d\\n' % (2 * number))",
    "brings its own stream": DOUBLE
    + "import io\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer)\nprint(2 * number)",
    "spoils the input file": PRINTED + "open(sys.argv[1], 'w').write('1')",
    "imports itself": DOUBLE + "import double\nif __name__ != 'double': print(2 * number)",
}
WRONG_ODDITIES = {
    "prints past its stream": PRINTED + "os.write(1, b'x')",
    "prints to the first stream": PRINTED + "sys.__stdout__.write('x')",
    "prints at its end": PRINTED + "atexit.register(print, 'x')",
    "prints from a thread": PRINTED + "threading.Thread(target=lambda: (time.sleep(0.05), print('x'))).start()",
    "prints from its buffer": DOUBLE + "print(2 * number, end='')\nsys.stdout.write('x')",
    "leaves with a status": PRINTED + "sys.exit(3)",
    "leaves with a word": PRINTED + "sys.exit('done')",
    "leaves at once": PRINTED + "sys.stdout.flush()\nos._exit(3)",
    "leaves at its end": PRINTED + "sys.stdout.flush()\natexit.register(os._exit, 3)",
    "raises": PRINTED + "1 / 0",
    "never ends": PRINTED + "while True: pass",
    "never ends, and catches all": PRINTED
    + "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "prints for ever": "while True: print(2)",
    "needs all memory": PRINTED + "x = [0]\nwhile True: x = x + x",
    "closes its output": PRINTED + "sys.stdout.flush()\nos.kill(os.getpid(), 9)",
}


def asked(number: int, limits: Limits = LIMITS) -> Question:
    return Question(kind="double", text=f"{number}\n", limits=limits)


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    with open_asker(make_assignment("double.py", name="double", kinds={"double": KIND})) as opened:
        yield opened


def passes(asker: Asker, source: str, numbers: Iterable[int] = NUMBERS, limits: Limits = LIMITS) -> list[bool]:
    return asker.pass_each(student("s", source), [asked(number, limits) for number in numbers])


def hunted(asker: Asker, source: str) -> Counterexample:
    return hunt(asker, student("s", source), Hunt(seconds=240, seed=1), tell=lambda _: None)


class EnoughError(Exception):
    """So many puzzles were tried, and nothing was found."""


def enough(tried: int) -> None:
    if tried > 4 * TOGETHER:
        raise EnoughError


@pytest.mark.parametrize("source", RIGHT_ODDITIES.values(), ids=RIGHT_ODDITIES.keys())
def test_every_puzzle_finds_the_process_as_the_first_one_did(asker: Asker, source: str) -> None:
    """What a right program leaves behind makes no later puzzle fail: so nothing needs a process of its own."""
    assert passes(asker, source) == [True] * len(NUMBERS)


@pytest.mark.parametrize("source", WRONG_ODDITIES.values(), ids=WRONG_ODDITIES.keys())
def test_what_is_wrong_alone_never_passes_among_others(asker: Asker, source: str) -> None:
    """Output past `sys.stdout`, a status, an end that comes late or never: all that a case would see."""
    alone = asker.ask(student("s", source), asked(7))
    assert alone.verdict is not Verdict.AC
    assert passes(asker, source) == [False] * len(NUMBERS)


@pytest.mark.parametrize("end", ["1 / 0", "sys.exit(1)", "sum(0 for _ in iter(int, 1))", "print(0)"])
def test_one_puzzle_that_fails_leaves_the_others_alone(asker: Asker, end: str) -> None:
    """An exception, a status, an endless loop or a wrong answer count for the puzzle on which they come."""
    source = f"{PRINTED}if number == 7: {end}"
    assert passes(asker, source) == [number != 7 for number in NUMBERS]


def test_a_program_that_waits_is_waited_for_as_long_as_for_one_puzzle(asker: Asker) -> None:
    """Processor time grows with the puzzles, the clock doesn't; the wait ends with all of them in doubt."""
    limits = replace(LIMITS, wall_s=1.5)
    questions = [asked(number, limits) for number in NUMBERS]
    request = asker.questions.many.request(student("s"), questions)
    assert (request.limits.cpu_s, request.limits.wall_s) == (limits.cpu_s * len(NUMBERS), limits.wall_s)
    assert passes(asker, "import time\ntime.sleep(1000)", limits=limits) == [False] * len(NUMBERS)


def test_no_answer_goes_into_the_process() -> None:
    """The program gets inputs; the kit that knows the answers stays with the grader."""
    questions = Questions(make_assignment("double.py", kinds={"double": KIND}))
    request = questions.many.request(student("s"), [asked(123_456), asked(234_567)])
    assert "123456" in repr(request)
    assert not any(answer in repr(request) for answer in ("246912", "469134"))


def test_a_failure_among_others_blames_nobody(asker: Asker) -> None:
    """A program that is wrong only where it shares a process is right in every case, and is told so."""
    sharing = "if '_grader_hunt_many' in sys.modules: number += 1\n"
    assert passes(asker, DOUBLE + sharing + "print(2 * number)") == [False] * len(NUMBERS)
    program = student("s", DOUBLE + sharing + "print(2 * number)")
    with pytest.raises(EnoughError):
        hunt(asker, program, Hunt(seconds=240, seed=1), tell=enough)


def test_a_fault_that_shows_only_alone_is_found(asker: Asker) -> None:
    """The first puzzles of a hunt have a process each."""
    alone = "if '_grader_hunt_many' not in sys.modules: number += 1\n"
    assert passes(asker, DOUBLE + alone + "print(2 * number)") == [True] * len(NUMBERS)
    example = hunted(asker, DOUBLE + alone + "print(2 * number)")
    assert (example.text, example.is_smallest) == ("0\n", True)


def test_state_that_outlives_a_puzzle_hides_no_smaller_one(asker: Asker) -> None:
    """A fault of a fresh process is shrunk to the smallest number that has it, though the second try would pass."""
    fresh = "import json\nfault = number > 2 and not hasattr(json, 'seen')\njson.seen = True\n"
    source = DOUBLE + fresh + "print(2 * number + fault)"
    assert passes(asker, source, (600, 700)) == [False, True]
    example = hunted(asker, source)
    assert (example.text, example.is_smallest) == ("3\n", True)
    assert example.result is not None
    assert example.result.mismatch is not None
    assert "not 7" in example.result.mismatch.message


def test_more_puzzles_than_go_into_one_process_keep_their_order(asker: Asker) -> None:
    source = f"{PRINTED}if number % 5 == 0: print(0)"
    numbers = range(3 * TOGETHER + 1)
    assert passes(asker, source, numbers) == [number % 5 != 0 for number in numbers]


def test_a_function_may_be_asked_many_puzzles() -> None:
    """Its module is imported anew for each; what it returns is taken at once."""
    run: dict[str, Any] = {"run_as": "function", "function": "double", "args": ("{input}",), "argv": ()}
    kind = replace(KIND, run=replace(KIND.run, **run), judge="value")
    answer = "1 / 0 if seen == [7] else 2 * sum(seen)"
    source = f"seen = []\ndef double(text):\n    seen.append(int(text))\n    return {answer}\n"
    with open_asker(make_assignment("double.py", kinds={"double": kind})) as asker:
        assert passes(asker, source) == [number != 7 for number in NUMBERS]


@pytest.mark.parametrize(
    "solution",
    [
        "lefthand/WA/right_hand",
        "alice-grid/WA/wrong_dimension",
        "alice-csv/AC/copies_everything",
        "runner/AC/classes",
        "runner/RTE/off_the_map",
        "runner/WA/remembers_the_board",
    ],
)
def test_a_shared_process_says_what_processes_of_their_own_say(solution: str) -> None:
    """In every kind of the shipped assignments a puzzle passes among others only if it passes alone."""
    name, _, _ = solution.partition("/")
    assignment = load_assignment(Path("cases"), name)
    submission = collect_one(Path("reference/solutions", solution), assignment)
    with open_asker(assignment) as asker:
        for kind, kit in asker.questions.kits.items():
            texts = [kit.write(puzzle) for puzzle in _drawn(kit.puzzles(), 2 * TOGETHER, seed=3)]  # type: ignore[attr-defined]  # all of them can
            questions = [Question(kind, text, replace(assignment.limits, cpu_s=2.0)) for text in texts]
            alone = [result.verdict is Verdict.AC for result in asker.ask_all(submission, questions)]
            together = asker.pass_each(submission, questions)
            assert not any(among and not by_itself for among, by_itself in zip(together, alone, strict=True))
            assert together == alone or "/RTE/" in solution  # where an agent raises, later plays are in doubt


def test_the_right_program_passes(asker: Asker) -> None:
    assert passes(asker, RIGHT) == [True] * len(NUMBERS)
