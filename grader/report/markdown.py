"""Renders a view as Markdown for an issue or a job summary.

Words are escaped so that they can't format, mention, link or give a quick action; a program's text stands in fences.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.report.view import Outcome
from grader.report.wording import counts, mebibytes, points, remark_text, seconds, sums, verdict

if TYPE_CHECKING:
    from grader.report.view import CaseView, SheetView

SIZE_LIMIT = 1_000_000
"""Bytes; GitHub takes a summary of at most 1 MiB, GitLab an issue of about as many characters."""
_ICONS = {
    Outcome.PASSED: "✅",
    Outcome.PARTLY: "🟡",
    Outcome.FAILED: "❌",
    Outcome.SKIPPED: "⏭️",
    Outcome.ERROR: "⚠️",
    Outcome.UNTOLD: "🔒",
}
_PUNCTUATION = re.compile(r"^[/+=:-]|[\\`*_{}\[\]<>#!|~&$^]")
_REFERENCE = re.compile(r"(?<=[@#!%~&$])(?=[\w\"{\[])|(?<=:)(?=//)|(?<=www)(?=\.)")
_TEXT_KEPT = 4_000


def render(view: SheetView) -> str:
    parts = [*_head(view), *_table(view)]
    details = [_details(case) for case in view.cases if case.is_open and case.outcome is not Outcome.PASSED]
    return _bounded("\n".join(parts), [*_remarks(view), *_findings(view), *details], _foot(view))


def words(text: str) -> str:
    """Return text as one Markdown line that only reads."""
    line = " ".join(text.split())
    broken = _REFERENCE.sub("\u200b", line)
    return _PUNCTUATION.sub(lambda match: f"&#{ord(match.group())};", broken)


def fenced(text: str) -> str:
    """Return text word for word inside a fence that it can't close."""
    kept = text if len(text) <= _TEXT_KEPT else f"{text[:_TEXT_KEPT]}\n⟨{len(text) - _TEXT_KEPT:,} more characters⟩"
    longest = max((len(run) for run in re.findall(r"`+", kept)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{kept.rstrip(chr(10))}\n{fence}"


def _head(view: SheetView) -> list[str]:
    lines = [f"## {words(view.title)}: {points(view)} points", ""]
    lines += [f"**{words(view.submission)}** · {counts(view)}. {words(view.standing)}", ""]
    if view.problem:
        lines += [f"> **It could not be graded.** {words(view.problem)}", ""]
    lines += [f"- {words(note.message)}" for note in view.notes]
    return [*lines, ""] if view.notes else lines


def _table(view: SheetView) -> list[str]:
    if not view.cases:
        return []
    lines = ["| | Case | Points | Result | Time | Memory |", "|---|---|--:|---|--:|--:|"]
    for case in view.cases:
        used = case.measured
        usage = f"{seconds(used.cpu_s)} | {mebibytes(used.peak_mib)}" if used and used.has_run else " | "
        shown = words(verdict(case))
        lines.append(f"| {_ICONS[case.outcome]} | {words(case.facts.title)} | {points(case)} | {shown} | {usage} |")
    return [*lines, ""]


def _remarks(view: SheetView) -> list[str]:
    if not view.remarks:
        return []
    lines = [
        "### From the staff",
        "",
        *(f"- {words(remark_text(each))}" for each in view.remarks),
        "",
        words(sums(view)),
    ]
    return ["\n".join([*lines, ""])]


def _findings(view: SheetView) -> list[str]:
    if not view.findings:
        return []
    lines = ["### The rules about the source", ""]
    for finding in view.findings:
        place = f" in {words(f'{finding.path}, line {finding.line}')}" if finding.path else ""
        lines += [f"- **{words(finding.rule)}**{place}. {words(finding.message)} {words(finding.instead)}".rstrip()]
    return ["\n".join([*lines, ""])]


def _details(case: CaseView) -> str:
    title = f"{_ICONS[case.outcome]} {words(case.facts.title)} — {words(verdict(case))}"
    lines = ["<details>", f"<summary>{title}</summary>", "", words(case.message), ""]
    mismatch = case.mismatch
    if mismatch and mismatch.expected:
        lines += [f"Expected{_where(mismatch.where)}:", "", fenced(mismatch.expected), ""]
    if mismatch and mismatch.found:
        lines += [f"Found{_where(mismatch.where)}:", "", fenced(mismatch.found), ""]
    for label, text in (("Traceback", case.exhibit.traceback), ("Standard error", case.exhibit.stderr)):
        if text:
            lines += [f"{label}:", "", fenced(text), ""]
    if case.facts.hint:
        lines += [f"**Hint:** {words(case.facts.hint)}", ""]
    return "\n".join([*lines, "</details>", ""])


def _where(where: str) -> str:
    return f" ({words(where)})" if where else ""


def _foot(view: SheetView) -> str:
    return f"<sub>maze-grader {words(view.grader)} · isolation: {words(view.level)}</sub>\n"


def _bounded(head: str, details: list[str], foot: str) -> str:
    """Leave out the last details rather than let a forge refuse the whole."""
    size = len(head.encode()) + len(foot.encode()) + 200
    kept = [head.encode()[: SIZE_LIMIT - 400].decode("utf-8", "ignore")]
    for place, detail in enumerate(details):
        size += len(detail.encode()) + 1
        if size > SIZE_LIMIT:
            kept.append(f"*{len(details) - place} more explanations were left out to keep this text below 1 MB.*\n")
            break
        kept.append(detail)
    return "\n".join([*kept, foot])
