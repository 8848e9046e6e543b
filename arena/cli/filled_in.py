"""Tables that people fill in: what is asked of their import, and what is said of wrong rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.cli import output
from arena.cli.refusing import SKIPPED
from arena.cli.words import Lang, say, translate
from arena.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledIn:
    """A table that comes back; `person`: who filled it in, where it does not say."""

    path: Path
    project: Path | None
    person: str | None
    dry: bool
    skip: bool
    argv: tuple[str, ...]

    def check(self, faults: Sequence[ConfigError], lang: Lang) -> None:
        """Tell every wrong row; raise the first one unless they are to be left out."""
        for fault in faults[0 if self.skip else 1 :]:
            line = say(lang, "error") + translate(lang, fault.what, fault.facts)
            output.tell(line, style="yellow" if self.skip else "red")
        if faults and not self.skip:
            raise faults[0]

    def code(self, faults: Sequence[ConfigError]) -> int:
        """The exit code: 3 where wrong rows were left out."""
        return SKIPPED if faults else 0
