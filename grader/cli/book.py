"""The gradebook's commands."""

from __future__ import annotations

import click

from grader.cli.enter import book_option
from grader.gradebook.ledger import open_ledger


@click.group()
def book() -> None:
    """Keep the gradebook: history, export, extend, void, regrade, simulate."""


@book.command()
@book_option
def init(book: str) -> None:
    """Make an empty book, or bring an old one to this format."""
    ledger = open_ledger(book, create=True)
    click.echo(f"{ledger.name}: ready")
