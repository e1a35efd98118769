"""Proves that a webhook came from Marquee.

Of the two signatures that every delivery carries, that of Standard Webhooks (https://www.standardwebhooks.com) is taken
where it is there, else ``X-Service-Signature``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from .errors import WebhookSignatureError

# An older delivery may have been recorded and replayed; one from further in the future comes from a wrong clock.
AGE_SECONDS_MAX = 300


def verify_webhook(headers: Mapping[str, str], body: bytes, secret: str, now: float | None = None) -> dict[str, Any]:
    """The event of a delivery: ``id``, ``type``, ``created_at``, ``workspace_id`` and ``data``.

    :param headers: of the request, their names in any case
    :param body: the raw bytes, before any JSON parser
    :param secret: the ``whsec_...`` of the webhook
    :param now: seconds since 1970
    :raises WebhookSignatureError: when it is not from Marquee, or is not from now
    """
    given = {name.lower(): value for name, value in headers.items()}
    signed = _standard(given, secret) or _service(given, secret)
    if signed is None:
        raise WebhookSignatureError("the delivery has no signature")
    seconds = time.time() if now is None else now
    if not (signed.at.isascii() and signed.at.isdigit()) or abs(seconds - int(signed.at)) >= AGE_SECONDS_MAX:
        raise WebhookSignatureError("the delivery is not from these five minutes")
    expected = hmac.new(signed.key, signed.before.encode() + body, hashlib.sha256).digest()
    if not any(hmac.compare_digest(signature, expected) for signature in signed.signatures):
        raise WebhookSignatureError("the signature is not that of this body")
    event: dict[str, Any] = json.loads(body)
    return event


class _Signed(NamedTuple):
    at: str
    before: str  # what is signed before the body
    key: bytes
    signatures: list[bytes]


def _standard(headers: Mapping[str, str], secret: str) -> _Signed | None:
    event_id, at = headers.get("webhook-id"), headers.get("webhook-timestamp")
    listed = headers.get("webhook-signature")
    key = _of_base64(secret.removeprefix("whsec_"))
    if event_id is None or at is None or listed is None or key is None:
        return None
    given = [_of_base64(one[3:]) for one in listed.split(" ") if one.startswith("v1,")]
    return _Signed(at, f"{event_id}.{at}.", key, [signature for signature in given if signature is not None])


def _service(headers: Mapping[str, str], secret: str) -> _Signed | None:
    fields = [field.partition("=") for field in headers.get("x-service-signature", "").split(",")]
    at = next((value for name, _, value in fields if name == "t"), None)
    if at is None:
        return None
    return _Signed(at, f"{at}.", secret.encode(), [_of_hex(value) for name, _, value in fields if name == "v1"])


def _of_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None  # it is no signature


def _of_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""  # it is no signature, and equals none
