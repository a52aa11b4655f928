"""Evidence is cut to what helps: the frame, the student's own code, the line."""

from __future__ import annotations

from report_factory import banned_import, case, rich_sheet, sheet

from grader.model.result import Mismatch
from grader.model.run import Stream
from grader.model.verdict import Audience, Verdict, Visibility
from grader.report.clean import excerpt, lines_before
from grader.report.html import page
from grader.report.html.evidence import compare, files
from grader.report.html.templates import prose
from grader.report.summary import ClassSummary
from grader.report.view import bare, view
from grader.tracebacks import one_telling, own_code

TRACE = """Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 198, in _run_module_as_main
    return _run_code(code, main_globals, None,
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/tmp/box-1234/maze_solver.py", line 7, in <module>
    main()
  File "<frozen codecs>", line 322, in decode
ValueError: no maze"""


def test_a_traceback_keeps_the_students_own_lines() -> None:
    """Foreign calls are counted, not shown; folders of the sandbox are nobody's business."""
    assert own_code(TRACE).split("\n") == [
        "Traceback (most recent call last):",
        "  … 1 call outside your code …",
        '  File "maze_solver.py", line 7, in <module>',
        "    main()",
        "  … 1 call outside your code …",
        "ValueError: no maze",
    ]


def test_a_deep_recursion_is_cut_in_the_middle() -> None:
    """Both ends of a long traceback stay."""
    deep = "Traceback\n" + '  File "/box/a.py", line 1, in f\n    f()\n' * 900 + "RecursionError: too deep"
    kept = own_code(deep).split("\n")
    assert len(kept) < 70
    assert kept[-1] == "RecursionError: too deep"


def test_words_without_a_traceback_stay() -> None:
    """Plain standard error isn't touched."""
    assert own_code("warning: odd") == "warning: odd"


def pieces(kind: str, expected: str, found: str) -> list[tuple[str, str]]:
    (line,) = [line for line in compare(expected, found) if line.kind == kind]
    return [(piece.kind, piece.text) for piece in line.pieces]


def test_equally_long_lines_differ_square_by_square() -> None:
    """In a drawing each square that differs is marked, and nothing between."""
    assert pieces("found", "#. .#\n1", "#.x.>\n1") == [
        ("same", "#."),
        ("changed", "x"),
        ("same", "."),
        ("changed", ">"),
    ]


def test_blanks_are_visible() -> None:
    """Blanks show as dots, those at the end of a line by themselves, and a missing one is marked."""
    assert pieces("expected", "a: b\n1", "a:b\n1") == [("same", "a:"), ("changed", "·"), ("same", "b")]
    same = compare("a b  \n1", "a b  \n2")[0]
    assert [(piece.kind, piece.text) for piece in same.pieces] == [
        ("same", "a"),
        ("blank", "·"),
        ("same", "b"),
        ("end", "··"),
    ]


def test_expected_stands_above_found() -> None:
    """A changed line shows both, a line that only one has shows once."""
    kinds = [line.kind for line in compare("1\n2\n3", "1\nx", ("0",))]
    assert kinds == ["before", "same", "expected", "expected", "found"]


def test_a_long_diff_is_cut() -> None:
    """Of a thousand lines the first are shown, of equal ones the last too, and the rest is counted."""
    one, other = "\n".join(map(str, range(1000))), "\n".join(map(str, range(5000, 6000)))
    assert len(compare(one, other)) == 35
    same = "\n".join(map(str, range(69)))
    equal = [line.pieces[0].text for line in compare(f"{same}\nx", f"{same}\ny")]
    assert "⟨63 equal lines⟩" in equal
    assert equal[-2:] == ["x", "y"]


def test_the_lines_before_a_frame_are_found_in_the_stream() -> None:
    """The context comes from the program's real output, however large, without unpacking it whole."""
    noise = "".join(f"frame {number}\n" for number in range(200_000))
    stream = Stream.of(f"{noise}HERE\nnow\n".encode())
    assert lines_before(stream, "HERE\nnow\n")[-1] == "frame 199999"
    assert lines_before(stream, "not there") == ()


def test_an_excerpt_says_what_it_left_out() -> None:
    """Size and the limit's cut are both told."""
    told = excerpt(Stream.of(b"x\n" * 50_000, cut=True))
    assert "84,000 more bytes left out" in told
    assert "output limit" in told
    assert excerpt(Stream()) == ""


def test_findings_stand_in_the_source() -> None:
    """The line is shown with its neighbours, its columns are marked, the rest is a gap."""
    (file,) = files(view(rich_sheet(), Audience.STAFF))
    numbers = [line.number for line in file.lines]
    assert numbers == [1, 2, 3, 4, 5, 6, 16, 17, 18, 19, 20, 21, 22]
    third = next(line for line in file.lines if line.number == 3)
    assert "".join(token.text for token in third.tokens if token.is_found) == "from itertools import cycle"
    assert {token.look for token in third.tokens} >= {"k"}


def test_a_finding_without_its_file_still_shows_its_line() -> None:
    """The line kept in the finding itself is enough."""
    (file,) = files(view(sheet(findings=(banned_import(),)), Audience.STUDENT))
    assert [token.text for token in file.lines[0].tokens] == ["from itertools import cycle"]


def test_python_is_heard_once() -> None:
    """Standard error that only repeats the traceback isn't shown beside it; its last line, which says more, stays."""
    raised = 'Traceback\n  File "a.py", line 1\nNameError: widht'
    printed = f"{raised}. Did you mean: 'width'?\n"
    assert one_telling(raised, printed) == (printed, "")
    assert one_telling(raised, f"a warning\n{printed}") == (raised, f"a warning\n{printed}")
    assert one_telling("", "words") == ("", "words")


def test_backticks_make_code_and_nothing_else() -> None:
    """Words between backticks are set as code; what they hold is still escaped."""
    assert str(prose("use `a < b`, not <b>")) == "use <code>a &lt; b</code>, not &lt;b&gt;"
    assert str(prose("a ` alone")) == "a ` alone"


def test_one_mistake_behind_many_failures_is_told_first() -> None:
    """The page begins with it in the words of the least open case, which was named with all others in mind.

    No case repeats it, and the class page counts it as one fix, however many cases it costs.
    """
    vague, exact = "It keeps right, or follows a wall.", "It keeps right."
    told = [(Visibility.VISIBLE, vague), (Visibility.VISIBLE, vague), (Visibility.HIDDEN, exact)]
    wrong = [
        case(openness, Verdict.WA, message=mismatch.message, visibility=openness, mismatch=mismatch)
        for openness, cause in told
        for mismatch in [Mismatch(kind="frame", message=f"It differs. {cause}", cause=cause, where="frame 1")]
    ]
    graded = view(sheet("s1", cases=[case("fine"), *wrong]), Audience.STAFF)
    before, _, after = page.render(graded).partition('id="cases"')
    assert "What explains all 3 failures" in before
    assert exact in before
    assert "follows a wall" not in before + after
    assert "It differs." in after
    assert exact not in after
    assert after.index("It differs.") < after.index('data-outcome="passed"')
    summary = ClassSummary()
    summary.add(bare(graded))
    assert [(title, [row.one_reason for row in rows]) for title, rows in summary.triage()] == [
        ("One fix from full marks", ["It keeps right."])
    ]
