"""What lies behind a failed call: money that is used up, a lost answer, a time to wait."""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime

SPENT = (
    "insufficient_quota",
    "insufficient balance",
    "exceeded your current quota",
    "余额不足",
)
"""What a 429 says when waiting will not help: there is no money left."""
NOT_TAKEN = (
    "HTTPStatusError",
    "ConnectError",
    "ConnectTimeout",
    "PoolTimeout",
    "UnsupportedProtocol",
)
"""Causes that show that the call was answered by a refusal, or never reached anybody."""


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """An exception and what it came of, outermost first."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def is_spent(causes: Sequence[BaseException]) -> bool:
    """Whether a 429 is of a quota that is used up, not of a rate."""
    said = " ".join(f"{c} {getattr(c, 'code', '')} {getattr(c, 'type', '')}" for c in causes)
    return any(sign in said.lower() for sign in SPENT)


def may_be_billed(causes: Sequence[BaseException], status: int | None) -> bool:
    """Whether something may have been answered of which nothing whole reached us.

    LiteLLM makes a 500 of a connection cut in mid-answer; only its causes tell them apart.
    """
    if status is not None and status < 500:
        return False
    return not any(type(cause).__name__ in NOT_TAKEN for cause in causes)


def seconds_to_wait(said: str, date: str | None, now: str | None) -> float | None:
    """Seconds of a Retry-After, which is a number or an HTTP date; None when it is neither.

    `date`: what time it is for whoever said so (an HTTP date); where that is not told, it is
    `now` (ISO 8601).
    """
    try:
        seconds = float(said)
    except ValueError:
        return _until(said, date, now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(moment: str, date: str | None, now: str | None) -> float | None:
    try:
        if date:
            since = parsedate_to_datetime(date)
        elif now:
            since = datetime.fromisoformat(now)
        else:
            return None
        return max(0.0, (parsedate_to_datetime(moment) - since).total_seconds())
    except (TypeError, ValueError):
        return None  # no date either, or one without a zone
