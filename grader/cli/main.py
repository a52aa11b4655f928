"""The command line's front door: answers --help at once, hands everything else on."""

from __future__ import annotations

import os
import sys

from grader import __version__

COMMANDS = {
    "grade": ("grader.cli.grade", "Grade folders, files, zips, or a folder of submissions."),
    "check": ("grader.cli.check", "Check your own solution on the visible cases."),
    "scan": ("grader.cli.scan", "Scan source for what the assignment forbids."),
    "cases": ("grader.cli.cases", "The catalogue: list, show, new, record, verify, schema."),
    "hunt": ("grader.cli.hunt", "Find the smallest puzzle that a solution gets wrong."),
    "examples": (
        "grader.cli.examples",
        "Judge examples that students wrote: right? which wrong programs do they catch?",
    ),
    "submit": ("grader.cli.submit", "One attempt for a tagged push: regulations, grade, ledger, issue."),
    "book": ("grader.cli.book", "The gradebook: history, export, regrade, extend, void, simulate."),
    "report": ("grader.cli.report", "Render a stored run again."),
    "compare": ("grader.cli.compare", "Show who rose and who fell between two runs."),
    "similar": ("grader.cli.similar", "Show which submissions of a class share code."),
    "kit": ("grader.cli.kit", "Pack what students download: starter, visible cases, a runner."),
    "gradescope": ("grader.cli.gradescope", "Pack the autograder that is uploaded to Gradescope."),
    "new": ("grader.cli.new", "Begin an assignment of your own, with everything working."),
    "doctor": ("grader.cli.doctor", "Tell which isolation this machine offers, and what would raise it."),
    "demo": ("grader.cli.demo", "The whole thing on a small bundled class."),
    "hook": ("grader.cli.hook", "Put the grading hook into bare git repositories."),
    "serve-git": ("grader.cli.serve_git", "Serve bare git repositories that grade on push."),
    "completion": ("grader.cli.completion", "Print the shell's completion script."),
}
"""Name → module and help; a module is imported only when its command runs, so that --help is quick."""


def main() -> None:
    """Run the command line and exit by the contract."""
    arguments = sys.argv[1:]
    is_completing = "_GRADER_COMPLETE" in os.environ  # the shell asks, the answer is the group's
    if not is_completing and arguments in ([], ["--help"], ["-h"]):
        print(help_text())  # noqa: T201 - without click, whose import takes longer than Python's start
    elif arguments == ["--version"]:
        print(f"grader, version {__version__}")  # noqa: T201 - as above
    else:
        from grader.cli.group import run  # noqa: PLC0415 - as above

        sys.exit(run(arguments))


def help_text() -> str:
    """Give the overview of all commands."""
    rows = "\n".join(f"  {name:<12}{text}" for name, (_, text) in COMMANDS.items())
    return f"""Usage: grader [OPTIONS] COMMAND [ARGS]...

  Grade maze homework: run it behind a wall, judge it, explain it.

Options:
  --version   Show the version and exit.
  --debug     Show our own traceback when something fails.
  -h, --help  Show this message and exit.

Commands:
{rows}

Try `grader demo` first; `grader COMMAND --help` tells more."""
