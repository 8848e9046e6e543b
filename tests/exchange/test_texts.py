"""Formats with texts, read and refused: each label, each fault, each published figure."""

import json
import zipfile
from collections import Counter

import pytest

from arena.domain.call import Status
from arena.errors import ConfigError
from arena.exchange import evalscope_reports, lines
from arena.exchange.alpacaeval_figures import figures_of_folder
from arena.exchange.arena_hard import read_label
from arena.exchange.arena_hard_write import label
from arena.exchange.format import ReadHow
from arena.exchange.formats import FORMATS
from arena.exchange.inspect_files import ZSTANDARD, open_log
from arena.exchange.inspect_read import value_of
from arena.exchange.samples import scale_of
from arena.stages.take_in.take_in import look_through
from tests.support import foreign_texts as theirs
from tests.support.shared import shared_data


@pytest.mark.parametrize(
    ("said", "won"),
    [
        ("A>>B", ("first", 3)),
        ("A>B", ("first", 1)),
        ("A=B", ("tie", None)),
        ("B=A", ("tie", None)),
        ("A<B", ("second", 1)),
        ("A<<B", ("second", 3)),
        ("B>A", ("second", 1)),
        ("B>>A", ("second", 3)),
        ("B<A", ("first", 1)),
        ("B<<A", ("first", 3)),
        ("A>A", None),
        ("A>>>B", None),
        ("", None),
        (None, None),
        (1, None),
    ],
)
def test_a_label_says_who_won_whichever_way_it_is_written(said, won):
    assert read_label(said) == won
    if won:
        assert read_label(label(*won)) == won


@pytest.mark.parametrize(
    ("preference", "winner"),
    [(1, "first"), (1.49, "first"), (1.5, "tie"), (0, "tie"), (2, "second"), (1.501, "second")],
)
def test_a_preference_is_a_winner_and_is_kept_itself(read, tmp_path, preference, winner):
    path = theirs.save(tmp_path / "annotations.json", [theirs.annotation(0, preference)])
    (verdict,) = read("alpacaeval", path).verdicts
    assert (verdict.first, verdict.second, verdict.winner) == ("ann", "ben/b", winner)
    assert verdict.ordered is False
    assert json.loads(verdict.raw)["preference"] == preference


@pytest.mark.parametrize("preference", [None, -1])
def test_a_judge_without_a_preference_is_no_tie(read, tmp_path, preference):
    path = theirs.save(tmp_path / "annotations.json", [theirs.annotation(0, preference)])
    (verdict,) = read("alpacaeval", path).verdicts
    assert (verdict.winner, verdict.status) == (None, Status.UNPARSED)


@pytest.mark.parametrize(
    ("rows", "bad"),
    [
        ([theirs.annotation(0, "1.5")], "bad_preference"),
        ([theirs.annotation(0, True)], "bad_preference"),
        ([theirs.annotation(0, 2.5)], "bad_preference"),
        ([theirs.annotation(0, 1), theirs.annotation(0, 2)], "repeated"),
        ([theirs.annotation(0, 1, instruction=" ")], "missing_field"),
        ([theirs.annotation(0, 1, generator_1=None)], "missing_field"),
        ([theirs.output("ann", 0), theirs.output("ann", 0)], "repeated"),
        ([{**theirs.output("ann", 0), "output": 7}], "missing_field"),
        ([7], "malformed"),
    ],
)
def test_a_wrong_annotation_is_named_and_no_record(read, tmp_path, rows, bad):
    path = theirs.save(tmp_path / "x.json", rows)
    found = read("alpacaeval", path)
    assert found.bad.first == {bad: f"x.json:{len(rows)}"}


PAIR = theirs.bench_pair(0, 2, "tie", "tie")
GAMES = theirs.hard_judgment(0, "A>B", "A=B")
REVIEW = theirs.review("ann", 0, 1.0)


@pytest.mark.parametrize(
    ("format", "row", "bad"),
    [
        ("fastchat", {**PAIR, "g1_winner": "model_3"}, "unknown_outcome"),
        ("fastchat", {**PAIR, "g1_winner": ["tie"]}, "unknown_outcome"),
        ("fastchat", {**PAIR, "model_2": "ann"}, "self_pair"),
        ("fastchat", {**PAIR, "turn": "2"}, "missing_field"),
        ("fastchat", {**PAIR, "question_id": None}, "missing_field"),
        ("fastchat", {**theirs.bench_single("ann", 0, 1, 7), "score": "7"}, "not_a_number"),
        ("fastchat", {**theirs.bench_answer("ann", 0), "choices": "x"}, "missing_field"),
        ("fastchat", {"question_id": 1}, "not_a_result"),
        ("arena-hard", {**GAMES, "games": [theirs.game("A>C"), None]}, "unknown_outcome"),
        ("arena-hard", {**GAMES, "games": [theirs.game(["A>B"]), None]}, "unknown_outcome"),
        ("arena-hard", {**GAMES, "games": [None]}, "missing_field"),
        ("arena-hard", {**GAMES, "games": [7, None]}, "malformed"),
        ("arena-hard", {**GAMES, "baseline": "ben/b"}, "self_pair"),
        ("arena-hard", {**theirs.hard_answer("ann", 0), "messages": 3}, "missing_field"),
        ("arena-hard", {"uid": "q0"}, "not_a_result"),
        ("evalscope", {**REVIEW, "index": "0"}, "not_a_number"),
        ("evalscope", {"messages": []}, "missing_field"),
        (
            "evalscope",
            {"index": 0, "sample_score": {"score": {"value": {"acc": "1.0"}}}},
            "not_a_number",
        ),
    ],
)
def test_a_wrong_line_is_named_and_no_record(read, tmp_path, format, row, bad):
    path = theirs.save_lines(tmp_path / "x.jsonl", [row])
    found = read(format, path)
    assert found.bad.first == {bad: "x.jsonl:1"}
    assert len(found.transcripts) == len(found.sheets) == len(found.verdicts) == 0


@pytest.mark.parametrize("format", ["fastchat", "arena-hard", "evalscope"])
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"a": "\xff"}\n', "x.jsonl:1"),
        (b'{"question_id": 1}\n{"uid": "\xb0\xa1"}\n', "x.jsonl:2"),
    ],
)
def test_another_encoding_is_told_with_its_line(read, tmp_path, format, raw, said):
    path = tmp_path / "x.jsonl"
    path.write_bytes(raw)
    with pytest.raises(ConfigError) as told:
        read(format, path)
    place = f"{told.value.facts['path'].name}:{told.value.facts['line']}"
    assert place == said


def test_unknown_is_no_number_and_a_scale_holds_what_was_seen():
    said = {"C": 1, "P": 0.5, "I": 0, "N": None, "yes": None, "7": None, True: 1.0, 0.25: 0.25}
    assert {value: value_of(value) for value in said} == said
    assert value_of([1]) is None
    assert [scale_of(v) for v in ([], [0.5], [3], [55], [-1, 0.5], [120.5])] == [
        (0, 1),
        (0, 1),
        (0, 10),
        (0, 100),
        (-1, 1),
        (120, 121),
    ]


def test_an_answer_without_a_mark_is_unread_and_tools_are_counted(read, tmp_path):
    found = read("inspect", theirs.write_inspect(tmp_path / "logs"))
    sheets = {(s.agent, s.scenario, s.replicate): s for s in found.sheets}
    first = sheets["ann", "river", 1]
    assert {s.criterion: s.value for s in first.scores} == {"match": 1, "f1_p": 0.25, "f1_r": 1}
    assert first.judge == "match + f1"
    unread = [s for s in found.sheets if s.status is Status.UNPARSED]
    assert [s.scores for s in unread] == [(), ()]
    transcript = next(iter(found.transcripts))
    assert [m.role for m in transcript.messages] == ["system", "user", "assistant"]
    assert transcript.messages[-1].text == "Let me look.\n\nThe Po."
    assert found.left_out.counts["tool_messages"] == 6


def archive(tmp_path, **how):
    log = theirs.inspect_log("ann", theirs.inspect_samples("ann"))
    return theirs.write_eval(tmp_path / "x.eval", log, **how)


@pytest.mark.parametrize("name", ["../x.json", "samples/../../x.json", "/x.json", "a\\..\\x"])
def test_an_archive_that_names_a_file_outside_is_refused(read, tmp_path, name):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    path = archive(deep, names=[name, "samples/a.json", "samples/b.json"])
    with pytest.raises(ConfigError, match="outside"):
        read("inspect", path)
    assert sorted(p for p in tmp_path.rglob("*") if p.is_file()) == [path]


def test_an_archive_that_unfolds_to_more_than_it_may_is_refused(read, tmp_path):
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as stream:
        stream.writestr("header.json", '{"eval": {"model": "x"}}')
        stream.writestr("samples/a.json", bytes(lines.LONGEST + 1))
    assert path.stat().st_size < 1_000_000
    with pytest.raises(ConfigError, match="MB"):
        read("inspect", path)


@pytest.mark.parametrize("kind", ["cut", "text", "no head", "json", "unpacking"])
def test_a_broken_log_is_told_by_name(read, tmp_path, kind):
    path = archive(tmp_path)
    whole = path.read_bytes()
    if kind == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif kind == "text":
        path.write_bytes(b"no archive")
    elif kind == "no head":
        with zipfile.ZipFile(path, "w") as stream:
            stream.writestr("samples/a.json", "{}")
    elif kind == "json":
        with zipfile.ZipFile(path, "a") as stream:
            stream.writestr("samples/cut.json", "{")
    else:
        # A member that claims a packing which it does not have.
        number = ZSTANDARD.to_bytes(2, "little")
        start = whole.index(b"PK\x01\x02")
        path.write_bytes(whole[: start + 10] + number + whole[start + 12 :])
    with pytest.raises(ConfigError, match=r"x\.eval"):
        read("inspect", path)


@pytest.mark.parametrize("document", ["[]", "{}", '{"eval": 3}'])
def test_what_is_no_log_is_refused_where_it_was_named(read, tmp_path, document):
    path = tmp_path / "x.json"
    path.write_text(document, "utf-8")
    with pytest.raises(ConfigError, match="no log of Inspect"):
        read("inspect", path)
    with open_log(path, "x", []) as (log, samples):
        assert list(samples) == []
        assert not log.get("samples")


@pytest.mark.parametrize("format", list(theirs.WRITERS))
def test_an_empty_folder_makes_no_suite(tmp_path, format):
    with pytest.raises(ConfigError):
        FORMATS[format].suite.read(tmp_path)


@pytest.mark.parametrize("format", ["fastchat", "arena-hard"])
@pytest.mark.parametrize("line", ["{}", "7", '{"uid": 3, "prompt": "x"}', ""])
def test_a_wrong_question_is_told_with_its_line(tmp_path, format, line):
    path = theirs.WRITERS[format](tmp_path) / "question.jsonl"
    first = path.read_text("utf-8").splitlines()[0] if line else ""
    path.write_text(f"{first}\n{line}\n", "utf-8")
    with pytest.raises(ConfigError) as told:
        FORMATS[format].suite.read(tmp_path)
    assert str(told.value.facts["line"]) == ("2" if line else "1")


def test_an_overall_figure_is_the_mean_of_its_subsets(tmp_path):
    theirs.write_report(tmp_path)
    ((figure,),) = [run.figures for run in evalscope_reports.figures(tmp_path)]
    assert figure.counted == pytest.approx(0.36175, abs=5e-6)
    assert figure.published == 0.3617
    assert figure.agrees is True
    theirs.write_report(tmp_path, overall=0.3697)
    assert evalscope_reports.figures(tmp_path)[0].agrees is False


def test_win_rates_of_a_folder_stand_beside_the_published_ones(tmp_path):
    rows = [theirs.annotation(0, 1.75), theirs.annotation(1, 1)]
    place = tmp_path / "results" / "ben" / "weigher"
    theirs.save(place / "annotations.json", rows)
    board = place / "leaderboard.csv"
    board.write_text(",win_rate,standard_error\nben,37.5,37.5\n", "utf-8")
    (run,) = figures_of_folder(tmp_path)
    assert [f.agrees for f in run.figures] == [True, True]
    # The folder and the file name the model in two ways.
    assert run.otherwise == (("weigher · ben", "ben", "ben/b"),)
    board.write_text(",win_rate\nben,37.6\n", "utf-8")
    assert [f.agrees for f in figures_of_folder(tmp_path)[0].figures] == [False, None]


def test_the_games_of_a_real_file_make_the_counted_wins(suites, tmp_path):
    folder = shared_data("ja-vicuna")
    suite = suites("fastchat", folder)
    found = FORMATS["fastchat"].results.read(folder, suite, ReadHow())
    assert look_through(found, suite).ready == {"transcript": 160, "sheet": 0, "verdict": 160}
    games = {}
    for v in found.verdicts:
        won = "tie" if v.winner == "tie" else v.first if v.winner == "first" else v.second
        games.setdefault(v.scenario, []).append(won)
    both = Counter(a if a == b else "tie" for a, b in games.values())
    assert sorted(both.values()) == [12, 12, 56]
    assert both["cyberagent--calm2-7b-chat"] == 56
