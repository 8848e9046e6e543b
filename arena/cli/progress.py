"""Progress on stderr: a bar on a terminal, a line every few seconds elsewhere."""

import sys
import time
from types import TracebackType

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from arena.cli import output
from arena.cli.words import Lang, say
from arena.domain.tally import Tally

EVERY = 10.0


class Display:
    """Shows how a stage gets on; `quiet` shows nothing."""

    def __init__(self, lang: Lang, *, quiet: bool = False) -> None:
        self._lang = lang
        self._quiet = quiet
        self._bar: Progress | None = None
        self._tasks: dict[str, object] = {}
        self._last = time.monotonic()
        self.job = ""

    def __enter__(self) -> "Display":
        if sys.stderr.isatty() and not self._quiet:
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[note]}"),
                console=output.stderr(),
            )
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.stop()

    def update(self, tally: Tally) -> None:
        """Show where a stage is."""
        done = tally.present + tally.made
        if self._bar is not None:
            name = f"{self.job}/{tally.stage}"
            if name not in self._tasks:
                label = say(self._lang, f"stage_{tally.stage}")
                self._tasks[name] = self._bar.add_task(label, total=tally.planned, note="")
            note = say(self._lang, "progress_errors", errors=tally.errors) if tally.errors else ""
            self._bar.update(self._tasks[name], completed=done, note=note)  # type: ignore[arg-type]
        elif not self._quiet and time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            output.tell(
                say(
                    self._lang,
                    "progress_line",
                    stage=say(self._lang, f"stage_{tally.stage}"),
                    done=done,
                    planned=tally.planned,
                    errors=tally.errors,
                )
            )
