"""Says what a zygote needs to know to build its wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.sandbox.supervisor import interpreter, users

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.verdict import Level
    from grader.sandbox.inside.plan import Enclosure, Ids
    from grader.sandbox.supervisor.zygote_folder import ZygoteFolder


def of(level: Level, home: ZygoteFolder, *, ids: Ids | None, packages: tuple[Path, ...]) -> Enclosure:
    """Return the enclosure of a zygote with this folder, and with these packages in sight."""
    return {
        "level": level.value,
        "box": str(home.box),
        "home": home.work,
        "temporary": home.temporary,
        "ids": ids,
        "many_ids": users.has_range(),
        "places": [*interpreter.readable()],
        "readable": [] if home.container else interpreter.all_entries(),
        "packages": [str(path) for path in packages],
        "package_folders": home.add_packages(packages),
    }
