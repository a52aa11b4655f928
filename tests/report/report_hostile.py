"""Holds payloads that a student might print, raise or be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from report_factory import case, sheet, walk_scene

from grader.model.result import Evidence, Finding, GradeSheet, Mismatch
from grader.model.run import Stream
from grader.model.scene import Frame, PackedScene, Probe, Scene, Square, Track
from grader.model.submission import Note
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.result import CaseResult

PAYLOADS = (
    "<script>alert('script')</script>",
    "</script><script>alert('close')</script>",
    "<!--<script>alert('comment')",
    "]]></failure></testcase><testcase name='forged'/>",
    "<img src=x onerror=alert('img')><svg/onload=alert('svg')>",
    "<a href='javascript:alert(1)'>x</a><iframe src='http://evil.invalid/'></iframe>",
    "<link rel=stylesheet href='http://evil.invalid/a.css'><style>*{display:none}</style>",
    "{{ 7 * 7 }}{% raw %}",
    "\"onmouseover='alert(2)'\"",
    "\x1b[2J\x1b]0;owned\x07\x1b[31mred",
    "abc\u202egnp.exe\u202c \u2066iso\u2069",
    "nul\x00bell\x07back\x08",
    "Z\u0351\u036b\u0343" + "\u0301" * 500,
    "::error file=x::forged\n::set-output name=a::b\n##[command]x ##vso[task.complete]",
    "/close\n/assign @everyone\n@everyone #1 !2 [x](http://evil.invalid) `tick` ```fence```",
    '=HYPERLINK("http://evil.invalid")',
    "\ud800 lone surrogate",
    "w" * 5000,
    "`" * 40,
    "\u2028line\u2029sep",
)
EVERYTHING = "\n".join(PAYLOADS)
BYTES = EVERYTHING.encode("utf-8", "surrogatepass") + b"\xff\xfe\x80" + b"y" * 10_000_000


def hostile_sheet(submission: str = "../../<b>evil</b>\x00\u202e=1+1") -> GradeSheet:
    return sheet(
        submission,
        cases=[
            *(hostile_case(place, payload) for place, payload in enumerate(PAYLOADS)),
            hostile_case(99, EVERYTHING),
        ],
        findings=tuple(
            Finding(
                rule="banned-import",
                path=f"{payload}.py",
                line=1,
                column=1,
                end_column=9,
                message=payload,
                source=payload,
                why=payload,
                instead=payload,
            )
            for payload in PAYLOADS
        ),
        sources={f"{payload}.py": f"'''{payload}'''\n# {payload}\n" for payload in PAYLOADS},
        notes=tuple(Note(kind="dropped", message=payload, path=payload) for payload in PAYLOADS),
        problem=EVERYTHING,
        title=PAYLOADS[0],
        assignment=PAYLOADS[1],
    )


def hostile_case(number: int, payload: str) -> CaseResult:
    walk = walk_scene(4)
    return case(
        f"case-{number}-{payload}",
        Verdict.WA,
        title=payload,
        message=payload,
        hint=payload,
        tags=(payload,),
        mismatch=Mismatch(
            kind=payload, message=payload, where=payload, expected=f"{payload}\n2", found=f"3\n{payload}", step=1
        ),
        evidence=Evidence(
            input=payload,
            stdout=Stream.of(BYTES if number == 99 else payload.encode("utf-8", "surrogatepass")),
            stderr=Stream.of(payload.encode("utf-8", "surrogatepass")),
            traceback=f'Traceback (most recent call last):\n  File "{payload}", line 1, in x\nValueError: {payload}',
            scene=PackedScene.of(
                Scene(
                    rows=8,
                    columns=23,
                    squares=(
                        *walk.squares,
                        Square(row=3, column=3, look=payload[:40], tone=payload[:40], text=payload, corner=payload),
                    ),
                    tracks=(
                        Track(
                            title=payload,
                            frames=(Frame(at=(0, 4), facing="W", caption=payload), *walk.tracks[0].frames),
                        ),
                    ),
                    search=(Probe(0, 0, payload),),
                    title=payload,
                )
            ),
        ),
    )
