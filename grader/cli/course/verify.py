"""Checks that a report is the course's own, without the book and offline."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import of_course
from grader.errors import UsageError
from grader.gradebook.signing import verify as check_signature
from grader.report.clean import clean_line


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--key",
    envvar="GRADER_PUBLIC_KEY",
    default=lambda: of_course(lambda course: course.file.public_key, ""),
    metavar="KEY",
    help="The course's public key, `ed25519:…`, or a file with it (else $GRADER_PUBLIC_KEY, or the course's).",
)
def verify(file: Path, key: str) -> None:
    """Check that FILE, or every file of a folder of reports, is as the course signed it.

    signature.json must lie beside it. Exit status 0: it is; 70: it isn't.
    """
    if not key:
        raise UsageError("Whose signature is it to be?", hint="Give the course's public key with --key.")
    text = key if key.startswith("ed25519:") else _read(Path(key))
    said, names = check_signature(file, text.strip())
    click.echo(clean_line(f"{said.student}, {said.assignment}, tag {said.tag}, received {said.received.isoformat()}"))
    click.echo(f"as signed at {said.signed.isoformat()}: {clean_line(', '.join(names))}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no public key: {error}") from error
