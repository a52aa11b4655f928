"""The group of commands, each imported when it runs; errors become exit statuses."""

from __future__ import annotations

import errno
import sys
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

import click

from grader import __version__
from grader.cli.main import COMMANDS, READER_GONE, help_text
from grader.errors import GraderError, UsageError
from grader.report.text.look import speak_plainly

_INTERRUPTED = 130
_OUR_FAULT = 70
_REFUSALS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR}
"""What a disk or its permissions say; staff can fix it."""


class LazyGroup(click.Group):
    """A group that lists its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def get_help(self, ctx: click.Context) -> str:
        del ctx
        return help_text()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one gets the nearest name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {close[0]}?" if close else f" Commands: {', '.join(COMMANDS)}."
            raise click.UsageError(f"there is no command {args[0]}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
@click.option("--debug", is_flag=True, help="Show our own traceback when something fails.")
def cli(*, debug: bool) -> None:
    """Grade maze homework: run it in a sandbox, judge it, explain it."""


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status; `help COMMAND` is `COMMAND --help`."""
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    debug = "--debug" in arguments
    speak_plainly(sys.stdout, sys.stderr)
    try:
        status = _run(arguments)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except GraderError as error:
        if debug:
            raise
        click.echo(f"grader: {error}", err=True)
        return error.exit_status
    except (KeyboardInterrupt, click.Abort):
        click.echo(
            "grader: interrupted; what was finished is kept, and the same command goes on from there", err=True
        )
        return _INTERRUPTED
    except Exception as error:
        if debug:
            raise
        return _told(error)
    return status if isinstance(status, int) else 0


def _run(arguments: list[str]) -> object:
    try:
        Path.cwd()
    except FileNotFoundError:
        raise UsageError("The folder you are in no longer exists.", hint="Go to another one: cd") from None
    try:
        status = cli.main(arguments, prog_name="grader", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit:
        if "PacifyFlush" not in type(sys.stdout).__name__:  # click's own sign that the reader has gone
            raise
        raise BrokenPipeError(errno.EPIPE, "the reader has gone") from None
    return status


def _told(error: Exception) -> int:
    """Tell a full disk or a closed folder from a bug of ours; a reader that has gone is not even news."""
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EPIPE:
        sys.stdout = None  # nothing is left to flush
        return READER_GONE
    if isinstance(error, OSError) and number in _REFUSALS:
        click.echo(f"grader: this machine refused: {error.strerror}: {error.filename}", err=True)
        return _OUR_FAULT
    click.echo(f"grader: our fault: {type(error).__name__}: {error}", err=True)
    click.echo("  please report it with the output of the same command and --debug in front", err=True)
    return _OUR_FAULT
