"""The client of the API for one key."""

from __future__ import annotations

from .calls import Retries, Send, send_by_urllib
from .generated.operations import Operations
from .version import VERSION


class Marquee(Operations):
    """A method for each operation of the OpenAPI document. What is no success is raised as a ``MarqueeError``.

    :param base_url: where the API is: ``https://ads.example.com``
    :param key: an API key; without one, only what needs none can be called
    :param workspace: for keys of an agency: the client that every call acts on
    :param sdk: the name and version of your program, ``my-planner/2.4.0``; it is counted, and decides nothing
    """

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        workspace: str | None = None,
        sdk: str = f"marquee-sdk-python/{VERSION}",
        retries: Retries | None = None,
        send: Send = send_by_urllib,
    ) -> None:
        super().__init__(base_url, key, workspace, sdk, retries or Retries(), send)
