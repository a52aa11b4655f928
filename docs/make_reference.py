"""Writes from code and catalogue: docs/reference, docs/handouts, docs/catalogue.md, schemas of the catalogue's files.

python docs/make_reference.py          writes the pages
python docs/make_reference.py --check  exit status 1 and their names when they are out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from catalogue_page import catalogue_page
from catalogue_schema import FILES, schema_text
from field_docs import about, meanings

from grader.catalogue.load import assignment_names, find_catalogue, load_assignment
from grader.cli.main import COMMANDS
from grader.handout.page import handout_markdown
from grader.judge import registry as judges_registry
from grader.judge.registry import JUDGES
from grader.model import judgement, kit
from grader.model.verdict import Audience, Ending, HiddenOutcomes, Level, Verdict, Visibility
from grader.report import registry, results
from grader.report.view import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum

FOLDER = Path(__file__).resolve().parent / "reference"
_NOTE = "*Written by `python docs/make_reference.py` from the code; a test fails when it is out of date.*"


def pages() -> dict[str, str]:
    """Return every page's text by its path from docs/reference."""
    schemas = {f"../../cases/{name}.schema.json": schema_text(name) for name in FILES}
    reference = {
        "cli.md": cli_page(),
        "verdicts.md": verdicts_page(),
        "results.md": results_page(),
        "api.md": api_page(),
    }
    handouts = {f"../handouts/{name}.md": _handout(name) for name in assignment_names(find_catalogue())}
    return {**reference, "../catalogue.md": catalogue_page(), **schemas, **handouts}


def _handout(name: str) -> str:
    text = handout_markdown(load_assignment(find_catalogue(), name))
    assert text, f"cases/{name} has no handout.md"
    return text.rstrip("\n") + "\n"


def cli_page() -> str:
    parts = ["# Commands", _NOTE, _COMMON]
    for name, (module, summary) in COMMANDS.items():
        if find_spec(module) is None:
            parts.append(f"## grader {name}\n\n{summary}")
            continue
        command = getattr(import_module(module), name.replace("-", "_"))
        parts += _command(command, click.Context(command, info_name=f"grader {name}"))
    return "\n\n".join(parts) + "\n"


_COMMON = """\
`grader --help` lists the commands, `grader COMMAND --help` tells what stands here. `grader --debug COMMAND …` shows
our own traceback when something of ours fails.

| exit status | means |
|---|---|
| 0 | done; for `check` and `submit`: and all passed |
| 1 | some case failed (`check`, `submit`), or there are findings (`scan`) |
| 2 | the command line asks for something that isn't there |
| 3 | the catalogue or a kit is wrong |
| 4 | refused by the regulations |
| 70 | our fault; it costs nobody anything |
| 130 | interrupted; the same command goes on from there |"""


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield f"## {context.command_path}"
    yield f"    {usage}"
    yield _prose(command.help or "")
    rows = [_row(parameter) for parameter in command.params if isinstance(parameter, click.Option)]
    if rows:
        yield "\n".join(["| option | meaning | left out |", "|---|---|---|", *rows])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _command(inner, click.Context(inner, info_name=name, parent=context))


def _prose(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n"))


def _row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag or option.count else f" `{_metavar(option)}`"
    many = " (may be given again)" if option.multiple else ""
    return _cells(names + value, (option.help or "") + many, _left_out(option))


def _metavar(option: click.Option) -> str:
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "|".join(str(choice) for choice in option.type.choices)
    return option.type.name.upper()


def _left_out(option: click.Option) -> str:
    if option.required:
        return "**required**"
    default = option.default
    if not isinstance(default, str | int | float | Path) or isinstance(default, bool) or str(default) == "":
        return ""
    return f"`{default}`"


def verdicts_page() -> str:
    verdicts = [f"| `{verdict}` | {verdict.meaning} | {_VERDICTS[verdict]} |" for verdict in Verdict]
    parts = [
        "# Verdicts",
        _NOTE,
        "The judge alone says these; the sandbox only tells what happened.",
        "\n".join(["| verdict | means | because |", "|---|---|---|", *verdicts]),
        _closed("How a run ended", Ending, _ENDINGS),
        _closed("How strong the wall was", Level, _LEVELS),
        _closed("Who may see a case", Visibility, _VISIBILITIES),
        _closed("When students learn how they did on hidden cases", HiddenOutcomes, _HIDDEN_OUTCOMES),
        _closed("Who reads a report", Audience, _AUDIENCES),
        _closed("What anyone may know of a case", Outcome, _OUTCOMES),
    ]
    return "\n\n".join(parts) + "\n"


def _closed(title: str, words: type[StrEnum], told: dict[Any, str]) -> str:
    rows = [f"| `{word}` | {told[word]} |" for word in words]
    return "\n".join([f"## {title}", "", "| word | means |", "|---|---|", *rows])


_VERDICTS = {
    Verdict.AC: "the answer is right; only this gives full points",
    Verdict.WA: "the program ended, and its answer isn't what the rules ask for; partial credit may remain. Also an "
    "answer that can't be read within the grader's bounds of time and memory, though an empty one can: the message "
    "tells its size and longest line",
    Verdict.TLE: "it used more time than the case allows; where the machine's other work may be why, also in a "
    "second run alone",
    Verdict.MLE: "it used more memory than the case allows",
    Verdict.OLE: "it printed or wrote more than the case allows",
    Verdict.RTE: "it raised, exited with an unexpected status or was ended by a signal; or it broke every sandbox it "
    "ran in, where another program ran well",
    Verdict.PV: "a certain finding of the policy scan, where the assignment says that it costs the case",
    Verdict.SK: "it wasn't run: a file is missing, the submission can't be read, or it was stopped early, since "
    "as many cases as the assignment allows (`timeouts`) ran to a limit of time or output in vain",
    Verdict.JE: "something of ours failed, never the student; the case is in no sum. An attempt is given back only "
    "when a control fails as well, so that no submission can be the cause",
}
_ENDINGS = {
    Ending.EXITED: "by itself, with an exit status",
    Ending.SIGNALLED: "ended by a signal that we didn't send",
    Ending.CPU_LIMIT: "its processor time was used up",
    Ending.WALL_LIMIT: "its time on the clock was used up, or one tick's",
    Ending.MEMORY_LIMIT: "it asked for more memory than it may have",
    Ending.OUTPUT_LIMIT: "it printed or wrote more than it may",
    Ending.SANDBOX_FAILED: "the sandbox itself broke, and a control program did no better: becomes `JE`",
}
_LEVELS = {
    Level.NONE: "no wall, only limits: the program has your rights (macOS, the students' package)",
    Level.CONFINED: "also a seccomp filter and Landlock: no network, no files but its own",
    Level.ISOLATED: "also namespaces: an empty file system, no other process in sight",
}
_VISIBILITIES = {
    Visibility.VISIBLE: "everyone, always; `grader check` runs these",
    Visibility.HIDDEN: "staff",
    Visibility.AFTER_DUE_DATE: "students after the due date",
    Visibility.AFTER_PUBLISHED: "students once the grades are published",
}
_HIDDEN_OUTCOMES = {
    HiddenOutcomes.SHOWN: "at once: title, outcome and points of a hidden case",
    HiddenOutcomes.AFTER_DUE: "after the due date; before it, student files tell only of the visible cases",
    HiddenOutcomes.NEVER: "never: hidden cases count, and only staff see how",
}
_AUDIENCES = {
    Audience.STUDENT: "a student before the due date: visible cases",
    Audience.STUDENT_AFTER_DUE: "a student after it: also `after_due_date`",
    Audience.STAFF: "the course: everything",
}
_OUTCOMES = {
    Outcome.PASSED: "full points",
    Outcome.PARTLY: "some points",
    Outcome.FAILED: "no points",
    Outcome.SKIPPED: "not run",
    Outcome.ERROR: "our fault: the case counts neither for nor against the student",
    Outcome.UNTOLD: "hidden, and the assignment doesn't tell how it went",
}


_RESULTS = """\
Format {number}. UTF-8 JSON, one submission a line, by id. Further fields may be added; none is renamed or changes its
meaning without a new format number. A case that the reader may not see has the id `case-<number>`, a `verdict` of
null and no measures."""


def results_page() -> str:
    structs = (
        ("The file", results.ResultFile),
        ("A submission", results.ResultSubmission),
        ("A case", results.ResultCase),
        ("A finding", results.ResultFinding),
        ("A note", results.ResultNote),
    )
    opening = _RESULTS.format(number=results.RESULTS_FORMAT)
    return "\n\n".join(["# results.json", _NOTE, opening, *(_struct(*each) for each in structs)]) + "\n"


def _struct(title: str, struct: Any) -> str:
    told = meanings(struct)
    rows = [
        f"| `{name}` | `{_type(struct.__annotations__[name])}` | {told[name]} |" for name in struct.__struct_fields__
    ]
    return "\n".join([f"## {title}", "", about(struct), "", "| field | type | meaning |", "|---|---|---|", *rows])


def _type(annotation: str) -> str:
    words = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false", "None": "null"}
    many = re.sub(r"tuple\[(\w+), \.\.\.\]", r"list of \1", annotation)
    return re.sub(r"\w+", lambda word: words.get(word[0], word[0]), many).replace(" | ", " or ")


def api_page() -> str:
    known = (each for each in vars(kit).values() if getattr(each, "__module__", "") == kit.__name__)
    kits = [each for each in known if isinstance(each, type)]
    judges = "\n".join(f"| `{name}` | `{module.__name__}` |" for name, module in JUDGES.items())
    reporters = "\n".join(
        f"| `{n}` | `{file}` | `{module}` |" for n, (file, module) in registry.SHEET_FORMATS.items()
    )
    parts = [
        "# Kits, judges, reporters",
        _NOTE,
        "These are public: import them from your own kit, judge or tool.",
        f"## Kits\n\n{_prose(kit.__doc__ or '')}",
        *(_class(each) for each in kits),
        f"## Judges\n\n{_prose(judgement.__doc__ or '')}",
        f"```text\n{(judges_registry.__doc__ or '').strip()}\n```",
        *(_class(each) for each in (judgement.Judge, judgement.Trial, judgement.Judgement)),
        f"The judges that come with it:\n\n| `judge:` | module |\n|---|---|\n{judges}",
        _REPORTERS,
        "`grader.report.registry.Reporter`: a function from a view to the whole text of a file.",
        f"The reporters that come with it:\n\n| `--format` | file | function |\n|---|---|---|\n{reporters}",
    ]
    return "\n\n".join(parts) + "\n"


_REPORTERS = """\
## Reporters

A reporter gets a view (`grader/report/view.py`), never a sheet: what a reader may see is decided before it."""


def _class(each: Any) -> str:
    parts = [f"### {each.__name__}", f"`{each.__module__}.{each.__name__}`: {_prose(each.__doc__ or '')}"]
    methods = [
        _cells(f"`{name}{_signature(method)}`", " ".join((method.__doc__ or "").split()))
        for name, method in vars(each).items()
        if inspect.isfunction(method) and not name.startswith("_")
    ]
    fields = [
        _cells(f"`{name}: {each.__annotations__[name]}`", meanings(each).get(name, ""))
        for name in getattr(each, "__struct_fields__", ())
    ]
    if methods or fields:
        parts.append("\n".join(["| | |", "|---|---|", *methods, *fields]))
    return "\n\n".join(parts)


def _signature(method: Any) -> str:
    """Write it as in the source: postponed annotations come back in quotes."""
    return str(inspect.signature(method)).replace("'", "").replace("(self, ", "(").replace("(self)", "()")


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def stale() -> list[str]:
    """Name the pages that are out of date."""
    places = {FOLDER / name: (name, text) for name, text in pages().items()}
    return [name for path, (name, text) in places.items() if not path.exists() or path.read_text("utf-8") != text]


def main() -> None:
    if "--check" in sys.argv[1:]:
        old = stale()
        click.echo("\n".join(f"out of date: docs/reference/{name}" for name in old), nl=bool(old))
        sys.exit(bool(old))
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(text, "utf-8")
        click.echo(f"wrote docs/reference/{name}")


if __name__ == "__main__":
    main()
