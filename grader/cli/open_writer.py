"""Begins to write a run's reports where the command line says."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.report.writer import RunWriter

if TYPE_CHECKING:
    from grader.report.writer import Style


def open_writer(style: Style) -> RunWriter:
    """Open the run's folder; one that can't be made is a mistake on the command line, a full disk isn't."""
    try:
        return RunWriter(style)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise UsageError(f"{style.out} can't be written: {error.strerror}", hint="name another: -o FOLDER") from error
