"""One small sound import of every way into the store, and how each may be spoilt."""

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import foreign_texts as theirs
from tests.support.format_samples import (
    eldercare,
    eqbench3,
    exported,
    file_of,
    folder_of,
    letters,
    preferences,
    script,
    tables,
    to_csv,
    to_lines,
    to_table,
    votes_of,
)
from tests.support.originals import CASES as ELDERCARE

FAULTS = ("cut", "encoding", "label", "twice", "column", "number")
"""What every case says of itself: how it is spoilt so, or why it cannot be."""


@dataclass(frozen=True)
class Fault:
    """A file spoilt by putting `new` in the place of the first `old`.

    `skip`: whether what is left comes in with --skip-bad. `file`: which one, if not the usual.
    """

    old: str
    new: str
    skip: bool = True
    file: str = ""


@dataclass(frozen=True)
class Case:
    """`make(folder, arena, walk)` → the path to import and the workspace, None: the shared one.

    `file`: which file of a folder is spoilt; empty: the path itself. `faults` beside `cut` and
    `encoding`, which are made alike everywhere; `alike`: of these, which leave rows that can come
    in, or why there is no such fault. `skips`: whether --skip-bad goes with it.
    """

    make: Callable[..., tuple[Path, Path | None]]
    faults: Mapping[str, Fault | str]
    file: str = ""
    words: tuple[str, ...] = ()
    alike: Mapping[str, bool | str] = field(
        default_factory=lambda: {"cut": True, "encoding": False}
    )
    skips: bool = True


def spoil(path: Path, fault: str, how: Fault | None) -> None:
    """Spoil a file in its place."""
    if path.suffix == ".eval" and how is not None:
        members = _members(path)
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in members.items():
                archive.writestr(name, text.replace(how.old, how.new, 1))
        return
    raw = path.read_bytes()
    if fault == "cut":
        path.write_bytes(_cut(path, raw))
    elif fault == "encoding":
        at = len(raw) // 2
        path.write_bytes(raw[:at] + b"\xff\xfe\xff" + raw[at:])
    elif how is not None:
        text = raw.decode("utf-8")
        assert how.old in text, (path, how.old)
        path.write_text(text.replace(how.old, how.new, 1), "utf-8", newline="")


def _members(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def _cut(path: Path, raw: bytes) -> bytes:
    """The file without its end; of a table the last row has only its first cell."""
    if path.suffix != ".csv":
        return raw[: -max(9, len(raw) // 5)] if path.suffix == ".eval" else raw[:-9]
    head, _, last = raw.rstrip().rpartition(b"\n")
    return head + b"\n" + last.partition(b",")[0]


def _of_votes(label: Fault, column: Fault) -> dict[str, Fault | str]:
    """Of a table of votes."""
    twice, number = Fault("i1", "i0"), Fault(",2", ",two")
    return {"label": label, "column": column, "twice": twice, "number": number}


SCENARIOS = [
    ["scenario", "domain", "title", "persona", "turn_1"],
    ["a-1", "Health", "One", "Old", "Hello there."],
    ["a-2", "Health", "Two", "Old", "Hello again."],
]
WHOLE = {"cut": False, "encoding": False}
UNFILLED = {"cut": "a row without an answer is one that nobody has filled in", "encoding": False}
ROUND_TRIPS: Mapping[str, tuple[str, str]] = {
    "script": ("e2e/test_by_hand.py", "exported_filled_in_imported_scored_ranked_and_published"),
    "flags": ("exchange/test_flags.py", "a_table_comes_back_with_what_people_decided"),
    "votes": ("serving/test_ballots.py", "votes_go_out_blind_and_come_back_once"),
    "ceval": ("e2e/test_ceval.py", "letters_that_went_out_come_in_and_go_out_the_same"),
    **dict.fromkeys(
        ("evalica", "lmarena", "autoarena"),
        ("cli/test_export_votes.py", "what_goes_out_comes_back_the_same"),
    ),
    **dict.fromkeys(
        ("alpacaeval", "arena-hard", "fastchat", "evalscope", "inspect", "inspect/archive"),
        ("cli/test_import_texts.py", "what_goes_out_comes_in_the_same"),
    ),
    "fastchat/votes": ("cli/test_export_votes.py", "what_goes_out_comes_back_the_same"),
    "alpacaeval/votes": (
        "cli/test_import_preferences.py",
        "preferences_go_out_and_come_in_the_same",
    ),
    "arena": ("cli/test_export_votes.py", "what_goes_out_comes_back_the_same"),
    "arena/tables": ("cli/test_export_votes.py", "all_tables_move_to_another_workspace"),
}
"""Where it is shown that what goes out of a format comes in again, the same."""
SIDES = ("model_a", "model_b", "tie")
NO_NUMBER = "it holds no number"
NO_LABEL = "it holds no label"
CASES: Mapping[str, Case] = {
    "scenarios": Case(
        file_of("cases.csv", to_csv(SCENARIOS)),
        {
            "label": NO_LABEL,
            "twice": Fault("a-2", "a-1"),
            "column": Fault("turn_1", "remark", skip=False),
            "number": NO_NUMBER,
        },
        skips=False,
    ),
    "script": Case(
        script,
        {
            "label": Fault(",natural,", ",nightly,"),
            "twice": Fault(",2,", ",1,"),
            "column": Fault(" / answer", " / reply", skip=False),
            "number": Fault(",1,1,", ",1,one,"),
        },
        alike={"cut": True, "encoding": False},
    ),
    "flags": Case(
        exported("flags", {"decision": ["confirm", "reject", "unsure"], "reviewer": ["wu"] * 3}),
        {
            "label": Fault("confirm,", "maybe,"),
            "twice": "made from a row, below",
            "column": Fault("decision", "verdict", skip=False),
            "number": NO_NUMBER,
        },
        alike=UNFILLED,
    ),
    "votes": Case(
        exported("votes", {"overall": ["first", "second", "equal"], "reviewer": ["wu"] * 3}),
        {
            "label": Fault("first,wu", "left,wu"),
            "twice": "made from a row, below",
            "column": Fault(" / overall", " / total", skip=False),
            "number": NO_NUMBER,
        },
        alike=UNFILLED,
    ),
    "ceval": Case(
        folder_of(letters),
        {
            "label": Fault('"A"', '"E"'),
            "twice": Fault('"2"', '"1"'),
            "column": Fault('{"1": "C"}', '["C"]'),
            "number": Fault('"A"', "1"),
        },
        alike=WHOLE,
    ),
    "eldercare": Case(
        folder_of(eldercare),
        {
            "label": Fault('"status": "ok"', '"status": "fine"'),
            "twice": Fault(
                f'"id": "{ELDERCARE[1]["id"]}"', f'"id": "{ELDERCARE[0]["id"]}"', skip=False
            ),
            "column": Fault('"id"', '"nr"', skip=False),
            "number": Fault('"warmth": 7', '"warmth": "7"'),
        },
        file="results/baselines/model-x/one/results.jsonl",
        # Its published figures are counted anew from every line.
        alike=WHOLE,
    ),
    "eqbench3": Case(
        folder_of(eqbench3),
        {
            "label": Fault("A0493:test / A0488:other", "forward", file="elo.json"),
            "twice": Fault('"y": {', '"x": {', skip=False),
            "column": Fault('"scenario_tasks"', '"tasks"'),
            "number": "numbers are read anew from what the judge wrote",
        },
        file="runs.json",
        alike=WHOLE,
    ),
    "evalica": Case(
        file_of("v.csv", to_table(votes_of("left", "right", "winner", ("left", "right", "tie")))),
        _of_votes(Fault("tie", "maybe"), Fault("winner", "who", skip=False)),
    ),
    "lmarena": Case(
        file_of(
            "v.jsonl",
            to_lines(votes_of("model_a", "model_b", "winner", SIDES)),
        ),
        {
            "label": Fault('"tie"', '"maybe"'),
            "twice": Fault('"i1"', '"i0"'),
            "column": Fault('"model_b": "y"', '"model_c": "y"'),
            "number": Fault('"margin": 2', '"margin": "two"'),
        },
    ),
    "autoarena": Case(
        file_of("v.csv", to_table(votes_of("model_a", "model_b", "winner", ("A", "B", "-")))),
        _of_votes(Fault(",-,", ",=,"), Fault("winner", "who", skip=False)),
    ),
    "fastchat/votes": Case(
        file_of(
            "v.json",
            json.dumps(votes_of("model_a", "model_b", "winner", SIDES)),
        ),
        {
            "label": Fault('"tie"', '"maybe"'),
            "twice": Fault('"i1"', '"i0"'),
            "column": Fault('"model_b": "y"', '"model_c": "y"'),
            "number": Fault('"margin": 2', '"margin": "two"'),
        },
        alike=WHOLE,
    ),
    "fastchat": Case(
        folder_of(theirs.write_fastchat),
        {
            "label": Fault('"tie"', '"draw"', file="model_judgment/umpire_pair.jsonl"),
            "twice": Fault('"question_id": 81', '"question_id": 80'),
            "column": Fault('"model_id"', '"who"'),
            "number": Fault(
                '"score": 7', '"score": "7"', file="model_judgment/umpire_single.jsonl"
            ),
        },
        file="model_answer/ann.jsonl",
    ),
    "alpacaeval": Case(
        folder_of(theirs.write_alpacaeval),
        {
            "label": "a preference is a number",
            "twice": Fault(theirs.ASKED[1], theirs.ASKED[0]),
            "column": Fault('"generator"', '"who"'),
            "number": Fault("1.125", '"1.125"', file="runs/ben_b/weigher/annotations.json"),
        },
        file="runs/ann/model_outputs.json",
        alike=WHOLE,
    ),
    "alpacaeval/votes": Case(
        folder_of(preferences),
        {
            "label": "a preference is a number",
            "twice": Fault("1,ann", "0,ann"),
            "column": Fault("preference", "pref", skip=False),
            "number": Fault("1.75", "more"),
        },
    ),
    "arena-hard": Case(
        folder_of(theirs.write_arena_hard),
        {
            "label": Fault("A=B", "A~B", file="model_judgment/umpire/ben_b.jsonl"),
            "twice": Fault('"uid": "q1"', '"uid": "q0"'),
            "column": Fault('"model"', '"who"'),
            "number": "its games have labels, and no numbers",
        },
        file="model_answer/ann.jsonl",
    ),
    "evalscope": Case(
        folder_of(theirs.write_evalscope),
        {
            "label": Fault(
                "A=B", "A~B", file="reviews/Arena/general_arena_little&qa@ann&ben.jsonl"
            ),
            "twice": Fault('"group_id": 1', '"group_id": 0'),
            "column": Fault('"index": 1', '"nr": 1'),
            "number": Fault('"acc": 1.0', '"acc": "1.0"'),
        },
        file="reviews/ann/little_qa.jsonl",
    ),
    "inspect": Case(
        folder_of(theirs.write_inspect),
        {
            "label": "a scorer may say any word: what stands for no number is unread",
            "twice": Fault('"epoch": 2', '"epoch": 1'),
            "column": Fault('"id"', '"name"'),
            "number": Fault('"epoch": 2', '"epoch": "2"'),
        },
        file="ann.json",
        alike=WHOLE,
    ),
    "inspect/archive": Case(
        folder_of(theirs.write_inspect),
        {
            "label": "a scorer may say any word: what stands for no number is unread",
            "twice": Fault('"epoch": 2', '"epoch": 1'),
            "column": Fault('"id"', '"name"'),
            "number": Fault('"epoch": 2', '"epoch": "2"'),
        },
        file="ben.eval",
        alike=WHOLE,
    ),
    "arena": Case(
        file_of("v.csv", to_table(votes_of("agent_a", "agent_b", "outcome", ("a", "b", "tie")))),
        _of_votes(Fault("tie", "maybe"), Fault("agent_b", "who", skip=False)),
    ),
    "arena/tables": Case(
        tables,
        {
            "label": Fault('"outcome":"a"', '"outcome":"x"', file="verdict.jsonl"),
            "twice": "the same row twice is one row",
            "column": Fault('"criterion"', '"what"'),
            "number": Fault('"value":', '"value":"one","was":'),
        },
        file="score.jsonl",
        alike={"cut": True, "encoding": True},
    ),
}
"""By format; what stands behind a stroke is another way in of the same one."""
