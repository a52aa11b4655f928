"""Opens each level that this machine offers and runs small programs in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import offers

from grader.model.run import Calls, File, Limits, Program, RunRecord, RunRequest
from grader.model.verdict import Level
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from typing import Any

    from grader.model.seams import Sandbox

LEVELS = (Level.CONFINED, Level.ISOLATED)
QUICK = Limits(cpu_s=4, wall_s=20, memory_mib=128, output_mib=2, disk_mib=4)


class Bench:
    """A sandbox with short ways to run a text."""

    def __init__(self, level: Level) -> None:
        offers.require(*{level.value} & offers.NEEDS.keys())
        self.level = level
        self.sandbox: Sandbox = open_sandbox(level)

    def program(self, source: str | bytes, *, stdin: bytes = b"", limits: Limits = QUICK, **more: Any) -> RunRecord:
        """Run a text as `python3 solution.py argv…`."""
        content = source.encode() if isinstance(source, str) else source
        files = (File(path="solution.py", content=content), *more.pop("files", ()))
        how = Program(main="solution.py", argv=more.pop("argv", ()), stdin=stdin)
        return self.sandbox.run(RunRequest(how=how, files=files, limits=limits, **more))

    def calls(self, source: str, *arguments: tuple[Any, ...], limits: Limits = QUICK) -> RunRecord:
        """Import a text and call its `solve` once for each tuple."""
        how = Calls(module="solution.py", function="solve", arguments=arguments)
        return self.sandbox.run(
            RunRequest(how=how, files=(File(path="solution.py", content=source.encode()),), limits=limits)
        )


def out(record: RunRecord) -> str:
    return record.stdout.content().decode()


def err(record: RunRecord) -> str:
    return record.stderr.content().decode()
