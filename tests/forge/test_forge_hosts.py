"""Issues on GitLab and GitHub over real HTTP, each request held against the documented API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import course
import gitrepo
import pytest
from hosts import TOKEN, Api, GitHubHandler, GitLabHandler, serving

from grader.errors import UsageError
from grader.forge.github import GitHub
from grader.forge.gitlab import GitLab
from grader.forge.host import Host, HostError, Notice, Pushed, fitted, title_for
from grader.submit import attempt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Place(NamedTuple):
    """A host with its address and what it saw."""

    name: str
    url: str
    api: Api

    def open(self, token: str = TOKEN) -> Host:
        if self.name == "gitlab":
            return GitLab(self.url, token, project="42", pipeline="7")
        return GitHub(self.url, token, repository="course/student", run="9")

    def environment(self) -> dict[str, str]:
        if self.name == "gitlab":
            own = {"CI_SERVER_URL": self.url, "CI_PROJECT_ID": "42", "CI_PIPELINE_ID": "7"}
            return {**own, "GRADER_GITLAB_TOKEN": TOKEN}
        own = {"GITHUB_API_URL": self.url, "GITHUB_REPOSITORY": "course/student", "GITHUB_RUN_ID": "9"}
        return {**own, "GRADER_GITHUB_TOKEN": TOKEN}

    def body(self, number: int = 0) -> str:
        issue = self.api.issues[number]
        return str(issue.get("description", issue.get("body")))

    def labels(self, number: int = 0) -> set[str]:
        return {label["name"] if isinstance(label, dict) else label for label in self.api.issues[number]["labels"]}


@pytest.fixture(params=["gitlab", "github"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    with serving(GitLabHandler if request.param == "gitlab" else GitHubHandler) as (url, api):
        yield Place(request.param, url, api)
        assert api.faults == []


def notice(tag: str, body: str, *labels: str) -> Notice:
    return Notice(title=title_for("Hello", tag), body=body, labels=labels)


def test_one_issue_per_tag_updated_in_place(place: Place) -> None:
    """The first post opens an issue, later ones change it, another tag opens another."""
    host = place.open()
    first = host.post(notice("v1", "running …", "running"))
    assert host.post(notice("v1", "done", "failed", "WA")) == first
    assert host.post(notice("v10", "done", "passed")) != first
    assert [issue["title"] for issue in place.api.issues] == ["Hello: v1", "Hello: v10"]
    assert (place.body(), place.labels()) == ("done", {"grader", "failed", "WA"})


def test_a_later_process_finds_the_issue_again(place: Place) -> None:
    """A second run for the same tag updates the issue of the first, also among many and with a similar title."""
    many = place.open()
    for number in range(101):
        many.post(notice(f"v1-{number}", "other"))
    place.open().post(notice("v1", "first"))
    place.open().post(notice("v1", "second"))
    assert len(place.api.issues) == 102
    assert [place.body(number) for number in (0, 100, 101)] == ["other", "other", "second"]


def test_visibility_and_time_come_from_the_host(place: Place) -> None:
    """Whether a repository is private, and when the push came, is asked of the host itself."""
    assert place.open().is_private()
    place.api.is_private = False
    assert not place.open().is_private()
    assert place.open().pushed() == Pushed(at=datetime(2026, 1, 1, 10, tzinfo=UTC), commit="f" * 40)


def test_a_host_that_refuses_is_told(place: Place) -> None:
    """A wrong token and a failing host are one line with the status; the token isn't in it."""
    with pytest.raises(HostError, match=r"refused \(401\)") as caught:
        place.open("secret-token").post(notice("v1", "x"))
    assert "secret-token" not in str(caught.value)
    place.api.failures = 9
    with pytest.raises(HostError, match=r"refused \(503\)"):
        place.open().post(notice("v1", "x"))


@pytest.mark.parametrize("kind", [GitLab, GitHub])
def test_nobody_at_the_address_is_told(kind: type[GitLab | GitHub]) -> None:
    """A connection that is refused is an error for people too."""
    named = {"project": "42"} if kind is GitLab else {"repository": "a/b"}
    with pytest.raises(HostError, match="can't be reached"):
        kind("http://127.0.0.1:1", TOKEN, **named).post(notice("v1", "x"))


def test_a_token_never_travels_unencrypted() -> None:
    """A GitHub address without TLS is refused, but for this machine's own."""
    with pytest.raises(UsageError, match="must begin with https"):
        GitHub("http://api.example", TOKEN, repository="a/b")


def test_a_very_long_report_fits(place: Place) -> None:
    """A body beyond the host's limit is cut between details, and says so; what fits is not touched."""
    detail = "\n<details>\n" + "x" * 5000 + "\n</details>\n"
    place.open().post(notice("v1", "head" + detail * 400))
    assert place.body().count("<details>") == place.body().count("</details>")
    assert place.body().endswith("The full report has it.*\n")
    assert fitted("body", 4) == "body"


def test_submit_opens_an_issue_and_follows_it_up(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time and privacy from the host; the issue follows the grading and ends as the report, labels by verdict."""
    monkeypatch.setattr(attempt, "POST_EVERY_S", 0.0)
    seen: list[str] = []
    monkeypatch.setattr(place.api, "watch", seen.append)
    folder = course.make(tmp_path, "{attempts: 1, due: 2026-01-01T12:00:00Z, private_repository: true}")
    course.student(folder, content=b"print('no')\n")
    for _ in range(2):
        done = course.submit(folder, "v1", "--host", place.name, **place.environment())
        assert done.returncode == 1, done.stderr
    assert "Grading is under way" in seen[0]
    assert any("1 of 1 visible cases judged" in body for body in seen[1:-1])
    assert "Says ok" in place.body()
    assert "CANARY" not in "".join(seen)
    assert place.labels() == {"grader", "failed", "WA"}
    assert len(place.api.issues) == 1


def test_a_failing_host_costs_nobody_a_result(place: Place, tmp_path: Path) -> None:
    """When issues can't be posted the attempt is settled all the same; the same tag posts it later."""
    folder = course.make(tmp_path)
    course.student(folder)
    place.api.failures = 1  # the question whether it is private goes unanswered
    environment = {
        name: value for name, value in place.environment().items() if name not in {"CI_PIPELINE_ID", "GITHUB_RUN_ID"}
    }
    done = course.submit(folder, "v1", "--host", place.name, **environment)
    assert done.returncode == 0
    assert "Whether the repository is private is not known." in done.stderr
    place.api.failures = 9
    again = course.submit(folder, "v1", "--host", place.name, **environment)
    assert (again.returncode, "The issue could not be posted." in again.stdout) == (0, True)


def test_catch_up_grades_mirrors_and_posts_to_github(tmp_path: Path) -> None:
    """A course that polls: mirrors of students' repositories are graded once, with issues in their own places."""
    folder = course.make(tmp_path, "{private_repository: true}")
    course.student(folder)
    arguments = ["hook", "catch-up", "student", "--github-owner", "course", *course.entering(folder)]
    with serving(GitHubHandler) as (url, api):
        environment = {"GITHUB_API_URL": url, "GRADER_GITHUB_TOKEN": TOKEN, "GITHUB_RUN_ID": "9"}
        first = course.grader(folder, *arguments, **environment)
        second = course.grader(folder, *arguments, **environment)
    assert (first.returncode, api.faults) == (0, [])
    assert "student: v1" in first.stdout
    assert second.stdout == "attempts of dead graders given back: 0\n"
    assert [issue["title"] for issue in api.issues] == ["Hello: v1"]


def test_a_regrade_is_a_comment_on_the_issue(place: Place, tmp_path: Path) -> None:
    """The student hears of a changed mark with its reason; what the host misses is posted by the next catch-up."""
    folder = course.make(tmp_path)
    course.student(folder, content=course.WRONG)
    course.submit(folder, "v1", "--host", place.name, **place.environment())
    cases = folder / "cases" / "hello" / "cases.yaml"
    cases.write_text(cases.read_text().replace('"CANARY\\n"', '"ok\\n"'))
    places = ["-a", "hello", "--book", "book.sqlite", "--cases", "cases"]
    done = course.grader(folder, "book", "regrade", "--apply", "--why", "wrong key", *places, **place.environment())
    assert done.returncode == 0, done.stderr
    assert place.api.comments == [(1, "Regraded by the staff, 1 → 4 points: wrong key")]
    assert "4 of 4 points" in place.body()
    place.api.failures = 1
    void = course.grader(folder, "book", "void", "student", "v1", "--why", "copied", *places, **place.environment())
    assert (void.returncode, "could not be posted" in void.stderr) == (1, True)
    caught = course.grader(folder, "hook", "catch-up", "student", *course.entering(folder), **place.environment())
    assert caught.returncode == 0, caught.stderr
    assert [text.split(",")[0] for _, text in place.api.comments][1:] == ["Struck out by the staff"]


def test_what_cannot_be_known_is_asked_again(tmp_path: Path) -> None:
    """With the API down nobody knows whether it is private: neither graded nor refused, and decided on later."""
    folder = course.make(tmp_path, "{private_repository: true, due: 2030-01-01T00:00:00Z}")
    course.student(folder)
    arguments = ["hook", "catch-up", "student", "--github-owner", "course", *course.entering(folder)]
    down = {"GITHUB_API_URL": "http://127.0.0.1:1", "GRADER_GITHUB_TOKEN": TOKEN}
    first = course.grader(folder, *arguments, **down)
    assert (first.returncode, "is private is not known" in first.stderr) == (1, True)
    assert "cases judged" not in first.stdout
    with serving(GitHubHandler) as (url, api):
        again = course.grader(folder, *arguments, **{**down, "GITHUB_API_URL": url})
        assert (again.returncode, "1 of 1 visible cases judged" in again.stdout) == (0, True)
        api.is_private = False
        gitrepo.git(folder / "student", "tag", "v2")
        public = course.grader(folder, *arguments, **{**down, "GITHUB_API_URL": url})
    assert "your repository is not private" in public.stdout


def test_a_retried_pipeline_grades_the_commit_of_its_own_push(tmp_path: Path) -> None:
    """A tag moved after the push: the host's commit counts, not where the tag points by now."""
    folder = course.make(tmp_path)
    repository = course.student(folder, content=course.WRONG)
    pushed = gitrepo.git(repository, "rev-parse", "HEAD")
    gitrepo.commit(repository, {"hello.py": course.RIGHT})
    gitrepo.git(repository, "tag", "-f", "v1")
    with serving(GitLabHandler) as (url, api):
        api.sha = pushed
        done = course.submit(folder, "v1", "--host", "gitlab", **Place("gitlab", url, api).environment())
    assert (done.returncode, "What counts by now: 1 of 4 points" in done.stdout) == (1, True)


def test_actions_get_a_summary_but_no_commands(tmp_path: Path) -> None:
    """On GitHub Actions a student's words can't become commands; the summary is written."""
    folder = course.make(tmp_path)
    course.student(folder, content=b"print('::error::mine')\nprint('::set-env name=A::b')\n")
    done = course.submit(folder, "v1", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(folder / "summary.md"))
    lines = done.stdout.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert len(token) == 32
    assert lines[-1] == f"::{token}::"
    assert "Says ok" in (folder / "summary.md").read_text()
