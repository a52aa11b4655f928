"""The command line's front door: answers --help at once, hands everything else on."""

from __future__ import annotations

import os
import sys

from grader import __version__

COMMANDS = {
    "check": ("grader.cli.check", "Check your own solution on the visible cases."),
    "hunt": ("grader.cli.hunt", "Find the smallest input that a solution gets wrong."),
    "scan": ("grader.cli.scan", "Scan source for what the assignment forbids."),
    "examples": (
        "grader.cli.examples",
        "Judge examples that students wrote: right? what do they catch?",
    ),
    "grade": ("grader.cli.grade", "Grade folders, files, zips, or a folder of submissions."),
    "report": ("grader.cli.report", "Render a stored run again."),
    "compare": ("grader.cli.compare", "Show who rose and who fell between two runs."),
    "similar": ("grader.cli.similar", "Show which submissions of a class share code."),
    "course": ("grader.cli.course.course", "The course folder: make it from class lists, show what holds."),
    "submit": ("grader.cli.course.submit", "One attempt for a tagged push: regulations, grade, ledger, issue."),
    "collect": ("grader.cli.course.collect", "Enter uploads of Canvas, Moodle or folders into the book, like tags."),
    "feedback": ("grader.cli.course.feedback", "Pack students' pages into the zip that Moodle or Canvas hands back."),
    "book": ("grader.cli.course.book", "The gradebook: history, export, regrade, extend, void."),
    "standing": ("grader.cli.course.standing", "What a push would cost a student now, and what counts."),
    "hook": ("grader.cli.course.hook", "Put the grading hook into bare git repositories."),
    "serve-git": ("grader.cli.course.serve_git", "Serve bare git repositories that grade on push."),
    "doctor": ("grader.cli.doctor", "Test the sandbox on this machine and suggest improvements."),
    "demo": ("grader.cli.demo", "Grade a small bundled class in every assignment."),
    "cases": ("grader.cli.cases", "The catalogue: list, show, new, record, verify, schema."),
    "new": ("grader.cli.new", "Begin an assignment of your own, with everything working."),
    "kit": ("grader.cli.kit", "Pack what students download: starter, visible cases, a runner."),
    "site": ("grader.cli.site", "Write the check as a web page that runs in the student's browser."),
    "gradescope": ("grader.cli.gradescope", "Pack the autograder that is uploaded to Gradescope."),
    "completion": ("grader.cli.completion", "Print the shell's completion script."),
}
"""Name → module and help; a module is imported only when its command runs, so that --help is quick."""
READER_GONE = 141
"""As a shell says of a program that SIGPIPE ended."""
_GROUPS = {
    "Students": ("check", "hunt", "scan", "examples"),
    "Staff": (
        "grade",
        "report",
        "compare",
        "similar",
        "course",
        "submit",
        "collect",
        "book",
        "feedback",
        "standing",
        "hook",
        "serve-git",
        "doctor",
    ),
    "Authors of assignments": ("cases", "new", "kit", "site", "gradescope"),
}
"""Who uses which commands; what is in none comes last."""


def main() -> None:
    """Run the command line and exit by the contract."""
    arguments = sys.argv[1:]
    is_completing = "_GRADER_COMPLETE" in os.environ  # the shell asks, the answer is the group's
    if not is_completing and arguments in ([], ["--help"], ["-h"], ["help"]):
        _say(help_text())
    elif arguments == ["--version"]:
        _say(f"grader, version {__version__}")
    else:
        from grader.cli.group import run  # noqa: PLC0415 - click's import takes longer than Python's start

        sys.exit(run(arguments))


def _say(text: str) -> None:
    try:
        print(text, flush=True)  # noqa: T201 - without click
    except BrokenPipeError:  # `| head` has read enough
        sys.stdout = None  # nothing is left to flush
        sys.exit(READER_GONE)


def help_text() -> str:
    """Give the overview of all commands."""
    grouped = {name for names in _GROUPS.values() for name in names}
    groups = {**_GROUPS, "More": tuple(name for name in COMMANDS if name not in grouped)}
    blocks = ("\n".join([f"{title}:", *map(_row, names)]) for title, names in groups.items())
    listing = "\n\n".join(blocks)
    return f"""Usage: grader [OPTIONS] COMMAND [ARGS]...

  Grade maze homework: run it in a sandbox, judge it, explain it.

Options:
  --version   Show the version and exit.
  --debug     Show our own traceback when something fails.
  -h, --help  Show this message and exit.

{listing}

Try `grader demo` first; `grader help COMMAND` shows a command's options."""


def _row(name: str) -> str:
    return f"  {name:<12}{COMMANDS[name][1]}"
