"""One sitting of a dialogue with a product: who the product believes to speak, what it keeps.

A product that keeps the dialogue itself cannot go on where a lost message left it: the dialogue
begins anew, as somebody else, and what was paid for before is kept without being judged.
"""

from dataclasses import dataclass, replace
from typing import Any

from arena.domain.digest import digest

SITTINGS = 3
"""How often one run begins a dialogue before it counts as an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What a product is told beside the messages.

    `seed` follows from the transcript's key, the run and the number of the sitting. `user` is
    empty until the first message is sent. `state` is what the last reply gave to be sent on.
    """

    seed: str
    scenario: str
    replicate: int = 1
    user: str = ""
    state: dict[str, Any] | None = None

    def seated(self, attempt: int) -> "Sitting":
        """The sitting with its user id: one of its own for each first message that is tried."""
        if self.user:
            return self
        return replace(self, user=digest(["user", self.seed, attempt])[:20])
