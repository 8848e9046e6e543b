"""A table of scenarios becomes a suite's folder; what is missing is named by its cell."""

import csv
import json
import os

import pytest
from openpyxl import Workbook, load_workbook

from arena.errors import ConfigError, UsageError
from arena.exchange.headers import NAMES, header_of, recognise_header
from arena.exchange.keys import Keys
from arena.exchange.scenarios import FORMAT, read, sniff
from arena.exchange.sheets import column_letters
from arena.exchange.suite_folder import name_of, write_suite
from arena.exchange.template import EXAMPLE, write_template
from arena.stages.doctor import examine
from arena.suites.load import load_suite

CHINESE = ["编号", "领域", "类型", "标题", "人物", "背景", "第1轮", "第2轮", "评分提示", "常见失手",
           "险情", "标签"]  # fmt: skip
ENGLISH = ["scenario", "domain", "archetype", "title", "persona", "context", "turn_1", "turn_2",
           "notes", "failure_mode", "red_flags", "tags"]  # fmt: skip
ROWS = [
    ["A-1", "健康", "对话", "麻了的手", "一位老人", "中风", "手麻了。", "嘴也歪了。", "立即就医。",
     "让他等。",
     "急症@2：嘴歪\n跌倒：手麻", "中风，独居"],
    ["A-2", "骗局", "", "来电", "一位老人", "", "银行来电要验证码。", "", "不给。", "", "", ""],
]  # fmt: skip


def spreadsheet(path, rows, title="cases"):
    book = Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def plain(path, rows, encoding="utf-8", delimiter=","):
    with path.open("w", encoding=encoding, newline="") as stream:
        csv.writer(stream, delimiter=delimiter).writerows(rows)
    return path


@pytest.mark.parametrize(
    "names", [CHINESE, ENGLISH, [f"{a} / {b}" for a, b in zip(CHINESE, ENGLISH, strict=True)]]
)
@pytest.mark.parametrize("kind", ["xlsx", "csv"])
def test_a_table_with_chinese_or_english_columns_is_a_sound_suite(tmp_path, names, kind):
    write = spreadsheet if kind == "xlsx" else plain
    path = write(tmp_path / f"cases.{kind}", [names, *ROWS])
    assert sniff(path)
    cases = read(path)
    assert cases.unused == ()
    folder = tmp_path / "my-suite"
    write_suite(cases, folder, source=path)
    report = examine(folder)
    assert report.errors == ()
    assert [w.facts["path"].name for w in report.warnings] == ["scripted.yaml"]
    suite = load_suite(folder)
    assert (suite.suite, suite.language) == ("my-suite", "zh")
    first, second = suite.scenarios
    assert first.turns == ("手麻了。", "嘴也歪了。")
    assert second.turns == ("银行来电要验证码。",)
    assert [(f.sign, f.turn) for f in first.red_flags] == [("嘴歪", 2), ("手麻", 1)]
    assert [f.name.zh for f in suite.red_flags] == ["急症", "跌倒"]
    assert first.tags == ("中风", "独居")
    assert [d.name.zh for d in suite.domains] == ["健康", "骗局"]
    assert [a.archetype for a in suite.archetypes] == ["conversation"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_csv_file_is_read_as_spreadsheets_save_it(tmp_path, encoding, delimiter):
    path = plain(tmp_path / "c.csv", [CHINESE, *ROWS], encoding, delimiter)
    assert [s.scenario for s in read(path).scenarios] == ["A-1", "A-2"]


def test_english_turns_make_an_english_suite(tmp_path):
    row = [
        "B-1",
        "Health worries",
        "",
        "T",
        "A man",
        "",
        "My chest is tight.",
        "Still.",
        "N",
        "",
        "",
        "",
    ]
    cases = read(plain(tmp_path / "c.csv", [ENGLISH, row]))
    assert cases.language == "en"
    assert list(cases.domains) == ["health_worries"]
    write_suite(cases, tmp_path / "s", source=tmp_path / "c.csv")
    assert load_suite(tmp_path / "s").rubrics["main"].criteria[0].question.startswith("Does")


@pytest.mark.parametrize("column", ["scenario", "domain", "title", "persona", "turn_1"])
def test_a_missing_cell_is_named_by_sheet_row_and_column(tmp_path, column):
    rows = [list(row) for row in ROWS]
    index = ENGLISH.index(column)
    rows[1][index] = "  "
    # An empty row above does not move the count.
    path = spreadsheet(tmp_path / "c.xlsx", [ENGLISH, rows[0], [], rows[1]])
    with pytest.raises(ConfigError) as found:
        read(path)
    letters = column_letters(index)
    assert str(found.value).startswith(
        f"{path}: sheet cases, row 4, column {letters} ({column}): the cell is empty"
    )


def test_every_mistake_of_a_table_is_told(tmp_path):
    rows = [
        ["A-1", "d", "", "t", "p", "", "one", "two", "", "", "fire: smoke", ""],
        ["a-1", "d", "", "t", "p", "", "one", "", "", "", "smoke without a colon", ""],
        ["A/2", "d", "", "t", "p", "", "one", "", "", "", "", ""],
        ["A-3", "d", "", "#REF!", "p", "", "one", "", "", "", "", ""],
    ]
    with pytest.raises(ConfigError) as found:
        read(plain(tmp_path / "c.csv", [ENGLISH, *rows]))
    told = [found.value, *found.value.others]
    assert [e.facts.get("row") for e in told] == [3, 3, None, 5]
    assert "c:4: `scenario`: 'A/2'" in str(told[2])
    assert "3 more mistake(s)" in str(found.value)


def test_a_gap_between_turns_is_a_missing_cell(tmp_path):
    names = [*ENGLISH, "turn_3"]
    row = ["A-1", "d", "", "t", "p", "", "one", "", "", "", "", "", "three"]
    with pytest.raises(ConfigError, match=r"row 2, column H \(turn_2\): the cell is empty"):
        read(plain(tmp_path / "c.csv", [names, row]))
    names[names.index("turn_2")] = "other"
    with pytest.raises(ConfigError, match="no column for: 第2轮 / turn_2"):
        read(plain(tmp_path / "c.csv", [names, row]))


def test_a_formula_counts_by_its_saved_result_only(tmp_path):
    rows = [list(row) for row in ROWS]
    rows[0][3] = '=CONCAT("a","b")'
    with pytest.raises(ConfigError, match=r"column D .*: the cell is empty"):
        read(spreadsheet(tmp_path / "c.xlsx", [ENGLISH, *rows]))


def test_columns_that_serve_as_nothing_are_told_and_two_for_one_refused(tmp_path):
    cases = read(plain(tmp_path / "c.csv", [[*ENGLISH, "remarks"], *[[*r, "x"] for r in ROWS]]))
    assert cases.unused == ("remarks",)
    with pytest.raises(ConfigError, match="two columns serve as one: 编号"):
        read(plain(tmp_path / "c.csv", [[*ENGLISH, "编号"], *[[*r, "x"] for r in ROWS]]))


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("c.xlsx", b"no zip"),
        ("c.xlsx", b"PK\x03\x04"),
        ("c.csv", b"\xff\xff\xff"),
        ("c.csv", b'scenario,domain\n"open'),
        ("c.csv", b""),
        ("c.xlsx", b""),
        ("c.txt", b"scenario"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, name, raw):
    path = tmp_path / name
    path.write_bytes(raw)
    assert not sniff(path)
    with pytest.raises(ConfigError):
        read(path)


def test_names_from_a_table_are_text_and_never_structure(tmp_path):
    evil = ']}, name: "x\n- \u2028 \x85 {jinja} \\ \U000e0001'
    row = ["A-1", evil, evil, evil, evil, evil, evil, evil, evil, evil, "", evil]
    path = spreadsheet(tmp_path / "c.xlsx", [ENGLISH, row])
    path = path.rename(tmp_path / "c {x} `$(id)` 题.xlsx")
    cases = read(path)
    write_suite(cases, tmp_path / "s", source=path)
    suite = load_suite(tmp_path / "s")
    assert suite.scenarios[0].turns[0] == suite.domains[0].name.zh == evil.strip()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([path.name, "s"])


@pytest.mark.parametrize("name", ["Upper", "a b", "题集", "-x"])
def test_a_folder_that_no_suite_can_be_called_is_refused(tmp_path, name):
    cases = read(plain(tmp_path / "c.csv", [ENGLISH, *ROWS]))
    with pytest.raises(UsageError):
        write_suite(cases, tmp_path / name, source=tmp_path / "c.csv")


def test_nothing_is_overwritten(tmp_path):
    path = plain(tmp_path / "c.csv", [ENGLISH, *ROWS])
    (tmp_path / "s").mkdir()
    with pytest.raises(ConfigError, match="nothing is overwritten"):
        write_suite(read(path), tmp_path / "s", source=path)
    assert list((tmp_path / "s").iterdir()) == []
    write_template(tmp_path / "t.xlsx")
    with pytest.raises(ConfigError, match="nothing is overwritten"):
        write_template(tmp_path / "t.xlsx")


def test_the_template_is_a_table_of_its_own_kind_with_every_column(tmp_path):
    path = tmp_path / "t.xlsx"
    write_template(path)
    assert sniff(path)
    (scenario,) = read(path).scenarios
    assert scenario.title.en == EXAMPLE["title_en"]
    assert set(scenario.notes) == {"natural", "lite"}
    assert {f for f in EXAMPLE if not f.startswith("turn_")} == set(NAMES)
    book = load_workbook(path)
    explained = {row[0].value for row in book.worksheets[1].iter_rows(min_row=2)}
    assert {header_of(f) for f in EXAMPLE} - explained == {"第2轮 / turn_2", "第3轮 / turn_3"}


@pytest.mark.parametrize(
    ("name", "field"),
    [("第一轮", "turn_1"), ("第十二轮", "turn_12"), ("第十轮", "turn_10"), ("Turn 3", "turn_3"),
     ("TURN_2", "turn_2"), ("Red Flags", "red_flags"), ("备注", None)],
)  # fmt: skip
def test_headers_are_known_in_either_spelling(name, field):
    assert list(recognise_header([name]).fields) == ([field] if field else [])


def test_keys_are_single_and_stay():
    keys = Keys("domain")
    made = {
        "Health worries": "health_worries",
        "健康": "domain_2",
        "Health  worries!": "health_worries_2",
        "骗局 / Scams": "scams",
        "Scams": "scams_2",
        "Ärzte": "arzte",
        "9": "domain_7",
    }
    assert {text: keys.of(text) for text in made} == made
    assert {text: keys.of(text) for text in reversed(made)} == made


def test_a_suite_is_named_after_its_file(tmp_path):
    assert FORMAT == "scenarios"
    assert name_of(tmp_path / "My Cases 2.xlsx") == "my-cases-2"
    with pytest.raises(UsageError):
        name_of(tmp_path / "题集.xlsx")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="rights do not hold here")
def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path):
    path = plain(tmp_path / "c.csv", [ENGLISH, *ROWS])
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(ConfigError, match="cannot be written"):
        write_suite(read(path), closed / "s", source=path)


def test_the_lines_of_a_made_suite_are_json_in_plain_text(tmp_path):
    path = plain(tmp_path / "c.csv", [ENGLISH, *ROWS])
    write_suite(read(path), tmp_path / "s", source=path)
    text = (tmp_path / "s" / "scenarios.jsonl").read_text("utf-8")
    assert "手麻了" in text
    assert [json.loads(line)["scenario"] for line in text.splitlines()] == ["A-1", "A-2"]
