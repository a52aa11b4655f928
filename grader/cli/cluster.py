"""The command `grader cluster`: what a cluster of one's own needs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from grader.errors import UsageError


@click.group()
def cluster() -> None:
    """Set up a cluster of your own for `--engine tls://host:port`."""


@cluster.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default=Path("cluster.yaml"))
def certificates(file: Path) -> None:
    """Write FILE (cluster.yaml by default): a certificate with dask's settings that admit nobody without it."""
    if find_spec("distributed") is None:
        raise UsageError("a cluster needs dask", hint="Install it: pip install 'maze-grader[dask]'")
    from grader.engines.certificates import write_settings  # noqa: PLC0415 - an optional extra

    write_settings(file)
    click.echo(
        f"{file} is written; it is valid for a year. Copy it to every machine, readable by the grader's user alone,\n"
        f"and there, before `dask scheduler --protocol tls`, `dask worker` and `grader grade --engine tls://…`:\n"
        f"  export DASK_CONFIG={file.absolute()}"
    )
