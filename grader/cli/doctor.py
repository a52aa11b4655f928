"""`grader doctor`: which protections work on this machine, and what would add more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.model.result import Isolation

MEANING = {
    "isolated": "Each case runs in a container of its own: it reaches no file, process or network of this machine.",
    "confined": "Each case is confined by the kernel: it can't read your files, use the network or start programs.",
    "limited": "Each case has limits, but runs with your own rights on this machine; marks here are provisional.",
    "none": "No case can be run on this machine.",
}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the statement as JSON.")
def doctor(*, as_json: bool) -> None:
    """Test the sandbox on this machine by running attacks, and suggest improvements."""
    from grader.sandbox.levels.probe import probe  # noqa: PLC0415 -- --help stays quick
    from grader.sandbox.supervisor import shortage  # noqa: PLC0415 -- the same

    shortage.refuse()
    isolation = probe()
    click.echo(_json(isolation) if as_json else _text(isolation))


def _json(isolation: Isolation) -> str:
    import msgspec  # noqa: PLC0415 -- the same

    return msgspec.json.format(msgspec.json.encode(isolation)).decode()


def _text(isolation: Isolation) -> str:
    lines = [f"Isolation: {isolation.level}", f"  {MEANING[isolation.level]}", "", "These protections work:"]
    lines += [f"  ✓ {mechanism}" for mechanism in isolation.mechanisms]
    for gap in isolation.missing:
        lines += ["", f"Missing: {gap['what']}", f"  why: {gap['why']}", f"  so: {gap['consequence']}"]
        if gap.get("remedy"):
            lines.append(f"  to fix it: {gap['remedy']}")
    if not isolation.missing:
        lines += ["", "Nothing is missing: this is the strongest level there is."]
    return "\n".join(lines)
