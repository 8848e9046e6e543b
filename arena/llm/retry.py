"""What is worth another try, and how long to wait before it."""

from arena.domain.digest import digest
from arena.errors import ProviderFault

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0


def worth_another_try(fault: ProviderFault) -> bool:
    """Limits, server errors and transport are; policy, keys and bad requests never."""
    return fault.fault == "retry"


def wait_before(attempt: int, fault: ProviderFault, *, seed: int, key: str) -> float:
    """Seconds to wait after failed attempt number `attempt` (from 1).

    What the provider says in Retry-After is honoured; otherwise the wait doubles from half a
    second to thirty, with seeded jitter of ± 25 %.
    """
    if fault.retry_after is not None:
        return max(0.0, fault.retry_after)
    share = int(digest([seed, key, attempt])[:8], 16) / 0xFFFFFFFF
    return float(min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT) * (0.75 + 0.5 * share))
