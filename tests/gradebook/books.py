"""Fixtures: a SQLite file, and a PostgreSQL server that the tests start."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import offers
import pytest
from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import OperationalError

from grader.gradebook.ledger import open_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.gradebook.ledger import Ledger

PORT = 5432  # only the socket's name: the server listens on no address


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    on_path = shutil.which("postgres")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def _as_postgres(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root, and shall end with the tests, however they end."""
    user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    return ["setpriv", *user, "--pdeathsig", "INT", "--", *command]


def _start(binaries: Path, folder: Path) -> subprocess.Popen[bytes]:
    data = folder / "data"
    initdb = [str(binaries / "initdb"), "-D", str(data), "-U", "grader", "-A", "trust", "-E", "UTF8", "--locale=C"]
    subprocess.run(_as_postgres([*initdb, "--no-sync"]), check=True, capture_output=True, cwd=folder)
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(folder),
        "fsync": "off",
        "max_connections": "80",
    }
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    server = [str(binaries / "postgres"), "-D", str(data), "-p", str(PORT), *options]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(_as_postgres(server), stdout=log, stderr=log, cwd=folder)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Give the URL of a server that lives as long as the session."""
    binaries = _binaries()
    if binaries is None:
        offers.lack("PostgreSQL server", "as root, apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="grader-pg-") as place:  # a socket's name may have 100 letters
        folder = Path(place)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        with _start(binaries, folder) as server:
            try:
                url = f"postgresql+psycopg://grader@/postgres?host={folder}&port={PORT}"
                _wait(url, folder, server)
                yield url
            finally:
                server.send_signal(signal.SIGINT)


def _wait(url: str, folder: Path, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers, however long a busy machine takes, or has ended."""
    while server.poll() is None:
        with contextlib.suppress(OperationalError), create_engine(url, poolclass=NullPool).connect():
            return
        time.sleep(0.1)
    raise AssertionError(f"PostgreSQL didn't start: {(folder / 'log').read_text()[-2000:]}")


@pytest.fixture(params=["sqlite", "postgres"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the name of a book that doesn't exist yet, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "book.sqlite")
    url: str = request.getfixturevalue("postgres_url")
    name = f"book_{uuid.uuid4().hex}"
    with create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    return url.replace("/postgres?", f"/{name}?")


@pytest.fixture
def ledger(book: str) -> Ledger:
    return open_ledger(book, create=True)
