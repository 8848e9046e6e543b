"""What a foreign format is to `arena import` and `arena export`.

A format is a value of `Format`: its name, and a part for each thing that it can hold.

- `suite`: a suite can be made of a folder (or file) of it. `SuitePart.read(path)` → `SuiteRead`.
- `results`: transcripts, sheets, verdicts with texts. `ResultsPart.read(path, suite, how)` makes an
  `Import` of domain records, and `stages.take_in` writes them. `ResultsPart.write(records, suite,
  path)` is the way out: the same records, of the workspace or of an import, into new files.
- `votes`: who won between whom, any number of rows. `VotesPart.recognise(columns, labels)` says
  what the columns are; the store reads and writes the rows itself, without a loop in Python.
- neither: the command line has a use case of its own for it (`options` are its options).

To add one: a module `exchange/<format>.py` with a reader and, beside it, a writer, put together in
`FORM` (a `Format`); then the line `<format>.FORM` in `exchange/formats.py`. Nothing else names a
format.

A reader counts what is sound but does not come in with `Import.left_out.note(reason, place)` (told,
exit 0), and what is wrong (an unknown label, a number as text, a key twice) with
`Import.bad.note(reason, place)`: then nothing comes in and the exit code is 2, unless
`--skip-bad` was given, with which the rest comes in and the code is 3. Each reason has its words
under `import_left_<reason>` in cli/words. What makes a file unreadable as a whole is raised as a
ConfigError with path and line. A writer gives a `Written`; what the format cannot hold is
counted in `lost`, with words under `export_lost_<what>`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from arena.domain.imported import Import, LeftOut
from arena.domain.layout import Layout
from arena.domain.suite import Suite
from arena.exchange.eldercare_figures import Run
from arena.exchange.original_folder import Made

VoteKind = Literal["text", "number", "truth", "json"]
OF_RESULTS = frozenset({"--as", "--agents", "--judged-by", "--dry-run", "--skip-bad"})
"""Options of every import that brings a suite, results or votes."""
OF_VOTES = OF_RESULTS | {"--columns"}


@dataclass(frozen=True, slots=True)
class SuiteRead:
    """What a folder holds: the suite that can be made of it, and the runs that it publishes."""

    made: Made
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadHow:
    """What a reader is told beside the path. `judge`: who judged, where the files are silent."""

    judge: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a writer did: new files, records by kind, and what the format has no place for."""

    files: tuple[Path, ...]
    rows: Mapping[str, int]
    lost: Mapping[str, int] = field(default_factory=dict)


def _is_folder(path: Path) -> bool:
    return path.is_dir()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePart:
    """A suite made of foreign files. `usual`: its name unless `--as` gives another.

    `read` raises ConfigError for another kind of folder. `makes`: whether a path is one that a
    suite can be made of; any other holds results alone, for a suite that is there.
    """

    usual: str
    read: Callable[[Path], SuiteRead]
    makes: Callable[[Path], bool] = _is_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsPart:
    """Results with texts. `find`: the files of results that a path names, none where there are not.

    `read` raises ConfigError for a file that cannot be read. `write` raises UsageError for a file
    that is there already; None: there is no way out yet.
    """

    find: Callable[[Path], tuple[Path, ...]]
    read: Callable[[Path, Suite, ReadHow], Import]
    write: Callable[[Import, Suite, Path], Written] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteColumn:
    """A column of a file of votes as it is written: its name, and the role that fills it.

    `labels`: what each of our values is called there; `own`: labels that go out as they came, in
    small letters. `kind`: what it is written as where a file holds more than text.
    """

    name: str
    role: str
    labels: Mapping[str, str] | None = None
    own: frozenset[str] = frozenset()
    kind: VoteKind = "text"


@dataclass(frozen=True, slots=True)
class Converted:
    """What of a file of votes is not among the rows made of it: sound, and wrong."""

    left_out: LeftOut = field(default_factory=LeftOut)
    bad: LeftOut = field(default_factory=LeftOut)


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesPart:
    """A file of votes: a row each, of which nothing but names and labels is read.

    `recognise`: column names, given roles and the labels seen → what the columns serve as; raises
    UsageError where one is missing. `is_votes`: whether a path is such a file, asked where the
    format has other parts too. `convert`: makes a file of columns of one that has none (rows inside
    rows), as JSON lines at the second path, and gives what does not come in; raises
    ConfigError. `columns`: how they are written, by
    default as they are called here; further columns that came in go out again under their own
    names. `endings`: of the files that can be written. `holds_unanswered`: whether a row may be
    without a winner. `figures`: what is published beside the votes, counted anew.
    """

    recognise: Callable[[Sequence[str], Mapping[str, str], Iterable[str]], Layout]
    is_votes: Callable[[Path], bool] = Path.is_file
    convert: Callable[[Path, Path], Converted] | None = None
    columns: tuple[VoteColumn, ...] = ()
    endings: tuple[str, ...] = (".csv", ".jsonl", ".parquet")
    holds_unanswered: bool = False
    figures: Callable[[Path], tuple[Run, ...]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format by its name; see the module's text for its parts.

    `options`: of an import, where it has none of the parts, or takes other options than they do;
    None: those of its parts, and where it has none nothing of it comes in.
    `own_export`: whether the command line writes it by a use case of its own. `tables`: whether a
    folder of it holds all that a workspace does.
    """

    name: str
    suite: SuitePart | None = None
    results: ResultsPart | None = None
    votes: VotesPart | None = None
    options: frozenset[str] | None = None
    own_export: bool = False
    tables: bool = False

    @property
    def exports(self) -> bool:
        """Whether there is a way out."""
        results = self.results is not None and self.results.write is not None
        return self.own_export or results or self.votes is not None

    @property
    def imports(self) -> bool:
        """Whether there is a way in."""
        parts = (self.suite, self.results, self.votes, self.options)
        return any(part is not None for part in parts)

    @property
    def import_options(self) -> frozenset[str]:
        """The options that go with importing it."""
        if self.options is not None:
            return self.options
        if self.votes:
            return OF_VOTES
        return OF_RESULTS if self.results or self.suite else frozenset()

    def brings_votes(self, path: Path) -> bool:
        """Whether what a path names is a file of votes of this format."""
        if self.votes is None:
            return False
        return (self.suite is None and self.results is None) or self.votes.is_votes(path)
