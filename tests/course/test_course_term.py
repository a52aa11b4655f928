"""A small term by commands alone, killed at random moments: every mark is traced from ledger to export."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING

import course as pushes
import gitrepo
import pytest
from courses import grader
from downloads import pack

from grader.gradebook.check import check
from grader.gradebook.ledger import open_ledger

if TYPE_CHECKING:
    from pathlib import Path

TEAMS = {"ann": "", "bob": "", "cy": "red", "dee": "red", "eve": "blue", "fay": "blue"}
NUMBERS = {name: 101 + place for place, name in enumerate(TEAMS)}
DUE = "2026-03-10T23:59:59+08:00"
RIGHT, WRONG = pushes.RIGHT, pushes.WRONG
COURSE = f"""\
format: 1
title: A term
roster: roster.csv
zone: Asia/Taipei
assignments:
  by-canvas: {{regulations: {{due: {DUE}, late: {{percent: 10}}, attempts: 2}}, canvas_id: "5150"}}
  by-moodle: {{regulations: {{due: {DUE}, late: {{percent: 50, days: 1}}}}}}
  by-git: {{regulations: {{due: null}}}}
"""
MARKS = {
    "by-canvas": {"ann": 4.0, "bob": 3.6, "cy": 4.0, "dee": 4.0, "eve": 1.0, "fay": 1.0},
    "by-moodle": {"ann": 3.0, "bob": 4.0, "cy": 1.0, "dee": 1.0, "eve": 4.0, "fay": 4.0},
    "by-git": {"ann": 4.0, "bob": 1.0},
}
"""Points in the end: Bob is a day late on Canvas, Ann has 2 of the staff's on Moodle, where Eve was ill."""


def gradebook_of_canvas() -> bytes:
    head = '\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Hello (5150)\r\n"    Points Possible",,,,,4\r\n'
    return (head + "".join(f'"{name}, x",{number},,{name},S1,\r\n' for name, number in NUMBERS.items())).encode()


def written(name: str) -> str:
    """Return what stands in Canvas's file in the end; Fay has left."""
    return "" if name == "fay" else f"{MARKS['by-canvas'][name]:g}"


def worksheet(times: dict[str, str]) -> str:
    head = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission)\n"
    rows = (
        f'Participant {n},{name},{name}@u.example,x,,4.00,"{times.get(name, "-")}"\n' for name, n in NUMBERS.items()
    )
    return head + "".join(rows)


class Term:
    """The course's folder, and commands that are killed now and then."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.killed = 0

    def run(self, *arguments: str, status: int = 0) -> pushes.Done:
        done = grader(self.folder, *arguments)
        assert done.returncode == status, f"{arguments}: {done.stdout}{done.stderr}"
        return done

    def run_killed(self, *arguments: str, status: int = 0) -> pushes.Done:
        """Begin the command, kill it with all it started at some moment; then run it to its end."""
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        command = [sys.executable, "-m", "grader", *arguments]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as begun:
            time.sleep(self.chance.uniform(0.3, 3.0))
            self.killed += begun.poll() is None
            os.killpg(begun.pid, signal.SIGKILL) if begun.poll() is None else None
        self.let_leases_run_out()
        return self.run(*arguments, status=status)

    def let_leases_run_out(self) -> None:
        """Do what two minutes would; an open connection that a fork inherits would damage the book."""
        with closing(sqlite3.connect(self.folder / "gradebook.sqlite", timeout=60)) as book, book:
            book.execute("UPDATE leases SET until_us = 1")

    def shuffle_class(self) -> None:
        """Edit the class list as staff do: other groups, another order."""
        head, *rows = (self.folder / "roster.csv").read_text().splitlines()
        mixed = [row.split(",") for row in self.chance.sample(rows, len(rows))]
        for row in mixed:
            row[1] = self.chance.choice(["", "red", "blue", "green"])
        (self.folder / "roster.csv").write_text("\n".join([head, *map(",".join, mixed), ""]))


@pytest.fixture
def term(tmp_path: Path, request: pytest.FixtureRequest) -> Term:
    """Make the course from both platforms' lists and a list of teams; its key has a fault that nobody knows yet."""
    for name in ("by-canvas", "by-moodle", "by-git"):
        pushes.make(tmp_path / "spare" / name)
        (tmp_path / "cases").mkdir(exist_ok=True)
        (tmp_path / "spare" / name / "cases" / "hello").rename(tmp_path / "cases" / name)
    key = tmp_path / "cases" / "by-canvas" / "cases.yaml"
    key.write_text(key.read_text().replace("CANARY", "WRONG KEY"))
    (tmp_path / "canvas.csv").write_bytes(gradebook_of_canvas())
    (tmp_path / "worksheet.csv").write_text(worksheet({}))
    (tmp_path / "teams.csv").write_text(
        "student,group\n" + "".join(f"{name},{team}\n" for name, team in TEAMS.items())
    )
    term = Term(tmp_path, request.param)
    term.run("course", "init", "canvas.csv", "worksheet.csv", "teams.csv")
    (tmp_path / "course.yaml").write_text(COURSE)
    term.run("course", "show")
    return term


def exported(term: Term, name: str, *more: str, status: int = 0) -> dict[str, float]:
    text = term.run("book", "export", "-a", name, *more, status=status).stdout
    rows = csv.DictReader(io.StringIO(text))
    return {row["student"]: float(row["points"]) for row in rows if row["points"]}


def traced(folder: Path, name: str) -> dict[str, float]:
    """Add the marks up from the bare events, knowing nothing of the code that does."""
    book = sqlite3.connect(folder / "gradebook.sqlite")
    rows = book.execute(
        "SELECT party, attempt, fact FROM events WHERE assignment = ? ORDER BY number", (name,)
    ).fetchall()
    book.close()
    attempts: dict[tuple[str, str], dict[str, dict[str, object]]] = defaultdict(dict)
    for party, attempt, fact in rows:
        said = json.loads(fact)
        attempts[party, attempt][said["type"]] = said
    best: dict[str, float] = {}
    for facts in attempts.values():
        judged = facts.get("regraded") or facts.get("settled")
        if judged is None or judged.get("our_fault") or "voided" in facts:
            continue
        cost = float(str(facts["started"]["cost_percent"]))
        points = float(str(judged["points"])) * (1 - cost / 100)
        points += float(str(facts.get("adjusted", {}).get("points", 0)))
        received = facts["received"]
        members = received["members"] or [received["reports"].split("/")[-2]]  # type: ignore[attr-defined]
        for student in members:  # type: ignore[attr-defined]
            best[student] = max(points, best.get(student, 0.0))
    return best


@pytest.mark.parametrize("term", [int(os.environ.get("GRADER_TERM_SEED", "1"))], indirect=True)
def test_a_term_killed_at_random_moments_ends_with_every_mark(term: Term) -> None:
    """Two platforms and git, teams, an extension, a wrong key, points by hand, mixed-up groups, one who leaves."""
    folder = term.folder
    files = {"ann": RIGHT, "bob": RIGHT, "cy": RIGHT, "eve": WRONG}
    pack(folder / "canvas.zip", {f"x{name}_{NUMBERS[name]}_{7000}_hello.py": text for name, text in files.items()})
    times = "".join(f"{name},2026-03-{'11' if name == 'bob' else '10'}T12:00:00+08:00\n" for name in files)
    (folder / "times.csv").write_text(f"student,time\n{times}")
    term.run_killed("collect", "-a", "by-canvas", "canvas.zip", "--times", "times.csv")

    late = {"ann": WRONG, "bob": RIGHT, "dee": WRONG, "eve": RIGHT}
    tops = {name: f"{name}_{NUMBERS[name]}_assignsubmission_file/hello.py" for name in late}
    pack(folder / "moodle.zip", {tops[name]: text for name, text in late.items()})
    day = dict.fromkeys(late, "Tuesday, 10 March 2026, 9:00 PM") | {"eve": "Friday, 13 March 2026, 9:00 PM"}
    (folder / "worksheet.csv").write_text(worksheet(day))
    term.run("book", "extend", "eve", "-a", "by-moodle", "--days", "4", "--why", "ill")
    term.run_killed("collect", "-a", "by-moodle", "moodle.zip", "--times", "worksheet.csv")

    term.run("serve-git", "git", "-a", "by-git", "--install-only")
    for name, text in (("ann", RIGHT), ("bob", WRONG)):
        work = gitrepo.new_repository(folder / "work" / name)
        gitrepo.commit(work, {"hello.py": text}, tag="v1")
        push = ["git", "-C", str(work), "push", "-q", str(folder / "git" / f"{name}.git"), "v1"]
        environment = {**gitrepo.ENVIRONMENT, "XDG_CACHE_HOME": str(folder / "cache")}
        with subprocess.Popen(push, env=environment, start_new_session=True, stderr=subprocess.DEVNULL) as pushing:
            time.sleep(term.chance.uniform(0.2, 3.0))
            os.killpg(pushing.pid, signal.SIGKILL)
        subprocess.run(push, env=environment, check=True, capture_output=True)
    term.let_leases_run_out()
    term.run("hook", "catch-up", "-a", "by-git", "git/ann.git", "git/bob.git")

    term.shuffle_class()
    key = folder / "cases" / "by-canvas" / "cases.yaml"
    key.write_text(key.read_text().replace("WRONG KEY", "CANARY"))
    term.run_killed("book", "regrade", "-a", "by-canvas", "--apply", "--why", "the key was wrong")
    own = {path.name for path in (folder / "reports" / "by-moodle" / "ann").iterdir()}
    tag = next(name for name in own if name in term.run("book", "history", "ann", "-a", "by-moodle").stdout)
    term.run("book", "adjust", "ann", tag, "-a", "by-moodle", "--points", "2", "--why", "a fine explanation")
    term.shuffle_class()

    assert {name: traced(folder, name) for name in MARKS} == {name: pytest.approx(own) for name, own in MARKS.items()}
    assert {name: exported(term, name) for name in MARKS} == {name: pytest.approx(own) for name, own in MARKS.items()}
    term.run_killed("feedback", "-a", "by-moodle", "--format", "moodle", "-o", "feedback.zip")
    roster = (folder / "roster.csv").read_text().splitlines()
    (folder / "roster.csv").write_text("\n".join([*(row for row in roster if not row.startswith("fay,")), ""]))
    left = term.run("book", "export", "-a", "by-canvas", "--into", "canvas.csv", "-o", "out.csv", status=1)
    assert "fay, 1 point" in left.stderr
    marks = "".join(f'"{name}, x",{number},,{name},S1,{written(name)}\r\n' for name, number in NUMBERS.items())
    head = gradebook_of_canvas().partition(b",,,,,4\r\n")
    given = (head[0] + head[1] + marks.encode()).decode()
    written_text = (folder / "out.csv").read_bytes().decode()
    assert list(csv.reader(io.StringIO(written_text))) == list(csv.reader(io.StringIO(given)))
    assert check(open_ledger(str(folder / "gradebook.sqlite"))).events > 30
