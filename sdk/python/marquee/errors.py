"""What a call raises when it did not succeed."""

from __future__ import annotations

from collections.abc import Sequence

from .generated.types import ProblemErrors, ProblemFunds


class MarqueeError(Exception):
    """A call that did not succeed. Decide by ``code``; the message is for people.

    Two codes are not the API's: ``no_answer`` (status 0; the call may have been carried out) and
    ``unreadable_answer`` (what came is not from the API, as the page of a proxy).
    """

    def __init__(
        self,
        code: str,
        status: int,
        detail: str,
        errors: Sequence[ProblemErrors] = (),
        request_id: str | None = None,
        funds: ProblemFunds | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        #: The HTTP status; 0 when there was no answer.
        self.status = status
        self.detail = detail
        #: The faults of fields: each with a pointer, a code and a sentence.
        self.errors = tuple(errors)
        #: The ``X-Request-Id`` of the answer: name it when you ask for help.
        self.request_id = request_id
        #: Of ``insufficient_funds``: the amounts ``needed`` and ``available``, if both are known.
        self.funds = funds


class WebhookSignatureError(Exception):
    """A delivery that is not from Marquee, or not from now."""
