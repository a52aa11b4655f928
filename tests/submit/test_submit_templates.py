"""The CI templates and pages on operations say what the code does."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import click
import gitrepo
import pytest
import yaml

from grader.cli.course.book import book
from grader.cli.group import cli
from grader.forge.git import Repository
from grader.forge.tag import arrived_at, commit_of, named
from grader.gradebook.event import TAG_MOVED, TOO_MANY_TAGS, Fact
from grader.gradebook.regulations import RULES
from grader.model.regulations import Late, Regulations, Window

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations"
TEMPLATES = sorted((OPERATIONS / "templates").glob("*.yml"))
PAGES = ("gradebook.md", "git-server.md", "gitlab.md", "github.md", "course.md", "uploads.md")


def commands(text: str) -> list[list[str]]:
    """Find the calls of grader in a script or page, each split as a shell does."""
    joined = re.sub(r"\\\n", " ", text)
    lines = re.findall(r"(?:^ *|`)(grader [a-z][a-z-]+(?: [^`\n]*)?)(?:`|$)", joined, flags=re.MULTILINE)
    return [shlex.split(line.split("#")[0].replace("…", "")) for line in lines]


def resolve(words: list[str]) -> tuple[click.Command, list[str]]:
    """Follow the words down to the command that they name."""
    command: click.Command = cli
    rest = words[1:]
    while isinstance(command, click.Group):
        assert rest, words
        found = command.get_command(click.Context(command), rest[0])
        assert found is not None, f"{words}: there is no {rest[0]}"
        command, rest = found, rest[1:]
    return command, rest


def scripts(value: Any) -> list[str]:
    """Give every line of script in a template."""
    if isinstance(value, dict):
        found = [scripts(inside) for name, inside in value.items() if name not in {"script", "run"}]
        own = [value[name] for name in ("script", "run") if name in value]
        lines = [line for script in own for line in (script if isinstance(script, list) else [script])]
        return lines + [line for each in found for line in each]
    return [line for inside in value for line in scripts(inside)] if isinstance(value, list) else []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_command_in_a_template_exists(path: Path) -> None:
    """Each call names a command and only options that it has."""
    lines = scripts(yaml.safe_load(path.read_text()))
    calls = [call for script in lines for call in commands(script)]
    assert calls or any("check.pyz" in line for line in lines)  # a student's own check
    for call in calls:
        command, rest = resolve(call)
        options = {name for parameter in command.params for name in parameter.opts}
        assert {word for word in rest if word.startswith("-")} <= options, call


@pytest.mark.parametrize("name", PAGES)
def test_every_command_on_a_page_exists(name: str) -> None:
    """The pages show no command or option that isn't there."""
    calls = commands((OPERATIONS / name).read_text())
    assert calls
    for call in calls:
        command, rest = resolve(call)
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word.strip("[]") for word in rest if re.match(r"\[?--?[a-z]", word)} <= options, call


def test_every_rule_event_reason_and_command_is_documented() -> None:
    """A new key, event, reason or command of the book without its words fails here."""
    page = (OPERATIONS / "gradebook.md").read_text()
    keys = set(Regulations.__struct_fields__) - {"window"}
    nested = {"late": Late, "window": Window}
    keys |= {f"{name}.{field}" for name, kind in nested.items() for field in kind.__struct_fields__}
    kinds = {str(kind.__struct_config__.tag) for kind in Fact.__args__}
    missing = {
        word
        for word in keys | kinds | {TAG_MOVED, TOO_MANY_TAGS, *(rule.reason for rule in RULES)}
        if f"`{word}`" not in page
    }
    assert not missing
    assert {name for name in book.commands if f"grader book {name}" not in page} == set()


def test_the_run_that_counts_is_out_of_students_reach() -> None:
    """GitLab: tag pipelines on the course's runner, no checkout. GitHub: the course's own repository polls."""
    gitlab = yaml.safe_load((OPERATIONS / "templates" / "gitlab-ci.yml").read_text())["grade"]
    assert gitlab["rules"] == [{"if": "$CI_COMMIT_TAG"}]
    assert gitlab["tags"] == ["maze-grader"]
    assert (gitlab["variables"]["GIT_CHECKOUT"], gitlab["variables"]["GIT_SUBMODULE_STRATEGY"]) == ("false", "none")
    assert set(gitlab["artifacts"]["reports"]) == {"junit", "codequality"}
    assert gitlab["artifacts"]["when"] == "always"
    github = yaml.safe_load((OPERATIONS / "templates" / "github-grade.yml").read_text())
    assert set(github[True]) == {"schedule", "workflow_dispatch"}  # YAML 1.1 reads `on` as true
    assert github["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_students_word_is_pasted_into_a_script(path: Path) -> None:
    """A tag's name reaches the shell through a quoted variable only, never by substitution into the script."""
    for script in scripts(yaml.safe_load(path.read_text())):
        assert "${{" not in script
        assert re.search(r"(?<![\"\w])\$[A-Z{]", script) is None, script


def test_mirrors_keep_what_came_and_when(tmp_path: Path) -> None:
    """The polling course's script fetches tags, notes their time, and doesn't follow a moved tag."""
    student = gitrepo.new_repository(tmp_path / "hosted" / "course" / "ann.git")
    first = gitrepo.commit(student, {"hello.py": b"1"}, tag="v1")
    (tmp_path / "roster.csv").write_text('\ufeffname,student\n"Aa, Ann","ann"\nEtc,../../etc\n')
    environment = {
        **gitrepo.ENVIRONMENT,
        "OWNER": "course",
        "MIRRORS": str(tmp_path / "mirrors"),
        "GRADER_GITHUB_TOKEN": "token",
        "GRADER_GIT_HOST": f"file://{tmp_path / 'hosted'}",
    }
    command = ["sh", str(OPERATIONS / "templates" / "fetch-mirrors.sh"), str(tmp_path / "roster.csv")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == "skipped: ../../etc\n"
    mirror = Repository(tmp_path / "mirrors" / "ann.git")
    assert commit_of(mirror, named(mirror, "v1")) == first
    assert arrived_at(mirror, named(mirror, "v1")) is not None
    gitrepo.commit(student, {"hello.py": b"2"})
    gitrepo.git(student, "tag", "-f", "v1")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert "ann: not fetched, or a tag was moved" in done.stderr
    assert commit_of(mirror, named(mirror, "v1")) == first


@pytest.mark.parametrize("name", ["gitlab.md", "github.md"])
def test_the_pages_say_that_students_ci_is_advisory(name: str) -> None:
    """Plainly, in bold, before anything else."""
    assert "**CI in a repository that a student can write to is advisory" in (OPERATIONS / name).read_text()[:300]
