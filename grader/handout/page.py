"""Makes the page that students work from, out of `handout.md` in the assignment's folder.

The words are the course's; what the catalogue knows comes from the catalogue. In the Markdown stand

    {{ picture("seed-example") }}            the puzzle, drawn; frame=3 adds the walker, frame=-1 the whole way
    {{ input("seed-example") }}              the case's input
    {{ answer("seed-example", lines=12) }}   what a right program prints or returns
    {{ files() }}, {{ cases() }}, {{ rules() }}, {{ checking() }}
    {% include "shared-rules.md" %}          a text that several assignments share, from the folder above

Only visible cases can be shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from markdown_it import MarkdownIt
from markupsafe import Markup

from grader.errors import CatalogueError, Fault, UsageError
from grader.model.kit import Drawing
from grader.model.verdict import Visibility
from grader.pipeline.prepare import prepare
from grader.report.html.picture import picture
from grader.report.html.templates import fill

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Assignment, Clause
    from grader.model.kit import Telling
    from grader.model.run import RunRecord
    from grader.pipeline.prepare import Prepared

NAME = "handout.md"


def handout_html(assignment: Assignment) -> str | None:
    """Return the handout as one page that needs nothing else; None when the course wrote none."""
    text = handout_markdown(assignment)
    if text is None:
        return None
    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    body = body.replace("<pre>", '<pre tabindex="0">')  # what scrolls can be reached by keys
    return fill("handout.html", scripts=(), title=assignment.title, body=Markup(body))  # noqa: S704 -- the course's own


def handout_markdown(assignment: Assignment) -> str | None:
    """Return the handout as Markdown with its pictures inside."""
    path = assignment.folder / NAME if assignment.folder else None
    if path is None or not path.is_file():
        return None
    facts = _Facts(assignment, path)
    known = {name: getattr(facts, name) for name in dir(facts) if not name.startswith("_")}
    loader = FileSystemLoader([path.parent, path.parent.parent])
    environment = Environment(loader=loader, undefined=StrictUndefined, autoescape=False)  # noqa: S701 -- Markdown
    try:
        return environment.get_template(NAME).render(known)
    except TemplateError as error:
        fault = Fault(path=str(path), line=getattr(error, "lineno", 0) or 0, message=error.message or "not readable")
        raise CatalogueError([fault]) from error


class _Facts:
    """What a handout may ask."""

    def __init__(self, assignment: Assignment, path: Path) -> None:
        self._assignment = assignment
        self._path = path
        plan = prepare(assignment, lambda case: case.facts.visibility is Visibility.VISIBLE)
        self._cases = {prepared.case.id: prepared for prepared in plan.cases}
        self.title = assignment.title

    def picture(self, case: str, *, frame: int | None = None) -> str:
        """Draw a case's puzzle."""
        prepared = self._case(case)
        scene = prepared.kit.draw(prepared.puzzle, None) if isinstance(prepared.kit, Drawing) else None
        if scene is None:
            return self.input(case)
        return f"<p>{picture(scene, frame=frame, label=prepared.case.facts.title)}</p>"

    def input(self, case: str) -> str:
        return _block(self._case(case).case.input)

    def answer(self, case: str, *, lines: int | None = None) -> str:
        """Show what a right program says; of a long answer the first lines."""
        prepared = self._case(case)
        record: RunRecord = next(iter(cast("Telling", prepared.kit).tell(prepared.puzzle)))
        if record.replies:
            return ", ".join(f"`{reply.value!r}`" for reply in record.replies)
        shown = record.stdout.head(1 << 16).decode().splitlines()
        return _block("\n".join(shown[:lines] + (["…"] if lines is not None and len(shown) > lines else [])))

    def files(self) -> str:
        return "\n".join(f"- `{file.name}`: {file.about}" for file in self._assignment.files)

    def cases(self) -> str:
        """List what the program is asked, and how much of it is hidden."""
        hidden = len(self._assignment.cases) - len(self._cases)
        rows = [
            f"| `{one.case.id}` | {one.case.facts.title} | {one.case.facts.points:g} |"
            for one in self._cases.values()
        ]
        head = ["| case | what it asks | points |", "|---|---|--:|", *rows]
        limits = self._assignment.limits
        return "\n".join(
            [
                *head,
                "",
                f"{len(rows)} cases are visible: you have them in the kit. {hidden} more are hidden and run when you",
                f"submit. Each case has {limits.cpu_s:g} seconds of computing time and {limits.memory_mib} MiB of",
                "memory, unless it says otherwise.",
            ]
        )

    def rules(self) -> str:
        """List what the source may and may not contain."""
        policy = self._assignment.policy
        said = [f"- `{name}` is banned{_why(entry)}" for name, entry in _named(policy.ban)]
        if policy.only is not None:
            allowed = ", ".join(f"`{name}`" for name, _ in _named(policy.only)) or "none"
            said.append(f"- The only modules that you may import: {allowed}. Files of your own always may be.")
        said += [f"- `{name}` may not be used{_why(entry)}" for name, entry in _named(policy.no)]
        said += [f"- `{name}` must be there{_why(entry)}" for name, entry in _named(policy.require)]
        if policy.recursion:
            said.append(f"- Recursion is {policy.recursion}.")
        if policy.max_lines:
            said.append(f"- At most {policy.max_lines} lines of code.")
        return "\n".join(said) or "Nothing is banned: the whole standard library is yours."

    def checking(self) -> str:
        """Say how students check themselves."""
        name = self._assignment.files[0].name
        return "\n".join(
            [
                f"Put `check.pyz` from the kit beside your `{name}`. It needs Python 3.11 or newer and nothing else:",
                "",
                "```text",
                "python3 check.pyz           # all visible cases, each failure explained; on Windows: py check.pyz",
                "python3 check.pyz --open    # the same in the browser, step by step",
                "python3 check.pyz --watch   # again whenever you save",
                f"python3 check.pyz --only {next(iter(self._cases))}",
                "```",
                "",
                "None of this uses an attempt or is seen by anyone. Your grade comes from the official run.",
            ]
        )

    def _case(self, name: str) -> Prepared:
        if name not in self._cases:
            raise UsageError(f"{self._path}: {name} is no visible case", hint=f"visible: {', '.join(self._cases)}")
        return self._cases[name]


def _named(entries: tuple[str | Clause, ...]) -> list[tuple[str, str]]:
    return [(entry, "") if isinstance(entry, str) else (entry.name, entry.message) for entry in entries]


def _why(message: str) -> str:
    return f": {message}" if message else "."


def _block(text: str) -> str:
    return "```text\n" + text.rstrip("\n") + "\n```"
