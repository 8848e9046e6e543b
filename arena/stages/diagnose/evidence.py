"""What a diagnosis is made of, in columns: names once, indices everywhere else."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from arena.domain.diagnosis import is_person
from arena.maths.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """P readable verdicts of all judges, each with shape (P,).

    `first` and `second`: agents, in the order of their names. `unit`: equal where the same two
    transcripts were compared, whoever judged; −1 unknown. `repeat`: which time this judge was
    asked. `share`: what `first` won: 1, ½, 0. `shown`: 1 where `first` was shown first, −1 where
    `second` was, 0 unknown. `length`: log of the lengths' ratio, NaN unknown. `of_first`,
    `of_second`: transcripts, −1 unknown. `kin`: 1 where `first` alone is of the judge's own vendor
    or family, −1 where `second` alone is, else 0. `flags`: name → where it was raised.
    """

    judge: Ints
    first: Ints
    second: Ints
    scenario: Ints | None
    unit: Ints
    repeat: Ints
    share: Floats
    shown: Ints
    length: Floats
    of_first: Ints
    of_second: Ints
    kin: Ints
    flags: Mapping[str, Bools] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.judge)

    def only(self, kept: Bools) -> "Verdicts":
        """The verdicts in a mask, shape (P,)."""
        return replace(
            self,
            judge=self.judge[kept],
            first=self.first[kept],
            second=self.second[kept],
            scenario=None if self.scenario is None else self.scenario[kept],
            unit=self.unit[kept],
            repeat=self.repeat[kept],
            share=self.share[kept],
            shown=self.shown[kept],
            length=self.length[kept],
            of_first=self.of_first[kept],
            of_second=self.of_second[kept],
            kin=self.kin[kept],
            flags={name: raised[kept] for name, raised in self.flags.items()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparisons:
    """The verdicts folded: one entry a judge, unit and repeat, each with shape (M,).

    `share`: mean over the orders. `both`: exactly one verdict of each order is there; `flipped`:
    these name different winners. `people`: judges that are persons. All else as in `Verdicts`.
    """

    judge: Ints
    first: Ints
    second: Ints
    scenario: Ints | None
    unit: Ints
    repeat: Ints
    share: Floats
    length: Floats
    kin: Ints
    both: Bools
    flipped: Bools
    people: frozenset[int] = frozenset()

    def of(self, judge: int) -> Bools:
        """The comparisons that count of a judge: the first time it was asked, whole.

        A judge that gives both orders anywhere gives both everywhere; half a pair is none. A person
        is shown one order as a rule, so that every vote counts, and both orders are averaged.
        """
        own: Bools = (self.judge == judge) & (self.repeat == 1)
        if judge in self.people:
            return own
        whole: Bools = own & self.both
        return whole if whole.any() else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Scores, one entry each: `criterion` −1 is the absolute score of a transcript.

    `unit`: the transcript, or the round of it, that was scored; `transcript` as in `Verdicts`.
    """

    judge: Ints
    scenario: Ints
    unit: Ints
    transcript: Ints
    criterion: Ints
    value: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """What was asked of judges and answered somehow: `status` is an index into `statuses`."""

    statuses: tuple[str, ...]
    judge: Ints
    scenario: Ints
    status: Ints

    def counts(self, judge: int) -> dict[str, int]:
        """How the answers of a judge ended."""
        found = np.bincount(self.status[self.judge == judge], minlength=len(self.statuses))
        return {name: int(n) for name, n in zip(self.statuses, found, strict=True) if n}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything known of the judges of a board.

    `scenarios`: how many there are, 0 where rows have none. `tries`: by kind of work; empty for a
    file, of which only `counted` is known (judge → reason → rows). `guarded`: judges that the
    guard keeps from agents of their own vendor or family. `judges` may hold people (`human:…`).
    `vendors_known`: whether it is known at all who is whose. `sides`: who was better by criterion,
    by its name. `picked`: units that people were asked about because judges differ on them.
    `by_chance`: whether it is known with what chance all people were asked.
    """

    agents: tuple[str, ...]
    decoys: tuple[str, ...]
    judges: tuple[str, ...]
    criteria: tuple[str, ...]
    scenarios: int
    verdicts: Verdicts
    marks: Marks
    tries: Mapping[str, Tries]
    counted: Mapping[str, Mapping[str, int]]
    guarded: tuple[str, ...] = ()
    kin_alone: tuple[str, ...] = ()
    """Judges to whom every agent is kin."""
    vendors_known: bool = True
    sides: Mapping[str, Verdicts] = field(default_factory=dict)
    picked: frozenset[int] = frozenset()
    by_chance: bool = True

    @property
    def people(self) -> frozenset[int]:
        """The judges that are persons."""
        return frozenset(j for j, name in enumerate(self.judges) if is_person(name))

    def folded(self, verdicts: Verdicts) -> "Comparisons":
        """Some of the verdicts folded."""
        return replace(fold(verdicts), people=self.people)

    def without_decoys(self) -> "Evidence":
        """The same less the verdicts on decoys, whose answers are known to be none."""
        fake = np.array([name in self.decoys for name in self.agents], dtype=np.bool_)
        if not fake.any():
            return self

        def real(rows: Verdicts) -> Verdicts:
            return rows.only(~(fake[rows.first] | fake[rows.second]))

        sides = {name: real(rows) for name, rows in self.sides.items()}
        return replace(self, verdicts=real(self.verdicts), sides=sides)


NO_MARKS = Marks(
    judge=np.zeros(0, dtype=np.int64),
    scenario=np.zeros(0, dtype=np.int64),
    unit=np.zeros(0, dtype=np.int64),
    transcript=np.zeros(0, dtype=np.int64),
    criterion=np.zeros(0, dtype=np.int64),
    value=np.zeros(0),
)


def fold(verdicts: Verdicts) -> Comparisons:
    """Verdicts of the same judge, unit and repeat together; of unknown unit each by itself."""
    unit = verdicts.unit.copy()
    alone = unit < 0
    unit[alone] = unit.max(initial=-1) + 1 + np.arange(int(alone.sum()))
    judges, repeats = verdicts.judge.max(initial=0) + 1, verdicts.repeat.max(initial=0) + 1
    key = (unit * judges + verdicts.judge) * repeats + verdicts.repeat
    _, begin, group = np.unique(key, return_index=True, return_inverse=True)
    size = len(begin)
    rows = np.bincount(group, minlength=size)
    ahead = np.bincount(group, verdicts.shown == 1, size)
    behind = np.bincount(group, verdicts.shown == -1, size)
    both = (rows == 2) & (ahead == 1) & (behind == 1)
    tilt = np.abs(np.bincount(group, verdicts.share * verdicts.shown, size))
    return Comparisons(
        judge=verdicts.judge[begin],
        first=verdicts.first[begin],
        second=verdicts.second[begin],
        scenario=None if verdicts.scenario is None else verdicts.scenario[begin],
        unit=verdicts.unit[begin],
        repeat=verdicts.repeat[begin],
        share=np.bincount(group, verdicts.share, size) / rows,
        length=verdicts.length[begin],
        kin=verdicts.kin[begin],
        both=both,
        flipped=both & (tilt == 1),
    )
