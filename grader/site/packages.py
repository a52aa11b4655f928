"""Brings what the site takes from npm: Python in WebAssembly, and the page's script with its editor.

The versions are pinned in web/package-lock.json. They are installed where they are asked for: `npm ci` in web/ once,
or in a folder for this one build, out of npm's own cache.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grader.bundled import bundled
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PINNED = ("package.json", "package-lock.json")
_INSTALL = (
    "npm",
    "ci",
    "--omit=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--loglevel=error",
)
_INSTALL_S, _BUILD_S = 600, 300


@contextmanager
def open_packages(given: Path | None) -> Iterator[Packages]:
    """Use the folder that was named, or the one in the repository; else install for this build."""
    own = bundled("web")
    if _is_installed(given or own):
        yield Packages((given or own) / "node_modules")
        return
    if given:
        raise UsageError(
            f"{given} has no packages of the versions wanted",
            hint=f"copy {', '.join(PINNED)} from {own} there and run: npm ci --ignore-scripts",
        )
    with tempfile.TemporaryDirectory(prefix="grader-web-") as temporary:
        for name in PINNED:
            shutil.copy(own / name, temporary)
        _run(_INSTALL, cwd=Path(temporary), within_s=_INSTALL_S)
        yield Packages(Path(temporary) / "node_modules")


class Packages:
    """Installed packages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pyodide = folder / "pyodide"

    def version(self, name: str) -> str:
        """Return a package's version."""
        return str(json.loads((self._folder / name / "package.json").read_text("utf-8"))["version"])

    def bundle(self, script: Path) -> bytes:
        """Return a script with all that it imports, as one."""
        program = self._folder / "esbuild" / "bin" / "esbuild"
        with tempfile.TemporaryDirectory(prefix="grader-web-") as folder:
            out = Path(folder) / "out.js"
            options = ("--bundle", "--minify", "--format=iife", "--target=es2022", "--legal-comments=none")
            command = ("node", str(program), str(script), *options, f"--outfile={out}", "--log-level=error")
            _run(command, cwd=script.parent, within_s=_BUILD_S, packages=self._folder)
            return out.read_bytes()

    def memory(self, modules: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the memory of a Python that has just started, and what importing these modules changes in it."""
        with tempfile.TemporaryDirectory(prefix="grader-web-") as folder:
            given, out = Path(folder) / "modules", Path(folder) / "out"
            out.mkdir()
            for name, content in modules.items():
                (given / name).parent.mkdir(parents=True, exist_ok=True)
                (given / name).write_bytes(content)
            script = bundled("web", "src", "snapshot.mjs")
            command = ("node", str(script), str(self.pyodide.resolve()), str(given), str(out))
            _run(command, cwd=Path(folder), within_s=_BUILD_S)
            return {path.name: path.read_bytes() for path in out.iterdir()}

    def licences(self) -> str:
        """Return the licences of all that ends up in the site."""
        texts = []
        for path in sorted(self._folder.glob("**/package.json")):
            package = json.loads(path.read_text("utf-8"))
            name = package.get("name", "")
            if "esbuild" in name or name == "axe-core" or path.parent.relative_to(self._folder).as_posix() != name:
                continue
            own = next((each for each in sorted(path.parent.iterdir()) if each.stem.upper() == "LICENSE"), None)
            head = f"{name} {package.get('version', '')}: {package.get('license', 'see its source')}"
            texts.append(f"{head}\n\n{own.read_text('utf-8').strip()}\n" if own else f"{head}\n")
        return f"\n{'-' * 80}\n\n".join(texts)


def _is_installed(folder: Path) -> bool:
    """Tell whether a folder has the packages of our lock file."""
    for name in ("pyodide", "esbuild"):
        wanted = json.loads(bundled("web", PINNED[1]).read_text("utf-8"))["packages"][f"node_modules/{name}"]
        found = folder / "node_modules" / name / "package.json"
        if not found.is_file() or json.loads(found.read_text("utf-8"))["version"] != wanted["version"]:
            return False
    return True


def _run(command: tuple[str, ...], *, cwd: Path, within_s: int, packages: Path | None = None) -> None:
    program = shutil.which(command[0])
    if program is None:
        raise UsageError(
            f"{command[0]} is missing: the site's Python and editor come from npm",
            hint="install Node.js 20 or newer, which has both node and npm",
        )
    environment = {**os.environ, **({"NODE_PATH": str(packages)} if packages else {})}
    try:
        done = subprocess.run(  # noqa: S603 - our own programs, by their full paths
            [program, *command[1:]],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=within_s,
        )
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{command[0]} took more than {within_s} s", hint="is the network there?") from error
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        raise UsageError(
            f"{' '.join(command[:2])} failed: {said[0][:300] if said else done.returncode}",
            hint="without a network, name a folder with the packages: --packages FOLDER",
        )
