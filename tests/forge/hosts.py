"""Loopback servers that hold every request against the documented APIs of GitLab and GitHub."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOKEN = "course-token"


class Api:
    """The state of one host, and what its requests got wrong."""

    def __init__(self) -> None:
        self.issues: list[dict[str, Any]] = []
        self.comments: list[tuple[int, str]] = []
        self.calls: list[tuple[str, str]] = []
        self.faults: list[str] = []
        self.is_private = True
        self.sha = "f" * 40
        self.failures = 0
        """How many of the next requests are answered with 503."""
        self.watch: Callable[[str], None] = lambda _: None
        """Hears every issue's text as it comes."""

    def check(self, claim: object, fault: str) -> None:
        if not claim:
            self.faults.append(fault)

    def known(self, given: dict[str, Any], allowed: dict[str, type | tuple[type, ...]], what: str) -> None:
        """Check that every name is documented and every value has its type."""
        for name, value in given.items():
            self.check(name in allowed, f"{what}: {name} is not documented")
            self.check(isinstance(value, allowed.get(name, object)), f"{what}: {name} is {value!r}")


_ISSUE_LISTING = {
    *("assignee_id", "assignee_username", "author_id", "author_username", "confidential", "created_after"),
    *("created_before", "due_date", "epic_id", "health_status", "iids", "in", "issue_type", "iteration_id"),
    *("iteration_title", "labels", "milestone", "milestone_id", "my_reaction_emoji", "non_archived", "not"),
    *("order_by", "scope", "search", "sort", "state", "updated_after", "updated_before", "weight"),
    *("with_labels_details", "page", "per_page", "cursor", "pagination"),
}
_CREATE: dict[str, type | tuple[type, ...]] = {
    "title": str,
    "assignee_id": int,
    "assignee_ids": list,
    "confidential": bool,
    "created_at": str,
    "description": str,
    "discussion_to_resolve": str,
    "due_date": str,
    "epic_id": int,
    "epic_iid": int,
    "iid": (int, str),
    "issue_type": str,
    "labels": (str, list),
    "merge_request_to_resolve_discussions_of": int,
    "milestone_id": int,
    "weight": int,
}
_UPDATE: dict[str, type | tuple[type, ...]] = {
    "add_labels": (str, list),
    "assignee_ids": list,
    "confidential": bool,
    "description": str,
    "discussion_locked": bool,
    "due_date": str,
    "epic_id": int,
    "epic_iid": int,
    "issue_type": str,
    "labels": (str, list),
    "milestone_id": int,
    "remove_labels": (str, list),
    "state_event": str,
    "title": str,
    "updated_at": str,
    "weight": int,
}


class Handler(BaseHTTPRequestHandler):
    """Reads a request, lets the API answer it, writes JSON."""

    api: ClassVar[Api]
    protocol_version = "HTTP/1.1"

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        raise NotImplementedError

    def handle_any(self) -> None:
        split = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        content = self.rfile.read(length)
        self.api.calls.append((self.command, split.path))
        if content:
            self.api.check(
                self.headers.get("Content-Type", "").startswith("application/json"), f"{self.command}: no JSON body"
            )
        if self.api.failures:
            self.api.failures -= 1
            self.reply(503, {"message": "try later"})
            return
        self.reply(*self.answer(self.command, split.path, parse_qs(split.query), json.loads(content or b"null")))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any  # noqa: N815 -- the names that http.server calls

    def reply(self, status: int, value: Any) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class GitLabHandler(Handler):
    """GitLab's REST API v4, as its documentation has it."""

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        api = self.api
        if self.headers.get("PRIVATE-TOKEN") != TOKEN:
            return 401, {"message": "401 Unauthorized"}
        project = re.fullmatch(r"/api/v4/projects/42(/.*)?", unquote(path))
        if project is None:
            return 404, {"message": "404 Project Not Found"}
        rest = project[1] or ""
        if (method, rest) == ("GET", ""):
            return 200, {"id": 42, "visibility": "private" if api.is_private else "internal"}
        if method == "GET" and re.fullmatch(r"/pipelines/\d+", rest):
            return 200, {"id": 7, "sha": api.sha, "status": "running", "created_at": "2026-01-01T10:00:00.000Z"}
        if (method, rest) == ("GET", "/issues"):
            return 200, self._listed(query)
        if (method, rest) == ("POST", "/issues"):
            return self._create(body)
        found = re.fullmatch(r"/issues/(\d+)", rest)
        if method == "PUT" and found:
            return self._update(int(found[1]), body)
        noted = re.fullmatch(r"/issues/(\d+)/notes", rest)
        if method == "POST" and noted:
            api.known(body, {"body": str, "confidential": bool, "internal": bool, "created_at": str}, "POST notes")
            api.comments.append((int(noted[1]), body["body"]))
            return 201, {"id": len(api.comments), "body": body["body"]}
        api.check(False, f"{method} {path} is not documented")
        return 405, {"message": "405 Method Not Allowed"}

    def _listed(self, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        api = self.api
        for name in query:
            api.check(name.removesuffix("[]") in _ISSUE_LISTING, f"GET issues: {name} is not documented")
        api.check(query.get("state", ["all"])[0] in {"all", "opened", "closed"}, "GET issues: state")
        api.check(query.get("in", ["title"])[0] in {"title", "description", "title,description"}, "GET issues: in")
        api.check(int(query.get("per_page", ["20"])[0]) <= 100, "GET issues: per_page")
        text, labels = query.get("search", [""])[0], query.get("labels", [""])[0]
        return [
            issue
            for issue in api.issues
            if text.lower() in issue["title"].lower() and set(filter(None, labels.split(","))) <= set(issue["labels"])
        ]

    def _create(self, body: dict[str, Any]) -> tuple[int, Any]:
        api = self.api
        api.known(body, _CREATE, "POST issues")
        if not body.get("title") or len(body["title"]) > 255:
            return 400, {"message": {"title": ["can't be blank"]}}
        issue = {"id": 1000 + len(api.issues), "iid": len(api.issues) + 1, "project_id": 42, "state": "opened"}
        issue["web_url"] = f"https://gitlab.example/course/student/-/issues/{issue['iid']}"
        api.issues.append(issue)
        return 201, self._fill(issue, body)

    def _update(self, iid: int, body: dict[str, Any]) -> tuple[int, Any]:
        self.api.known(body, _UPDATE, "PUT issues")
        self.api.check(body, "PUT issues: at least one field is needed")
        return 200, self._fill(self.api.issues[iid - 1], body)

    def _fill(self, issue: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        self.api.check(len(body.get("description", "")) <= 1_048_576, "the description is too long")
        self.api.watch(body.get("description", ""))
        labels = body.get("labels", issue.get("labels", []))
        issue.update({name: body[name] for name in ("title", "description") if name in body})
        issue["labels"] = labels.split(",") if isinstance(labels, str) else labels
        return issue


_GITHUB_CREATE: dict[str, type | tuple[type, ...]] = {
    "title": (str, int),
    "body": str,
    "assignee": str,
    "milestone": (str, int),
    "labels": list,
    "assignees": list,
    "type": str,
}
_GITHUB_UPDATE = {**_GITHUB_CREATE, "state": str, "state_reason": str}
_GITHUB_LISTING = {
    *("milestone", "state", "assignee", "type", "creator", "mentioned", "labels"),
    *("sort", "direction", "since", "per_page", "page"),
}


class GitHubHandler(Handler):
    """GitHub's REST API, version 2022-11-28, as its documentation has it."""

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        api = self.api
        api.check(self.headers.get("Accept") == "application/vnd.github+json", "Accept is missing")
        api.check(self.headers.get("X-GitHub-Api-Version") == "2022-11-28", "the API's version is missing")
        api.check(self.headers.get("User-Agent"), "GitHub refuses requests without User-Agent")
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}
        found = re.fullmatch(r"/repos/course/student(/.*)?", path)
        if found is None:
            return 404, {"message": "Not Found"}
        rest = found[1] or ""
        if (method, rest) == ("GET", ""):
            return 200, {"id": 1, "full_name": "course/student", "private": api.is_private}
        if method == "GET" and re.fullmatch(r"/actions/runs/\d+", rest):
            return 200, {"id": 9, "head_sha": api.sha, "event": "push", "created_at": "2026-01-01T10:00:00Z"}
        if (method, rest) == ("GET", "/issues"):
            return 200, self._listed(query)
        if (method, rest) == ("POST", "/issues"):
            return self._create(body)
        number = re.fullmatch(r"/issues/(\d+)", rest)
        if method == "PATCH" and number:
            return self._update(int(number[1]), body)
        commented = re.fullmatch(r"/issues/(\d+)/comments", rest)
        if method == "POST" and commented:
            api.known(body, {"body": str}, "POST comments")
            api.comments.append((int(commented[1]), body["body"]))
            return 201, {"id": len(api.comments), "body": body["body"]}
        api.check(False, f"{method} {path} is not documented")
        return 405, {"message": "Method Not Allowed"}

    def _listed(self, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        for name in query:
            self.api.check(name in _GITHUB_LISTING, f"GET issues: {name} is not documented")
        size, page = int(query.get("per_page", ["30"])[0]), int(query.get("page", ["1"])[0])
        self.api.check(size <= 100, "GET issues: per_page")
        wanted = set(query.get("labels", [""])[0].split(",")) - {""}
        fitting = [issue for issue in self.api.issues if wanted <= {label["name"] for label in issue["labels"]}]
        return fitting[(page - 1) * size : page * size]

    def _create(self, body: dict[str, Any]) -> tuple[int, Any]:
        self.api.known(body, _GITHUB_CREATE, "POST issues")
        if not body.get("title"):
            return 422, {"message": "Validation Failed"}
        number = len(self.api.issues) + 1
        issue = {"number": number, "html_url": f"https://github.example/course/student/issues/{number}"}
        self.api.issues.append(issue)
        return 201, self._fill(issue, body)

    def _update(self, number: int, body: dict[str, Any]) -> tuple[int, Any]:
        self.api.known(body, _GITHUB_UPDATE, "PATCH issues")
        return 200, self._fill(self.api.issues[number - 1], body)

    def _fill(self, issue: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        self.api.check(len(body.get("body", "")) <= 65_536, "the body is too long")
        self.api.watch(body.get("body", ""))
        issue.update({name: body[name] for name in ("title", "body") if name in body})
        issue["labels"] = [{"name": name} for name in body.get("labels", [])]
        return issue


@contextmanager
def serving(kind: type[Handler]) -> Iterator[tuple[str, Api]]:
    """Serve on a free port of this machine; give the address and the API's state."""
    api = Api()
    handler = type("Bound", (kind,), {"api": api})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", api
        finally:
            server.shutdown()
            thread.join()
