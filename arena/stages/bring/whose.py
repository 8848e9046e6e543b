"""Whose a row of a script is: the dialogue that it belongs to, or why it belongs to none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.by_hand import Column, Errand, Filled, FilledRow
from arena.errors import ConfigError

Where = tuple[str, str, str, str, int]
"""Suite, mode, agent, scenario, replicate."""
SHOWN = 80
"""Characters of a cell that are told."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The dialogues that can be brought.

    `planned`: suite and mode → replicates; `replicate`: which repetition all rows are, where
    somebody said so.
    """

    errands: Mapping[Where, Errand]
    planned: Mapping[tuple[str, str], int]
    replicate: int | None

    def find(self, filled: Filled, row: FilledRow) -> Errand:
        """The dialogue that a row says it is of.

        Raises ConfigError, with the cell, where nothing is planned of that name, or what is was
        another when the script was written.
        """
        self._check_suite(filled, row)
        self._check_agent(filled, row)
        errand = self.errands.get(self.where(row))
        if errand is None:
            self._refuse_scenario(filled, row)
            raise ConfigError(
                "{file}: {cell}: replicate {given}, and data/arena.yaml plans {planned}",
                fix="Raise `replicates` in data/arena.yaml, or give --replicate N.",
                given=str(self.replicate or row["replicate"] or "—"),
                planned=self.planned[row["suite"], row["mode"]],
                **at(filled, row, "replicate"),
            )
        _check_state(filled, row, errand)
        return errand

    def where(self, row: FilledRow) -> Where:
        """What a row says of itself; replicate 0 where that is no number."""
        said = row["replicate"]
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 5 else 0
        replicate = number if self.replicate is None else self.replicate
        return (row["suite"], row["mode"], row["agent"], row["scenario"], replicate)

    def _check_suite(self, filled: Filled, row: FilledRow) -> None:
        if row["suite"] not in {suite for suite, _ in self.planned}:
            raise ConfigError(
                "{file}: {cell}: no suite called {given} is played here",
                fix="There are: {near}.",
                **_named(filled, row, "suite", (suite for suite, _ in self.planned)),
            )
        modes = [mode for suite, mode in self.planned if suite == row["suite"]]
        if row["mode"] not in modes:
            raise ConfigError(
                "{file}: {cell}: the mode {given} is not played here",
                fix="There are: {near}.",
                **_named(filled, row, "mode", modes),
            )

    def _check_agent(self, filled: Filled, row: FilledRow) -> None:
        agents = [w[2] for w in self.errands]
        if row["agent"] not in agents:
            raise ConfigError(
                "{file}: {cell}: no agent called {given} is talked to by hand here",
                fix="There are: {near}.",
                **_named(filled, row, "agent", agents),
            )

    def _refuse_scenario(self, filled: Filled, row: FilledRow) -> None:
        scenarios = [w[3] for w in self.errands if w[:2] == (row["suite"], row["mode"])]
        if row["scenario"] not in scenarios:
            raise ConfigError(
                "{file}: {cell}: the suite has no scenario called {given}",
                fix="There are: {near}.",
                **_named(filled, row, "scenario", scenarios),
            )


def roll_of(
    errands: Sequence[Errand], planned: Mapping[tuple[str, str], int], replicate: int | None
) -> Roll:
    """The dialogues that can be brought, by what a row says of them."""
    by_name: dict[Where, Errand] = {}
    for errand in errands:
        spec = errand.spec
        by_name[spec.suite, spec.mode, spec.agent, spec.scenario, spec.replicate] = errand
    return Roll(by_name, planned, replicate)


def at(filled: Filled, row: FilledRow, column: Column) -> dict[str, Any]:
    """The facts that name a cell."""
    return {"file": filled.file, "cell": filled.cell(row, column)}


def clip(text: str, most: int = SHOWN) -> str:
    """A text as an error tells it: one line, and no more than can be read at a glance."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _named(filled: Filled, row: FilledRow, column: Column, known: Iterable[str]) -> dict[str, Any]:
    names = ", ".join(dict.fromkeys(known))
    given = clip(row[column]) or "—"
    return {"given": given, "near": clip(names, 200) or "—", **at(filled, row, column)}


def _check_state(filled: Filled, row: FilledRow, errand: Errand) -> None:
    if row["of_version"] != errand.version:
        raise ConfigError(
            "{file}: {cell}: written for version {given} of {agent}, which is {version} here",
            fix="Another version is another agent: list it under an id of its own.",
            given=clip(row["of_version"]) or "—",
            agent=errand.spec.agent,
            version=errand.version,
            **at(filled, row, "of_version"),
        )
    if row["shown"] != errand.spec.shown:
        raise ConfigError(
            "{file}: {cell}: what scenario {scenario} shows has changed since the export",
            fix="Export it again: an answer to other words is no answer to these.",
            scenario=errand.spec.scenario,
            **at(filled, row, "shown"),
        )
