"""Reading a student's files from git, whatever the repository holds."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import gitrepo
import pytest

from grader.errors import GraderError, UsageError
from grader.forge import tree
from grader.forge.git import Repository
from grader.forge.tag import commit_of as commit_of_tag
from grader.forge.tag import named
from grader.forge.tree import Blob, TooMuchError, Unfit, blob_reader, lfs_reason, list_files

if TYPE_CHECKING:
    from pathlib import Path


def commit_of(repository: Repository, tag: str) -> str:
    """Resolve a tag by its name, down to the commit."""
    return commit_of_tag(repository, named(repository, tag))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return gitrepo.new_repository(tmp_path / "student")


def listed(folder: Path, tag: str = "v1") -> dict[str, Blob | Unfit]:
    repository = Repository(folder)
    return {entry.path: entry for entry in list_files(repository, commit_of(repository, tag))}


def reason(entry: Blob | Unfit) -> str:
    return entry.reason if isinstance(entry, Unfit) else ""


def test_files_come_from_the_tag_not_from_the_work_tree(folder: Path) -> None:
    """What counts is the tagged commit: later commits and uncommitted changes don't."""
    gitrepo.commit(folder, {"maze.py": b"first\n", "sub/data.bin": b"\x00\xff"}, tag="v1")
    gitrepo.commit(folder, {"maze.py": b"second\n"})
    (folder / "maze.py").write_bytes(b"third\n")
    repository = Repository(folder)
    found = [entry for entry in listed(folder).values() if isinstance(entry, Blob)]
    with blob_reader(repository) as read:
        assert {entry.path: read(entry, 100) for entry in found} == {
            "maze.py": b"first\n",
            "sub/data.bin": b"\x00\xff",
        }


def test_bare_repositories_and_annotated_tags_are_read_alike(folder: Path, tmp_path: Path) -> None:
    """An annotated tag gives its commit, in a bare clone too."""
    made = gitrepo.commit(folder, {"maze.py": b"x"})
    gitrepo.git(folder, "tag", "-a", "-m", "handed in", "v1")
    gitrepo.git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    assert commit_of(Repository(tmp_path / "bare.git"), "v1") == made


def test_a_tag_that_does_not_exist_is_told_with_those_that_do(folder: Path) -> None:
    """The message names the tag, the way to push it and the newest tags."""
    gitrepo.commit(folder, {"maze.py": b"x"}, tag="v1")
    with pytest.raises(UsageError, match=r"There is no tag 'v2'\.\n.*git push origin TAG \(newest tags here: 'v1'\)"):
        commit_of(Repository(folder), "v2")


def test_a_branch_is_no_tag(folder: Path) -> None:
    """A branch of that name doesn't stand in for the tag."""
    gitrepo.commit(folder, {"maze.py": b"x"})
    with pytest.raises(UsageError, match="There is no tag 'main'"):
        commit_of(Repository(folder), "main")


@pytest.mark.parametrize("name", ["--upload-pack=x", "a b", "a..b", "a\nb", "", "x" * 300, "a^{tree}", "\x1b[31m"])
def test_a_name_that_git_would_refuse_never_reaches_it(folder: Path, name: str) -> None:
    """Options, revision syntax and control characters in a tag's name are refused."""
    gitrepo.commit(folder, {"maze.py": b"x"}, tag="v1")
    with pytest.raises(UsageError, match=r"is no name for a tag|There is no tag") as caught:
        commit_of(Repository(folder), name)
    assert "\x1b" not in str(caught.value)


def test_a_tag_on_a_file_is_told(folder: Path) -> None:
    """A tag that names a blob is no submission."""
    gitrepo.git(folder, "tag", "v1", gitrepo.blob(folder, b"x"))
    with pytest.raises(UsageError, match="The tag 'v1' names no commit"):
        commit_of(Repository(folder), "v1")


def test_an_empty_commit_has_no_files(folder: Path) -> None:
    """An empty commit is read without complaint; what it lacks is the student's to hear."""
    gitrepo.commit(folder, {}, tag="v1")
    assert listed(folder) == {}


def test_links_are_named_and_never_followed(folder: Path) -> None:
    """A symbolic link out of the tree is left out with its reason."""
    (folder / "maze.py").symlink_to("/etc/passwd")
    gitrepo.commit(folder, {}, tag="v1")
    assert reason(listed(folder)["maze.py"]) == "a symbolic link"


def test_submodules_are_named_and_never_fetched(folder: Path) -> None:
    """A submodule's entry is left out with its reason."""
    gitrepo.commit_tree(folder, [b"160000 commit " + b"a" * 40 + b"\tlib"], tag="v1")
    assert reason(listed(folder)["lib"]).startswith("a submodule")


def test_file_names_with_newlines_are_left_out_readably(folder: Path) -> None:
    """Such a name breaks no line, and is shown escaped."""
    gitrepo.commit(folder, {"a\nb.py": b"x", "maze.py": b"y", "\x1b[31m.py": b"z"}, tag="v1")
    found = listed(folder)
    assert reason(found["a\\nb.py"]) == "control characters in its name; rename it"
    assert reason(found["\\x1b[31m.py"]) == "control characters in its name; rename it"
    assert found["maze.py"].path == "maze.py"
    assert isinstance(found["maze.py"], Blob)


def test_names_that_leave_the_tree_are_refused(folder: Path) -> None:
    """A tree made by hand may hold `..` and `.git`; neither becomes a path."""
    oid = gitrepo.blob(folder, b"x").encode()
    gitrepo.commit_tree(folder, [b"100644 blob " + oid + b"\t..", b"100644 blob " + oid + b"\t.GIT"], tag="v1")
    assert [reason(entry) for entry in listed(folder).values()] == ["a path that leaves the repository"] * 2


def test_names_that_are_no_utf8_are_refused(folder: Path) -> None:
    """A Latin-1 name is left out with the way to mend it."""
    oid = gitrepo.blob(folder, b"x").encode()
    gitrepo.commit_tree(folder, [b"100644 blob " + oid + b"\tm\xe4ze.py"], tag="v1")
    assert reason(listed(folder)["m\\xe4ze.py"]) == "its name is no UTF-8; rename it"


def test_sizes_are_known_before_anything_is_read(folder: Path) -> None:
    """A huge file is listed with its size, and not one byte beyond the limit is read."""
    gitrepo.commit(folder, {"big.bin": b"\0" * 3_000_000, "maze.py": b"x"}, tag="v1")
    big = listed(folder)["big.bin"]
    assert isinstance(big, Blob)
    assert big.size == 3_000_000
    with blob_reader(Repository(folder)) as read, pytest.raises(TooMuchError, match=r"big\.bin has 3000000 bytes"):
        read(big, 1_000_000)


def test_two_gigabytes_are_refused_without_being_read(folder: Path) -> None:
    """A file of 2 GiB is judged by its size alone: this one has no content that could be read."""
    oid = "a" * 40
    loose = folder / ".git" / "objects" / oid[:2] / oid[2:]
    loose.parent.mkdir()
    loose.write_bytes(zlib.compress(b"blob %d\0only the beginning" % (2 << 30)))
    small = gitrepo.blob(folder, b"x").encode()
    lines = [b"100644 blob " + oid.encode() + b"\tbig.bin", b"100644 blob " + small + b"\tmaze.py"]
    gitrepo.commit_tree(folder, lines, tag="v1")
    found = listed(folder)
    big, maze = found["big.bin"], found["maze.py"]
    assert isinstance(big, Blob)
    assert isinstance(maze, Blob)
    assert big.size == 2 << 30
    with blob_reader(Repository(folder)) as read:
        with pytest.raises(TooMuchError, match="at most 4194304 are read"):
            read(big, 4 << 20)
        assert read(maze, 10) == b"x"


def test_too_many_files_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound the listing stops with a clear reason."""
    gitrepo.commit(folder, {f"f{number}": b"" for number in range(5)}, tag="v1")
    monkeypatch.setattr(tree, "MOST_LISTED", 4)
    with pytest.raises(TooMuchError, match="holds more than 4 files"):
        listed(folder)


def test_lfs_pointers_are_recognised() -> None:
    """A pointer's text is told from a file that only speaks of it."""
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    assert "Git LFS pointer" in lfs_reason(pointer)
    assert lfs_reason(b"# " + pointer) == ""


def test_filters_hooks_and_settings_of_the_repository_run_nothing(folder: Path, tmp_path: Path) -> None:
    """A repository whose own settings name programs can be read, and none of them runs."""
    trap = tmp_path / "trapped"
    command = f"touch {trap}"
    (folder / ".gitattributes").write_text("* filter=trap diff=trap\n")
    gitrepo.commit(folder, {"maze.py": b"x"}, tag="v1")
    for name in (
        "filter.trap.smudge",
        "filter.trap.process",
        "diff.trap.textconv",
        "core.fsmonitor",
        "core.sshCommand",
    ):
        gitrepo.git(folder, "config", name, command)
    gitrepo.git(folder, "config", "core.pager", command)
    repository = Repository(folder)
    found = listed(folder)["maze.py"]
    assert isinstance(found, Blob)
    with blob_reader(repository) as read:
        assert read(found, 10) == b"x"
    assert not trap.exists()


def test_a_missing_object_is_our_trouble_not_the_students(folder: Path) -> None:
    """A damaged repository raises; it is no verdict on the student."""
    gitrepo.commit_tree(folder, [b"100644 blob " + b"a" * 40 + b"\tmaze.py"], tag="v1")
    with pytest.raises(GraderError, match="damaged or incomplete"):
        listed(folder)


@pytest.mark.parametrize("make", ["nothing", "folder"])
def test_a_folder_that_is_no_repository_is_told(tmp_path: Path, make: str) -> None:
    """A wrong path is a usage error that names it."""
    path = tmp_path / "x"
    if make == "folder":
        path.mkdir()
    with pytest.raises(UsageError, match="is no git repository"):
        Repository(path)
