"""A typed client of the Marquee API, with the standard library alone."""

from .calls import Answer, Retries
from .client import Marquee
from .errors import MarqueeError, WebhookSignatureError
from .version import VERSION
from .webhooks import verify_webhook

__all__ = ["VERSION", "Answer", "Marquee", "MarqueeError", "Retries", "WebhookSignatureError", "verify_webhook"]
