"""Speak with GitHub's REST API: visibility, time of the push, issues."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from grader.errors import UsageError
from grader.forge.host import LABEL, HostError, Notice, Pushed, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_BODY = 65_000  # GitHub refuses bodies beyond 65,536 characters
_MOST_ANSWER = 16 << 20
_MOST_PAGES = 20
_PAGE = 100
_TIMEOUT_S = 30
_VERSION = "2022-11-28"


class _NoRedirect(HTTPRedirectHandler):
    """Follows nothing, since urllib would take the token along."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class GitHub:
    """One repository on GitHub."""

    def __init__(self, url: str, token: str, *, repository: str, run: str = "") -> None:
        if not url.startswith(("https://", "http://127.0.0.1:", "http://localhost:")):
            raise UsageError(f"GitHub's address must begin with https://, not {url!r}.")
        self._url = url.rstrip("/")
        self._token = token
        self._name = repository
        self._repository = quote(repository, safe="/")
        self._run = quote(run, safe="")
        self._numbers: dict[str, int] = {}
        self._opener = build_opener(_NoRedirect)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> GitHub:
        """Take what GitHub Actions tells a job."""
        repository = environment.get("GITHUB_REPOSITORY")
        token = environment.get("GRADER_GITHUB_TOKEN") or environment.get("GITHUB_TOKEN")
        if not repository or not token:
            raise UsageError(
                "GitHub needs GITHUB_REPOSITORY and GRADER_GITHUB_TOKEN (or GITHUB_TOKEN) in the environment.",
                hint="docs/operations/github.md says how the workflow gets the token.",
            )
        url = environment.get("GITHUB_API_URL", "https://api.github.com")
        return cls(url, token, repository=repository, run=environment.get("GITHUB_RUN_ID", ""))

    def is_private(self) -> bool:
        return bool(self._call("GET", "")["private"])

    @property
    def place(self) -> str:
        return f"github:{self._name}"

    def pushed(self) -> Pushed | None:
        if not self._run:
            return None
        run = self._call("GET", f"/actions/runs/{self._run}")
        return Pushed(at=datetime.fromisoformat(run["created_at"]), commit=str(run.get("head_sha", "")))

    def comment(self, title: str, text: str) -> None:
        number = self._numbers.get(title) or self._find(title)
        if number is not None:
            self._call("POST", f"/issues/{number}/comments", {"body": fitted(text, _LONGEST_BODY)})

    def post(self, notice: Notice) -> str:
        content = {"body": fitted(notice.body, _LONGEST_BODY), "labels": [LABEL, *notice.labels]}
        number = self._numbers.get(notice.title) or self._find(notice.title)
        if number is None:
            answer = self._call("POST", "/issues", {"title": notice.title, **content})
        else:
            answer = self._call("PATCH", f"/issues/{number}", content)
        self._numbers[notice.title] = int(answer["number"])
        return str(answer["html_url"])

    def _find(self, title: str) -> int | None:
        for page in range(1, _MOST_PAGES + 1):
            asked = urlencode({"labels": LABEL, "state": "all", "per_page": _PAGE, "page": page})
            issues = self._call("GET", f"/issues?{asked}")
            for issue in issues:
                if issue["title"] == title and "pull_request" not in issue:
                    return int(issue["number"])
            if len(issues) < _PAGE:
                return None
        return None

    def _call(self, method: str, path: str, content: dict[str, Any] | None = None) -> Any:
        request = Request(  # noqa: S310 -- the scheme was checked at birth
            f"{self._url}/repos/{self._repository}{path}",
            method=method,
            data=None if content is None else json.dumps(content).encode(),
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "User-Agent": "maze-grader",
                "X-GitHub-Api-Version": _VERSION,
            },
        )
        try:
            with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
                return json.loads(answer.read(_MOST_ANSWER))
        except HTTPError as error:
            with error:
                words = _message(error.read(4096))
            raise HostError(f"GitHub refused ({error.code}): {words}") from error
        except (URLError, TimeoutError, ConnectionError, ValueError) as error:
            raise HostError(f"GitHub can't be reached: {error}") from error


def _message(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["message"])[:200]
    except (ValueError, KeyError, TypeError):
        return "no reason given"
