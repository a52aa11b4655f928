"""Real servers, ordinary clients: OpenSSH with a forced command, git over HTTP by lighttpd, systemd's own check."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import course as pushes
import gitrepo
import offers
import pytest
from courses import grader, make

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMPLATES = Path(__file__).parents[2] / "docs" / "operations" / "templates"


def program(name: str, package: str) -> str:
    """Find a server; skip with the reason where it isn't installed."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/lib/git-core")
    if found is None:
        offers.lack(name, f"as root, apt-get install {package}")
    return found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a course with repositories that grade on push, and Ann's clone with a right solution as v1."""
    folder = make(tmp_path_factory.mktemp("served"), "{due: null}")
    done = grader(folder, "serve-git", "git", "--install-only")
    assert done.returncode == 0, done.stderr
    work = gitrepo.new_repository(folder / "work")
    gitrepo.commit(work, {"hello.py": pushes.RIGHT}, tag="v1")
    gitrepo.git(work, "tag", "over-http")
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """Run a server until the block ends; it is there when its port answers."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert server.poll() is None, server.stdout and server.stdout.read()
                time.sleep(0.05)
            yield
        finally:
            server.terminate()
            server.wait(timeout=60)


def git(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "-C", str(folder), *arguments]
    surroundings = {**gitrepo.ENVIRONMENT, "GIT_TERMINAL_PROMPT": "0", **environment}
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=300, check=False)


@contextmanager
def ssh_server(folder: Path) -> Iterator[tuple[int, str]]:
    """Run sshd with one key, which belongs to Ann's repository; give its port and git's command for ssh."""
    sshd, keygen = program("sshd", "openssh-server"), program("ssh-keygen", "openssh-client")
    for name in ("host", "ann"):
        subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    forced = f"{TEMPLATES / 'only-own-repository.sh'} {folder / 'git' / 'ann.git'}"
    keys = folder / "authorized_keys"
    keys.write_text(f'restrict,command="{forced}" {(folder / "ann.pub").read_text()}')
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    port = free_port()
    settings = {
        "Port": port,
        "ListenAddress": "127.0.0.1",
        "HostKey": folder / "host",
        "AuthorizedKeysFile": keys,
        "PidFile": "none",
        "StrictModes": "no",
        "UsePAM": "no",
        "PasswordAuthentication": "no",
        "PermitRootLogin": "forced-commands-only",
        "SetEnv": f"XDG_CACHE_HOME={folder / 'cache'}",
    }
    (folder / "sshd_config").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    client = f"ssh -F /dev/null -i {folder / 'ann'} -p {port} -o IdentitiesOnly=yes -o BatchMode=yes"
    client += " -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
    with running([sshd, "-D", "-e", "-f", str(folder / "sshd_config")], port):
        yield port, client


def test_a_push_over_ssh_is_graded_while_its_student_watches(served: Path) -> None:
    """The key's repository is taken whatever path is named; no shell, no other program."""
    with ssh_server(served) as (port, client):
        address = f"ssh://{getpass.getuser()}@127.0.0.1:{port}/somebody-else.git"
        pushed = git(served / "work", "push", address, "v1", GIT_SSH_COMMAND=client)
        assert pushed.returncode == 0, pushed.stderr
        assert "remote: passed: Says ok (" in pushed.stderr
        assert "4 / 4 points" in pushed.stderr
        listed = git(served / "work", "ls-remote", "--tags", address, GIT_SSH_COMMAND=client)
        assert "refs/tags/v1" in listed.stdout
        shell = [*client.split(), f"{getpass.getuser()}@127.0.0.1", "cat /etc/passwd"]
        refused = subprocess.run(shell, capture_output=True, text=True, timeout=60, check=False)
        assert (refused.returncode, "Only git push" in refused.stderr) == (1, True)
    assert "v1" in grader(served, "book", "history", "ann").stdout


def test_a_push_over_http_is_graded_while_its_student_watches(served: Path) -> None:
    """Smart HTTP with a password; another student's repository, or no password, is refused."""
    lighttpd, backend = program("lighttpd", "lighttpd"), program("git-http-backend", "git")
    port = free_port()
    (served / "passwords").write_text("ann:secret\nbob:other\n")
    text = (TEMPLATES / "lighttpd-git.conf").read_text()
    for there, here in {
        "/usr/lib/git-core/git-http-backend": backend,
        '"htpasswd"': '"plain"',
        "backend.htpasswd.userfile": "backend.plain.userfile",
        "/srv/grader/passwords": str(served / "passwords"),
        '"/srv/git"': f'"{served / "git"}", "XDG_CACHE_HOME" => "{served / "cache"}"',
    }.items():
        assert there in text
        text = text.replace(there, here)
    head = (
        f'server.port = {port}\nserver.bind = "127.0.0.1"\nserver.document-root = "{served}"\nserver.modules = ()\n'
    )
    (served / "lighttpd.conf").write_text(head + text)
    with running([lighttpd, "-D", "-f", str(served / "lighttpd.conf")], port):
        pushed = git(served / "work", "push", f"http://ann:secret@127.0.0.1:{port}/git/ann.git", "over-http")
        assert pushed.returncode == 0, pushed.stderr
        assert "4 / 4 points" in pushed.stderr or "costs nothing" in pushed.stderr
        for address in (f"bob:other@127.0.0.1:{port}", f"127.0.0.1:{port}", f"ann:wrong@127.0.0.1:{port}"):
            refused = git(served / "work", "push", f"http://{address}/git/ann.git", "v1:refs/tags/v2")
            assert refused.returncode != 0
    history = grader(served, "book", "history", "ann").stdout
    assert "over-http" in history
    assert "v2" not in history


def test_the_doctor_looks_at_a_server(served: Path) -> None:
    """All is well, or each thing that isn't is named, and the exit status is 1; nothing is changed."""
    repositories = [f"git/{name}.git" for name in ("ann", "bob")]
    done = grader(served, "doctor", "--server", *repositories)
    assert done.returncode == 0, done.stdout
    assert "✓ git/ann.git: graded on push" in done.stdout
    assert "1 assignment, 4 students" in done.stdout
    gitrepo.git(served, "init", "-q", "--bare", "other.git")
    (served / "other.git" / "git-daemon-export-ok").touch()
    done = grader(served, "doctor", "--server", "other.git", "nowhere.git", GRADER_BOOK="gone.sqlite")
    assert done.returncode == 1
    wrong = [line for line in done.stdout.splitlines() if line.startswith("✗")]
    assert [line.partition(": ")[2][:9] for line in wrong if "other.git" in line] == [
        "it has no",
        "the time ",
        "git shows",
    ]
    assert any("There is no gradebook at gone.sqlite" in line for line in wrong)
    assert any("nowhere.git is no git repository" in line for line in wrong)


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """systemd-analyze finds nothing wrong with service and timer, but for programs that aren't here."""
    analyze = program("systemd-analyze", "systemd")
    for name in ("grader-catch-up.service", "grader-catch-up.timer"):
        text = (TEMPLATES / name).read_text().replace("/srv/grader/venv/bin/grader", "/bin/true")
        (tmp_path / name).write_text(text.replace("User=grader", "User=root"))
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / "grader-catch-up.timer")],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, [line for line in done.stderr.splitlines() if "grader-catch-up" in line]) == (0, [])
