"""Every exception `arena` raises on purpose.

    ArenaError                 base: what happened, why, what to do
    ├── UsageError             exit 2: the command line or its arguments
    │   └── NotBuilt           exit 2: a known option that this version does not carry
    ├── ConfigError            exit 2: data/arena.yaml, .env, a suite's file (file:line, key)
    ├── StoreError             exit 1: the database
    │   ├── StoreHeld          exit 1: another process has it open (named)
    │   └── StoreBroken        exit 1: disk full, or a file that is not ours
    ├── ClusterLost            exit 1: the machines that calls were to run on
    ├── RefusedToSpend         exit 4: no consent, no price, or over the cap
    │   └── CapReached         exit 4: the next call could cross the cap
    ├── CheckFailed            exit 5: a check that was asked for did not hold
    │   └── MustNotPublish     exit 5: a key or personal data stands on what would be published
    ├── ProvidersRefused       exit 6: every provider refused before any work (keys, quota)
    └── Interrupted            exit 130 or 143: Ctrl-C or SIGTERM, after saving
    ProviderFault              one call went wrong; becomes a row, never leaves the floor `llm`

An error carries facts, and three templates of one line each that they fill: `what` happened,
`why`, and how to `fix` it. The command line prints at most these three, in English or, by the
English template as key, in Chinese. Nothing below the command line prints or exits.
"""

from typing import Any, Literal


class ArenaError(Exception):
    """Base of all our errors.

    `what` happened, `why` it did, and how to `fix` it: one line each, the last two optional, with
    places like `{path}` that the facts fill. A template without facts is taken literally.
    """

    kind = "error"
    exit_code = 1

    def __init__(self, what: str, *, why: str = "", fix: str = "", **facts: Any) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.fix = fix
        self.facts = facts

    def __str__(self) -> str:
        lines = [line for line in (self.what, self.why, self.fix) if line]
        if self.facts:
            lines = [line.format(**self.facts) for line in lines]
        return "\n".join(lines)


class UsageError(ArenaError):
    """The command line asks for something that cannot be."""

    kind = "usage"
    exit_code = 2


class NotBuilt(UsageError):
    """A known option or key that this version refuses by name rather than ignores."""

    kind = "not_built"


class ConfigError(ArenaError):
    """A file that people edit is wrong. `what` begins with file:line where both are known."""

    kind = "config"
    exit_code = 2
    others: tuple["ConfigError", ...] = ()
    """Further mistakes of the same record, each an error of its own."""


class StoreError(ArenaError):
    """The database could not be read or written."""

    kind = "store"


class StoreHeld(StoreError):
    """Another process holds the database; `pid` is its number where DuckDB tells it."""

    kind = "store_held"

    def __init__(
        self, what: str, *, why: str = "", fix: str = "", pid: int | None = None, **facts: Any
    ) -> None:
        super().__init__(what, why=why, fix=fix, pid=pid, **facts)
        self.pid = pid


class StoreBroken(StoreError):
    """The disk is full, or the file is not a database of ours."""

    kind = "store_broken"


class ClusterLost(ArenaError):
    """The cluster cannot be reached, or its processes are gone; what is done is kept."""

    kind = "cluster_lost"


class RefusedToSpend(ArenaError):
    """Nobody agreed to the forecast, or something has no price under a cap."""

    kind = "refused_to_spend"
    exit_code = 4


class CapReached(RefusedToSpend):
    """The next call could cross the cap, so it was not made; what is done is kept."""

    kind = "cap_reached"


class CheckFailed(ArenaError):
    """A check that was asked for did not hold."""

    kind = "check_failed"
    exit_code = 5


class MustNotPublish(CheckFailed):
    """What would be published holds keys or personal data; `findings` are all of them."""

    kind = "must_not_publish"

    def __init__(
        self,
        what: str,
        *,
        why: str = "",
        fix: str = "",
        findings: tuple[Any, ...] = (),
        **facts: Any,
    ) -> None:
        super().__init__(what, why=why, fix=fix, **facts)
        self.findings = findings


class ProvidersRefused(ArenaError):
    """Every provider refused before any work was done: keys or quota."""

    kind = "providers_refused"
    exit_code = 6


class Interrupted(ArenaError):
    """Ctrl-C (130) or SIGTERM (143): what was finished is saved."""

    kind = "interrupted"
    exit_code = 130

    def __init__(self, what: str, *, fix: str = "", exit_code: int = 130, **facts: Any) -> None:
        super().__init__(what, fix=fix, **facts)
        self.exit_code = exit_code


class ProviderFault(Exception):
    """One call went wrong, in our terms.

    `fault` is `retry` (try again: limits, server errors, transport), `blocked` (content policy),
    `denied` (key, quota, permission) or `rejected` (the request itself; no use in repeating it).
    `retry_after` is in seconds, where the provider gave it. `uncertain`: the provider may have
    taken the message all the same, so one that keeps the dialogue cannot be sent it again.
    `billed`: it may have answered, and be paid for it, although nothing whole came back.
    """

    def __init__(
        self,
        fault: Literal["retry", "blocked", "denied", "rejected"],
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        uncertain: bool = False,
        billed: bool = False,
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message
        self.status = status
        self.retry_after = retry_after
        self.uncertain = uncertain
        self.billed = billed or status == 408
