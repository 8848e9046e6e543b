"""What goes wrong with a product, in our terms: the host and the key of the file are named."""

from collections.abc import Iterable
from typing import Any, Literal

from arena.errors import ProviderFault
from arena.llm.secrecy import redact

Kind = Literal["retry", "blocked", "denied", "rejected"]
DENIED = (401, 402, 403)
RETRIED = (408, 409, 429, 500, 502, 503, 504, 529)
UNTOUCHED = (429, 503)
"""Statuses by which a server says that it did nothing with the request."""
UNKNOWN_END = 408
"""Status of an attempt that may have been answered, and billed, without our seeing it."""
EXCERPT = 160
SAYING = ("errmsg", "err_msg", "error_msg", "message", "msg", "error_description", "detail")


class Blame:
    """Makes faults of one product; what it must not say is taken out of them."""

    def __init__(self, host: str, secrets: Iterable[str] = ()) -> None:
        self.host = host
        self.secrets = [s for s in secrets if s]

    def fault(
        self,
        kind: Kind,
        said: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        uncertain: bool = False,
    ) -> ProviderFault:
        """A fault that begins with the host."""
        message = redact(f"{self.host}: {said}", self.secrets)
        return ProviderFault(
            kind, message, status=status, retry_after=retry_after, uncertain=uncertain
        )

    def lost(self, said: str) -> ProviderFault:
        """A message of which nobody knows whether it arrived: worth another try."""
        return self.fault("retry", said, status=UNKNOWN_END, uncertain=True)

    def of_status(self, status: int, body: str, retry_after: float | None) -> ProviderFault:
        """A status that is no success."""
        said = f"status {status}{_excerpt(body)}"
        if status in DENIED:
            return self.fault("denied", said, status=status)
        if status in RETRIED:
            return self.fault(
                "retry",
                said,
                # 408 from a server says that it was too slow for it, not for us.
                status=500 if status == UNKNOWN_END else status,
                retry_after=retry_after,
                uncertain=status not in UNTOUCHED,
            )
        return self.fault("rejected", said, status=status)


def is_html(body: str, content_type: str) -> bool:
    """Whether an answer is a page for people."""
    return "html" in content_type or body.lstrip()[:1] == "<"


def message_in(value: Any) -> str:
    """What an answer in JSON says of its error; empty where it says nothing that we know."""
    if not isinstance(value, dict):
        return ""
    for key in SAYING:
        if isinstance(value.get(key), str):
            return str(value[key])[:EXCERPT]
    return message_in(value.get("error"))


def _excerpt(body: str) -> str:
    if is_html(body, ""):
        return " with an HTML page"
    said = " ".join(body.split())[:EXCERPT]
    return f": {said}" if said else ""
