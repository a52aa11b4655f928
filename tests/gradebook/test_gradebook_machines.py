"""Two machines serve one PostgreSQL book: the quota is the book's, the line each machine's own."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from typing import TYPE_CHECKING

import course as pushes
import gitrepo
from sqlalchemy import NullPool, create_engine, text

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ["books"]


def test_two_machines_keep_one_quota(tmp_path: Path, postgres_url: str) -> None:
    """Four tags at once on two machines with homes of their own: two are graded, two refused, none lost."""
    name = f"book_{uuid.uuid4().hex}"
    with create_engine(postgres_url, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    book = postgres_url.replace("/postgres?", f"/{name}?")
    pushes.make(tmp_path, "{attempts: 2}")
    student = pushes.student(tmp_path)
    for tag in ("v2", "v3", "v4"):
        gitrepo.commit(student, {"hello.py": pushes.RIGHT + f"# {tag}\n".encode()}, tag=tag)
    assert pushes.grader(tmp_path, "book", "init", "--book", book).returncode == 0

    def submit(machine: str, tag: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "grader", "submit", "--tag", tag, "--repo", "student", "-a", "hello"]
        command += ["--book", book, "--cases", "cases", "-o", f"out-{machine}"]
        home = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / f"cache-{machine}")}
        return subprocess.Popen(command, cwd=tmp_path, env=home, stdout=subprocess.PIPE, text=True)

    machines = [submit(machine, tag) for machine, tag in (("a", "v1"), ("b", "v2"), ("a", "v3"), ("b", "v4"))]
    told = [each.communicate()[0] for each in machines]
    assert sorted(each.returncode for each in machines) == [0, 0, 4, 4], told
    done = pushes.grader(tmp_path, "book", "history", "student", "-a", "hello", "--book", book, "--cases", "cases")
    assert (done.stdout.count("settled"), done.stdout.count("refused")) == (2, 2)
