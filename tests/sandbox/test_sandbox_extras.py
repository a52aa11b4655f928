"""Promises about packages, watched modules, refusals and the doctor."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from sandbox_bench import LEVELS, QUICK, err, out

from grader.cli.doctor import doctor
from grader.errors import SandboxError
from grader.model.run import File, Program, RunRecord, RunRequest
from grader.sandbox.open import open_sandbox
from grader.tracebacks import place_of

if TYPE_CHECKING:
    from grader.model.verdict import Level

WATCHER = """
def prepare(modules):
    import sys
    return len(sys.modules) > 60

def begin(saw_all, report):
    import sys
    if saw_all:
        report(0, sys._getframe())
"""


def run(source: str, level: Level, *, packages: tuple[str, ...] = (), watch: tuple[str, ...] = ()) -> RunRecord:
    sandbox = open_sandbox(level, packages=packages, watcher_source=WATCHER)
    files = (File(path="s.py", content=source.encode()),)
    record = sandbox.run(RunRequest(how=Program(main="s.py"), files=files, limits=QUICK, watch=watch))
    sandbox.close()
    return record


@pytest.mark.parametrize("level", LEVELS)
def test_only_allowed_packages_can_be_imported(level: Level) -> None:
    """An allowed package works; the grader and its own packages aren't there."""
    source = "import tabulate\nprint(tabulate.tabulate([[1]], tablefmt='plain'))\nimport {}\n"
    for hidden in ("grader", "msgspec", "reference"):
        record = run(source.format(hidden), level, packages=("tabulate",))
        assert (out(record), record.raised and record.raised.message) == ("1\n", f"No module named '{hidden}'")


@pytest.mark.needs("isolated")
def test_an_allowed_package_that_is_missing_is_staffs_fault() -> None:
    """The message names it and says what to type."""
    with pytest.raises(SandboxError, match="pip install no-such-package"):
        open_sandbox(LEVELS[-1], packages=("no_such_package",))


@pytest.mark.parametrize("level", LEVELS)
def test_the_watcher_sees_all_modules_and_is_heard_at_once(level: Level) -> None:
    """Its report arrives though the program leaves at once."""
    record = run("import os\nos._exit(4)", level, watch=("copy",))
    assert [(use.module, use.path, use.line) for use in record.ban_uses] == [("copy", "s.py", 1)]
    assert record.exit_status == 4


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "deed", ["os.fork()", "os.system('ls')", "subprocess.run(['ls'])", "os.execv('/bin/ls', ['ls'])"]
)
def test_starting_a_process_is_refused_in_plain_words(level: Level, deed: str) -> None:
    """The student reads why."""
    record = run(f"import os, subprocess\n{deed}\n", level)
    assert "a program that is being graded can't start another process" in err(record)
    assert record.raised is not None
    assert place_of(record.raised.traceback) == "at line 2 of s.py"
    assert "inside" not in err(record)


def test_the_doctor_states_the_level_and_its_mechanisms() -> None:
    """For people in sentences, for programs as JSON; both say the same."""
    text = CliRunner().invoke(doctor, []).output
    statement = json.loads(CliRunner().invoke(doctor, ["--json"]).output)
    assert f"Isolation: {statement['level']}" in text
    assert all(mechanism in text for mechanism in statement["mechanisms"])


@pytest.mark.parametrize("level", LEVELS)
def test_watched_and_unwatched_cases_may_alternate(level: Level) -> None:
    """Each set of watched modules keeps its own zygote, and no case sees another's guards."""
    sandbox = open_sandbox(level, watcher_source=WATCHER)
    files = (File(path="s.py", content=b"print(1)"),)
    uses = []
    zygotes: set[int] = set()
    for watch in ((), ("copy",), (), ("copy",), ()):
        record = sandbox.run(RunRequest(how=Program(main="s.py"), files=files, limits=QUICK, watch=watch))
        uses.append([use.module for use in record.ban_uses])
        zygotes.update(zygote.pid for zygote in sandbox._zygotes.values())  # type: ignore[attr-defined]  # the sandbox's own
    sandbox.close()
    assert uses == [[], ["copy"], [], ["copy"], []]
    assert len(zygotes) == 2
