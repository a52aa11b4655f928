"""Prints the completion script of a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_HOW = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/config.fish"}


@click.command()
@click.argument("shell", type=click.Choice(list(_HOW)))
def completion(shell: str) -> None:
    """Print the completion script of SHELL; `eval` it in the shell's start-up file."""
    from grader.cli.group import cli  # noqa: PLC0415 - the group imports this module by name

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "grader", "_GRADER_COMPLETE").source())
    click.echo(f'# in {_HOW[shell]}: eval "$(grader completion {shell})"')
