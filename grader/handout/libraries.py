"""The libraries that go into the students' kit: plain Python, and free to be passed on with their licences."""

from __future__ import annotations

from importlib.metadata import files

BUNDLED = ("jinja2", "markupsafe", "pygments")
"""What the page needs; of each only the modules that are imported."""


def licences() -> dict[str, bytes]:
    """Return the licence of each, by its place in the kit."""
    found = {}
    for name in BUNDLED:
        for path in files(name) or ():
            if path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")):
                found[f"licences/{name}/{path.name}"] = path.read_binary()
    return found
