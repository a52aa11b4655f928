"""The docs site builds strictly and loads nothing from another host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_LOADING = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
_FROM_AFAR = re.compile(r"""(?:@import\s+["']?|url\(["']?)(?:https?:)?//[^)"'\s]+""")


class Loads(HTMLParser):
    """Collects what a page makes a browser fetch by itself; links that a reader clicks don't count."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "link" and values.get("rel") in {"canonical", "prev", "next"}:
            return
        value = values.get(_LOADING.get(tag, ""))
        if value:
            self.found.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("docs") / "site"
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(out)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return out


def test_pages_load_nothing_from_another_host(site: Path) -> None:
    """Whoever reads the docs without a network misses nothing, and tells nobody."""
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text("utf-8"))
        assert loads.found, page
        assert [found for found in loads.found if re.match(r"(?:\w+:)?//", found)] == [], page


def test_styles_load_nothing_from_another_host(site: Path) -> None:
    """No font and no picture comes from afar."""
    styles = sorted(site.rglob("*.css"))
    assert styles
    for style in (*styles, *site.rglob("*.html")):
        assert _FROM_AFAR.findall(style.read_text("utf-8")) == [], style


def test_every_page_of_docs_is_on_the_site(site: Path) -> None:
    """A page can't be written and forgotten."""
    for source in (ROOT / "docs").rglob("*.md"):
        name = source.relative_to(ROOT / "docs").with_suffix(".html")
        assert (site / (name.with_name("index.html") if name.stem == "README" else name)).is_file(), source
