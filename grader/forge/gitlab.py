"""Speak with GitLab through python-gitlab: visibility, time of the push, issues."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from grader.errors import UsageError
from grader.forge.host import LABEL, HostError, Notice, Pushed, fitted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST_BODY = 1_000_000  # GitLab refuses descriptions beyond 1,048,576 characters
_TIMEOUT_S = 30


class GitLab:
    """One project on a GitLab."""

    def __init__(self, url: str, token: str, *, project: str, pipeline: str = "") -> None:
        try:
            import gitlab  # noqa: PLC0415 -- an optional extra
        except ImportError as error:
            raise UsageError(
                "Issues on GitLab need the package python-gitlab.", hint="pip install 'maze-grader[gitlab]'"
            ) from error
        self._api = gitlab.Gitlab(url, private_token=token, timeout=_TIMEOUT_S, retry_transient_errors=False)
        self._project = self._api.projects.get(project, lazy=True)
        self._id = project
        self._pipeline = pipeline
        self._issues: dict[str, Any] = {}

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> GitLab:
        """Take what GitLab CI tells a job; the token is the course's, never the job's."""
        url, project = environment.get("CI_SERVER_URL"), environment.get("CI_PROJECT_ID")
        token = environment.get("GRADER_GITLAB_TOKEN")
        if not url or not project or not token:
            raise UsageError(
                "GitLab needs CI_SERVER_URL, CI_PROJECT_ID and GRADER_GITLAB_TOKEN in the environment.",
                hint="docs/operations/gitlab.md says how the runner gets the token.",
            )
        return cls(url, token, project=project, pipeline=environment.get("CI_PIPELINE_ID", ""))

    def is_private(self) -> bool:
        with _told():
            return bool(self._api.projects.get(self._id).visibility == "private")

    @property
    def place(self) -> str:
        return f"gitlab:{self._id}"

    def pushed(self) -> Pushed | None:
        if not self._pipeline:
            return None
        with _told():
            pipeline = self._project.pipelines.get(self._pipeline)
            return Pushed(at=datetime.fromisoformat(pipeline.created_at), commit=str(pipeline.sha or ""))

    def comment(self, title: str, text: str) -> None:
        with _told():
            issue = self._issues.get(title) or self._find(title)
            if issue is not None:
                issue.notes.create({"body": fitted(text, _LONGEST_BODY)})

    def post(self, notice: Notice) -> str:
        with _told():
            body = fitted(notice.body, _LONGEST_BODY)
            labels = [LABEL, *notice.labels]
            issue = self._issues.get(notice.title) or self._find(notice.title)
            if issue is None:
                issue = self._project.issues.create({"title": notice.title, "description": body, "labels": labels})
            else:
                issue.description = body
                issue.labels = labels
                issue.save()
            self._issues[notice.title] = issue
            return str(issue.web_url)

    def _find(self, title: str) -> Any:
        asked = {"search": title, "in": "title", "labels": LABEL, "state": "all", "per_page": 100}
        found = self._project.issues.list(iterator=True, query_parameters=asked)
        return next((issue for issue in found if issue.title == title), None)


@contextmanager
def _told() -> Iterator[None]:
    """Turn what python-gitlab raises into a line for staff."""
    from gitlab.exceptions import GitlabError  # noqa: PLC0415 -- an optional extra
    from requests.exceptions import RequestException  # noqa: PLC0415 -- comes with it

    try:
        yield
    except GitlabError as error:
        status = f" ({error.response_code})" if error.response_code else ""
        raise HostError(f"GitLab refused{status}: {str(error.error_message)[:200]}") from error
    except RequestException as error:
        raise HostError(f"GitLab can't be reached: {type(error).__name__}") from error
