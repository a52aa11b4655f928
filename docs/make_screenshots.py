"""Takes the README's screenshots of a stored run with Debian's Chromium.

    python docs/make_screenshots.py [RUN] [--submission ID] [--out FOLDER]

Without RUN it grades a few of the bundled left-hand solutions first.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click
from playwright.sync_api import sync_playwright

from grader.catalogue.load import load_assignment
from grader.prove.programs import known_programs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
ROOT = Path(__file__).resolve().parent.parent
_DRAWN = """() => [...document.querySelectorAll("details.case[open] .player")].every(
    (host) => host.childNodes.length)"""


class Shot(NamedTuple):
    """One picture: its file, the page below the run, the window, and where the page is scrolled to."""

    name: str
    page: str
    size: tuple[int, int] = (1200, 860)
    scheme: Literal["light", "dark"] = "light"
    at: str = ""


SHOTS = (
    Shot("submission.png", "{submission}/report.html", size=(1200, 1180)),
    Shot("submission-dark.png", "{submission}/report.html", size=(1200, 1180), scheme="dark"),
    Shot("submission-phone.png", "{submission}/report.html", size=(390, 844), at=".case[open]"),
    Shot("class.png", "index.html"),
    Shot("class-matrix.png", "index.html", at="#matrix-title"),
)


@click.command()
@click.argument("run", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--submission", default="negative_column", show_default=True, help="Whose page is shown.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=ROOT / "docs" / "screenshots")
def main(run: Path | None, submission: str, out: Path) -> None:
    """Take the pictures of RUN's class page and of one submission's page."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = run or _graded(Path(scratch))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for shot in SHOTS:
            page = folder / shot.page.format(submission=submission)
            _take(browser, shot, page=page, picture=out / shot.name)
        browser.close()
    click.echo(f"{len(SHOTS)} pictures are in {out}")


def _graded(out: Path) -> Path:
    """Grade the known programs of the left-hand rule: a class with every kind of fault."""
    with known_programs(load_assignment(ROOT / "cases", "lefthand")) as programs:
        paths = [str(path) for path in sorted(programs.glob("*/*"))]
        command = [sys.executable, "-m", "grader", "grade", *paths, "-a", "lefthand", "-o", str(out)]
        subprocess.run(command, check=True)  # noqa: S603 -- our own command on our own files
    return out


def _take(browser: Browser, shot: Shot, *, page: Path, picture: Path) -> None:
    width, height = shot.size
    view = browser.new_page(viewport={"width": width, "height": height}, color_scheme=shot.scheme)
    view.goto(page.resolve().as_uri())
    if shot.at:
        view.locator(shot.at).first.evaluate("(node) => node.scrollIntoView({behavior: 'instant', block: 'start'})")
    view.wait_for_function(_DRAWN)
    view.screenshot(path=picture)
    view.close()


if __name__ == "__main__":
    main()
