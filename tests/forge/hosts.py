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
Query = dict[str, list[str]]


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

    def take(self, issue: dict[str, Any], given: dict[str, Any], *, most: int) -> dict[str, Any]:
        """Write what a request gives into an issue; only documented fields, of a length that the host takes."""
        text = next((given[name] for name in ("description", "body") if name in given), "")
        self.check(given and given.keys() <= {"title", "description", "body", "labels"}, f"not documented: {given}")
        self.check(isinstance(given.get("labels", []), list), "labels are a list")
        self.check(len(text) <= most, "the text is too long")
        self.watch(text)
        issue.update(given)
        return issue


class Handler(BaseHTTPRequestHandler):
    """Reads a request, lets the API answer it, writes JSON."""

    api: ClassVar[Api]
    protocol_version = "HTTP/1.1"

    def answer(self, method: str, path: str, query: Query, body: Any) -> tuple[int, Any]:
        raise NotImplementedError

    def handle_any(self) -> None:
        split, api = urlsplit(self.path), self.api
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        api.calls.append((self.command, split.path))
        if content:
            api.check(self.headers.get("Content-Type", "").startswith("application/json"), "the body is no JSON")
        if api.failures:
            api.failures -= 1
            status, value = 503, {"message": "try later"}
        else:
            asked = parse_qs(split.query)
            status, value = self.answer(self.command, unquote(split.path), asked, json.loads(content or b"null"))
        sent = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = do_PUT = do_PATCH = handle_any  # noqa: N815 -- the names that http.server calls

    def refuse(self, method: str, path: str) -> tuple[int, Any]:
        self.api.check(False, f"{method} {path} is not documented")
        return 405, {"message": "405 Method Not Allowed"}

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class GitLabHandler(Handler):
    """GitLab's REST API v4, as its documentation has it."""

    def answer(self, method: str, path: str, query: Query, body: Any) -> tuple[int, Any]:
        api = self.api
        if self.headers.get("PRIVATE-TOKEN") != TOKEN:
            return 401, {"message": "401 Unauthorized"}
        called = f"{method} {path.removeprefix('/api/v4/projects/42')}"
        if called == "GET ":
            return 200, {"id": 42, "visibility": "private" if api.is_private else "internal"}
        if called == "GET /pipelines/7":
            return 200, {"id": 7, "sha": api.sha, "status": "running", "created_at": "2026-01-01T10:00:00.000Z"}
        if called == "GET /issues":
            return 200, self._listed(query)
        if called == "POST /issues":
            number = len(api.issues) + 1
            address = f"https://gitlab.example/course/student/-/issues/{number}"
            api.issues.append({"id": 1000 + number, "iid": number, "project_id": 42, "web_url": address})
            return 201, api.take(api.issues[-1], body, most=1_048_576)
        if found := re.fullmatch(r"PUT /issues/(\d+)", called):
            return 200, api.take(api.issues[int(found[1]) - 1], body, most=1_048_576)
        if found := re.fullmatch(r"POST /issues/(\d+)/notes", called):
            api.comments.append((int(found[1]), body["body"]))
            return 201, {"id": len(api.comments), **body}
        return self.refuse(method, path)

    def _listed(self, query: Query) -> list[dict[str, Any]]:
        self.api.check(query.keys() <= {"search", "in", "labels", "state", "page", "per_page"}, f"{query}")
        self.api.check((query["state"], query["in"]) == (["all"], ["title"]), "closed ones too, by their titles")
        text, labels = query["search"][0].lower(), set(query["labels"][0].split(","))
        return [each for each in self.api.issues if text in each["title"].lower() and labels <= set(each["labels"])]


class GitHubHandler(Handler):
    """GitHub's REST API, version 2022-11-28, as its documentation has it."""

    def answer(self, method: str, path: str, query: Query, body: Any) -> tuple[int, Any]:
        api = self.api
        api.check(self.headers.get("Accept") == "application/vnd.github+json", "Accept is missing")
        api.check(self.headers.get("X-GitHub-Api-Version") == "2022-11-28", "the API's version is missing")
        api.check(self.headers.get("User-Agent"), "GitHub refuses requests without User-Agent")
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}
        called = f"{method} {path.removeprefix('/repos/course/student')}"
        if called == "GET ":
            return 200, {"id": 1, "full_name": "course/student", "private": api.is_private}
        if called == "GET /actions/runs/9":
            return 200, {"id": 9, "head_sha": api.sha, "event": "push", "created_at": "2026-01-01T10:00:00Z"}
        if called == "GET /issues":
            return 200, self._listed(query)
        if called == "POST /issues":
            number = len(api.issues) + 1
            api.issues.append(
                {"number": number, "html_url": f"https://github.example/course/student/issues/{number}"}
            )
            return 201, self._take(api.issues[-1], body)
        if found := re.fullmatch(r"PATCH /issues/(\d+)", called):
            return 200, self._take(api.issues[int(found[1]) - 1], body)
        if found := re.fullmatch(r"POST /issues/(\d+)/comments", called):
            api.comments.append((int(found[1]), body["body"]))
            return 201, {"id": len(api.comments), **body}
        return self.refuse(method, path)

    def _listed(self, query: Query) -> list[dict[str, Any]]:
        self.api.check(query.keys() <= {"labels", "state", "page", "per_page"}, f"{query}")
        size, page = int(query["per_page"][0]), int(query["page"][0])
        self.api.check(size <= 100, "GET issues: per_page")
        names = set(query["labels"][0].split(","))
        fitting = [each for each in self.api.issues if names <= {label["name"] for label in each["labels"]}]
        return fitting[(page - 1) * size : page * size]

    def _take(self, issue: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        self.api.take(issue, body, most=65_536)
        issue["labels"] = [{"name": name} for name in body.get("labels", [])]
        return issue


@contextmanager
def serving(kind: type[Handler]) -> Iterator[tuple[str, Api]]:
    """Serve on a free port of this machine; give the address and the API's state."""
    api = Api()
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (kind,), {"api": api})) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", api
        finally:
            server.shutdown()
            thread.join()
