"""The client over a server that answers what a test says: what is repeated, with which key, and which errors are raised."""

from __future__ import annotations

import json
import unittest
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request

from marquee import Answer, Marquee, MarqueeError, Retries
from marquee.generated.types import CreateWebhookBody

WEBHOOK: CreateWebhookBody = {"url": "https://hooks.example.com/", "events": ["campaign.approved"]}


def answered(status: int, body: Any, **headers: str) -> Answer:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, given, json.dumps(body).encode())


def problem(status: int, code: str, **headers: str) -> Answer:
    return answered(status, {"code": code, "status": status, "detail": "A sentence.", "request_id": "req_1"}, **headers)


class Server:
    """Answers in turn, the last reply again and again. Its clock is moved by the waits of its clients."""

    def __init__(self, *replies: Answer | OSError) -> None:
        self.replies = list(replies)
        self.sent: list[Request] = []
        self.waits: list[float] = []

    def send(self, request: Request, timeout_seconds: float) -> Answer:
        self.sent.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, OSError):
            raise reply
        return reply

    def client(self, **options: Any) -> Marquee:
        retries = Retries(sleep=self.waits.append, random=lambda: 0.5)
        return Marquee("http://api.test/", "a-key", retries=retries, send=self.send, **options)

    def keys(self) -> list[str | None]:
        return [request.get_header("Idempotency-key") for request in self.sent]


class CallTest(unittest.TestCase):
    def test_a_call_names_its_key_and_program_and_fills_in_its_path(self) -> None:
        server = Server(answered(200, {"id": "scr_1"}))
        self.assertEqual(server.client(sdk="planner/1").read_screen("a/b")["id"], "scr_1")
        (request,) = server.sent
        self.assertEqual(request.full_url, "http://api.test/v1/screens/a%2Fb")
        self.assertEqual(request.get_header("Authorization"), "Bearer a-key")
        self.assertEqual(request.get_header("X-service-sdk"), "planner/1")
        self.assertIsNone(request.get_header("Idempotency-key"))

    def test_the_workspace_of_a_call_goes_before_that_of_the_client(self) -> None:
        server = Server(answered(200, {}))
        marquee = server.client(workspace="wsp_1")
        marquee.read_wallet()
        marquee.read_wallet(workspace="wsp_2")
        self.assertEqual([request.get_header("X-workspace-id") for request in server.sent], ["wsp_1", "wsp_2"])

    def test_a_list_is_all_records_of_all_pages_with_the_same_query(self) -> None:
        server = Server(
            answered(200, {"data": [{"id": "a"}, {"id": "b"}], "next_cursor": "c1"}),
            answered(200, {"data": [{"id": "c"}], "next_cursor": None}),
        )
        self.assertEqual([one["id"] for one in server.client().list_campaigns(limit=2, from_="2026-11-01")], ["a", "b", "c"])
        queries = [parse_qs(urlsplit(request.full_url).query) for request in server.sent]
        first = {"limit": ["2"], "from": ["2026-11-01"]}
        self.assertEqual(queries, [first, {**first, "cursor": ["c1"]}])

    def test_the_csv_of_a_list_is_all_pages_under_one_line_of_names(self) -> None:
        server = Server(
            Answer(200, {"x-next-cursor": "c1"}, b"day,name\r\n1,a\r\n"), Answer(200, {}, b"day,name\r\n2,b\r\n")
        )
        self.assertEqual(server.client().list_earnings_csv(group_by="day"), "day,name\r\n1,a\r\n2,b\r\n")
        queries = [parse_qs(urlsplit(request.full_url).query) for request in server.sent]
        self.assertEqual(queries, [{"group_by": ["day"]}, {"group_by": ["day"], "cursor": ["c1"]}])

    def test_a_list_reads_no_page_that_nobody_asks_for(self) -> None:
        server = Server(answered(200, {"data": [{"id": "a"}], "next_cursor": "c1"}))
        next(server.client().list_campaigns())
        self.assertEqual(len(server.sent), 1)


class RepeatTest(unittest.TestCase):
    def test_repeats_of_a_post_carry_one_key_after_waits_that_double(self) -> None:
        server = Server(OSError("reset"), problem(503, "engine_unavailable"), OSError("reset"), answered(201, {"id": "w"}))
        self.assertEqual(server.client().create_webhook(WEBHOOK)["id"], "w")
        self.assertEqual(server.waits, [1, 2, 4])
        self.assertEqual(len(set(server.keys())), 1)
        self.assertEqual(len({request.data for request in server.sent}), 1)

    def test_each_call_has_a_key_of_its_own_or_the_one_that_it_is_given(self) -> None:
        server = Server(answered(201, {}))
        marquee = server.client()
        marquee.create_webhook(WEBHOOK)
        marquee.create_webhook(WEBHOOK)
        marquee.create_webhook(WEBHOOK, idempotency_key="my own")
        self.assertEqual(len(set(server.keys())), 3)
        self.assertEqual(server.keys()[2], "my own")

    def test_retry_after_is_kept_and_a_call_in_flight_is_asked_for_after_a_second(self) -> None:
        server = Server(
            problem(429, "rate_limited", retry_after="7"), problem(409, "idempotency_in_flight"), answered(201, {})
        )
        server.client().create_webhook(WEBHOOK)
        self.assertEqual(server.waits, [7, 1])

    def test_it_ends_after_six_attempts_with_the_last_answer_or_the_last_silence(self) -> None:
        server = Server(problem(503, "engine_unavailable"))
        self.assertEqual(self.raised(server).code, "engine_unavailable")
        self.assertEqual(server.waits, [1, 2, 4, 8, 16])
        silent = self.raised(Server(OSError("refused")))
        self.assertEqual((silent.code, silent.status), ("no_answer", 0))

    def test_nothing_else_is_repeated(self) -> None:
        long = problem(429, "rate_limited", retry_after="3600")
        for answer in (long, problem(404, "not_found"), problem(409, "state_conflict"), problem(500, "internal_error")):
            server = Server(answer)
            self.raised(server)
            self.assertEqual((len(server.sent), server.waits), (1, []))

    def raised(self, server: Server) -> MarqueeError:
        with self.assertRaises(MarqueeError) as caught:
            server.client().read_wallet()
        return caught.exception


class ErrorTest(unittest.TestCase):
    def test_an_error_has_the_code_the_faults_of_fields_and_the_id_of_the_request(self) -> None:
        faults = [{"pointer": "/url", "code": "bad_url", "detail": "must be a URL"}]
        body = {"code": "validation_failed", "detail": "No.", "errors": faults, "request_id": "req_9"}
        with self.assertRaises(MarqueeError) as caught:
            Server(answered(422, body)).client().create_webhook(WEBHOOK)
        error = caught.exception
        self.assertEqual((error.code, error.status, error.request_id), ("validation_failed", 422, "req_9"))
        self.assertEqual(error.errors, tuple(faults))

    def test_an_error_of_lacking_money_has_what_is_needed_and_what_there_is(self) -> None:
        funds = {"needed": {"amount": 500, "currency": "EUR"}, "available": {"amount": 12.5, "currency": "EUR"}}
        body = {"code": "insufficient_funds", "detail": "No.", "funds": funds}
        with self.assertRaises(MarqueeError) as caught:
            Server(answered(409, body)).client().create_webhook(WEBHOOK)
        self.assertEqual(caught.exception.funds, funds)

    def test_what_is_not_from_the_api_says_so(self) -> None:
        for answer in (Answer(500, {}, b"<html>"), Answer(200, {}, b"<html>"), answered(418, ["tea"])):
            with self.assertRaises(MarqueeError) as caught:
                Server(answer).client().read_wallet()
            self.assertEqual((caught.exception.code, caught.exception.status), ("unreadable_answer", answer.status))


if __name__ == "__main__":
    unittest.main()
