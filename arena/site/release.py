"""On what terms a site is let out: what of it is held back, and what was looked at before."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Texts = Literal["full", "redacted", "none"]
TEXTS: tuple[Texts, Texts, Texts] = ("full", "redacted", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The terms of publishing.

    `transcripts`: all of them, without personal data, or no word that an agent said and none that
    quotes it. `anonymous`: agents and vendors under neutral names. `secrets`: values of variables,
    by name, that must stand nowhere. `salt`: a secret of the workspace that keys the hashes of
    findings and the draw of the names. `allowed`: hashes of findings that somebody looked at.
    `notes`: also what only judges are told of a scenario, which spoils it for the next time.
    """

    transcripts: Texts = "full"
    anonymous: bool = False
    secrets: Mapping[str, str] = field(default_factory=dict)
    salt: bytes = b""
    allowed: frozenset[str] = frozenset()
    notes: bool = False
