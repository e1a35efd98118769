"""How a call is sent: its address, its headers, and its repeats, as docs/api/retries.md says what to repeat.

No answer, 502, 503 and 504 are repeated after waits that double, 429 after its ``Retry-After``, and
``idempotency_in_flight`` after a second. A repeated POST or PATCH carries the ``Idempotency-Key`` of its first attempt, so
that its effect happens once.
"""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import MarqueeError

# With waits of 1, 2, 4, 8 and 16 s a call is given up after half a minute of waiting.
ATTEMPTS_MAX = 6
# How long a connection may be silent; the server itself answers within seconds, exports within half a minute.
TIMEOUT_SECONDS = 30.0
WAIT_SECONDS_FIRST = 1.0
WAIT_SECONDS_MAX = 60.0
IN_FLIGHT_SECONDS = 1.0
# Statuses after which a repeat with the same key is safe.
WORTH_A_REPEAT = frozenset({502, 503, 504})


@dataclass
class Retries:
    """How often and after which waits a call is repeated."""

    #: How often a call is sent, the first time included; 1: never again.
    attempts_max: int = ATTEMPTS_MAX
    #: How long the connection may be silent in one attempt.
    timeout_seconds: float = TIMEOUT_SECONDS
    sleep: Callable[[float], None] = field(default=time.sleep)
    #: 0 to 1: where in its spread a wait lies.
    random: Callable[[], float] = field(default=random.random)


@dataclass
class Answer:
    """What came back: a status, headers with lower-case names, and the whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def problem(self) -> Mapping[str, Any] | None:
        """The body as a problem of the API; None when it is not from the API."""
        try:
            body = json.loads(self.body)
        except ValueError:
            return None
        return body if isinstance(body, dict) and isinstance(body.get("code"), str) else None


#: Sends one request and returns its answer, whatever its status; raises OSError when there is none.
Send = Callable[[urllib.request.Request, float], Answer]


def send_by_urllib(request: urllib.request.Request, timeout_seconds: float) -> Answer:
    """The usual way to send. A connection that breaks in the middle of a body is no answer."""
    try:
        with urllib.request.urlopen(request, timeout=timeout_seconds) as response:
            return _answer_of(response.status, response.headers, response.read())
    except urllib.error.HTTPError as response:
        with response:
            return _answer_of(response.code, response.headers, response.read())
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error


def quoted(identifier: str) -> str:
    """An id as a segment of a path."""
    return urllib.parse.quote(identifier, safe="")


class Calls:
    """The ways in which the generated operations call: for JSON, pages, CSV, bytes or nothing."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        workspace: str | None,
        sdk: str,
        retries: Retries,
        send: Send,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._workspace = workspace
        self._retries = retries
        self._send = send
        self._headers = {"X-Service-Sdk": sdk, "User-Agent": sdk}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"

    def _json(self, verb: str, path: str, **options: Any) -> Any:
        answer = self._call(verb, path, accept="application/json", **options)
        try:
            return json.loads(answer.body)
        except ValueError:
            raise _unreadable(answer) from None

    def _pages(self, verb: str, path: str, query: Mapping[str, Any] | None = None, **options: Any) -> Iterator[Any]:
        """The records of all pages. A page is read when the one before is used up."""
        cursor = None
        while True:
            page = self._json(verb, path, query={**(query or {}), "cursor": cursor}, **options)
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _csv(self, verb: str, path: str, query: Mapping[str, Any] | None = None, **options: Any) -> str:
        """A report; of a list all pages, under one line of names."""
        asked, table = dict(query or {}), ""
        while True:
            answer = self._call(verb, path, accept="text/csv", query=asked, **options)
            text = answer.body.decode()
            table += text.partition("\n")[2] if table else text
            cursor = answer.headers.get("x-next-cursor")
            if cursor is None:
                return table
            asked["cursor"] = cursor

    def _bytes(self, verb: str, path: str, **options: Any) -> bytes:
        return self._call(verb, path, accept="*/*", **options).body

    def _nothing(self, verb: str, path: str, **options: Any) -> None:
        self._call(verb, path, accept="application/json", **options)

    def _call(
        self,
        verb: str,
        path: str,
        *,
        accept: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Answer:
        headers = {**self._headers, "Accept": accept}
        if (workspace or self._workspace) is not None:
            headers["X-Workspace-Id"] = str(workspace or self._workspace)
        if verb in ("POST", "PATCH"):
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")
        answer = self._repeated(lambda: urllib.request.Request(url, data=data, headers=headers, method=verb))
        if answer.status < 400:
            return answer
        problem = answer.problem()
        if problem is None:
            raise _unreadable(answer)
        raise MarqueeError(
            problem["code"],
            answer.status,
            str(problem.get("detail", "")),
            problem.get("errors") or (),
            problem.get("request_id") or answer.headers.get("x-request-id"),
            problem.get("funds"),
        )

    def _repeated(self, make: Callable[[], urllib.request.Request]) -> Answer:
        attempt = 1
        while True:
            outcome: Answer | OSError
            try:
                outcome = self._send(make(), self._retries.timeout_seconds)
            except OSError as error:
                outcome = error
            wait = _wait_after(outcome, attempt, self._retries.random())
            if wait is None or attempt >= self._retries.attempts_max:
                if isinstance(outcome, OSError):
                    raise MarqueeError("no_answer", 0, str(outcome)) from outcome
                return outcome
            self._retries.sleep(wait)
            attempt += 1


def _wait_after(outcome: Answer | OSError, attempt: int, spread: float) -> float | None:
    """How many seconds to wait before the next attempt; None: the outcome stands."""
    if isinstance(outcome, OSError) or outcome.status in WORTH_A_REPEAT:
        return _back_off(attempt, spread)
    if outcome.status == 429:
        header = outcome.headers.get("retry-after", "")
        if not (header.isascii() and header.isdigit()):
            return _back_off(attempt, spread)
        return float(header) if int(header) <= WAIT_SECONDS_MAX else None
    if outcome.status == 409 and (outcome.problem() or {}).get("code") == "idempotency_in_flight":
        return IN_FLIGHT_SECONDS
    return None


def _back_off(attempt: int, spread: float) -> float:
    """Waits double, over half to one and a half times their length, so that many clients do not return at once."""
    return min(WAIT_SECONDS_MAX, WAIT_SECONDS_FIRST * 2.0 ** (attempt - 1)) * (0.5 + spread)


def _answer_of(status: int, headers: Any, body: bytes) -> Answer:
    return Answer(status, {name.lower(): value for name, value in headers.items()}, body)


def _unreadable(answer: Answer) -> MarqueeError:
    request_id = answer.headers.get("x-request-id")
    return MarqueeError("unreadable_answer", answer.status, f"HTTP {answer.status}", request_id=request_id)
