"""The script as a file: what a spreadsheet does to it, hostile turns, paper, and refusals."""

import csv

import pytest

from tests.e2e.by_hand import COLUMNS, TURNS, brought, dialogues, exported


def as_csv(sheet, path, changed=None, encoding="utf-8-sig", newline="\r\n"):
    with path.open("w", encoding=encoding, newline="") as stream:
        writer = csv.writer(stream, lineterminator=newline)
        for row in sheet.table.iter_rows(values_only=True):
            writer.writerow([(changed or {}).get(value, value) for value in row])
    return path


def test_the_same_table_comes_back_as_csv(ready):
    sheet = exported(ready).fill()
    long = '=HYPERLINK("x"), "quoted"\nand\x07 ' + "长" * 40_000
    path = as_csv(sheet, ready.root / "script.csv", {"Answer 1 of S-1.": long})
    done = brought(ready, path)
    assert done.code == 0, done
    assert dialogues(ready)["S-1", 1][1][1].startswith('=HYPERLINK("x"), "quoted"\nand')
    assert len(dialogues(ready)["S-1", 1][1][1]) > 40_000


def test_csv_in_another_encoding_is_refused_with_how_to_save_it(ready):
    sheet = exported(ready).fill()
    done = ready.run(
        "import", "script", str(as_csv(sheet, ready.root / "s.csv", encoding="gb18030"))
    )
    assert done.code == 2
    assert "line 1 is not UTF-8" in done.err
    assert "CSV UTF-8" in done.err


HOSTILE = [
    '=HYPERLINK("http://x","y")',
    "+1 what now?",
    "-5 degrees, what now?",
    "@home what now?",
    "\tTab first",
    "<script>alert(1)</script> </pre> what now?",
    "\x0bBell\x07 and null?",
    "药 💊 _x000D_ 怎么吃",
]


def test_hostile_turns_stay_text_and_come_back(ready):
    ready.write_suite(scenarios=1, turns=TURNS, scenario_1={"turns": HOSTILE})
    sheet = exported(ready)
    for row, _, number in sheet.rows():
        cell = sheet.cell(row, "paste")
        assert cell.data_type == "s"
        assert (cell.quotePrefix, cell.number_format) == (True, "@")
        assert cell.protection.locked
        if number < 6:
            assert cell.value == HOSTILE[number - 1]
    done = brought(ready, sheet.fill().save())
    assert done.code == 0, done
    assert [text for role, text in dialogues(ready)["S-1", 1] if role == "user"] == HOSTILE


def test_a_turn_too_long_for_a_cell_is_refused_before_anybody_is_sent(ready):
    ready.write_suite(scenarios=1, turns=1, scenario_1={"turns": ["x" * 32_768]})
    done = ready.run("export", "script", str(ready.root / "s.xlsx"))
    assert done.code == 2
    assert "scenario S-1: a turn of 32768 characters does not fit" in done.err
    assert not (ready.root / "s.xlsx").exists()


def test_the_sheet_can_be_worked_with(ready):
    sheet = exported(ready)
    table = sheet.table
    assert table.protection.sheet
    assert table.freeze_panes == "A2"
    row = sheet.row("S-1", 1)
    free = {"answer", "parts", "who", "when", "version", "remark"}
    assert {n for n in COLUMNS if not sheet.cell(row, n).protection.locked} == free
    hidden = {n for n in COLUMNS if table.column_dimensions[sheet.cell(1, n).column_letter].hidden}
    assert hidden == {"suite", "mode", "agent", "of_version", "shown"}
    assert all(table.row_dimensions[r].height >= 30 for r, _, _ in sheet.rows())
    told = [cell.value for (cell,) in sheet.book["说明 instructions"].iter_rows()]
    # The suite's language stands first.
    assert told[0].startswith("Script to follow by hand: homebot (version 3.2)")
    assert any(text.startswith("人工对话脚本：homebot（版本 3.2）") for text in told)
    again = ready.run("export", "script", str(sheet.path))
    assert again.code == 2
    assert "is there already" in again.err


def test_the_page_is_for_paper_and_nothing_in_it_runs(ready):
    ready.write_suite(scenarios=1, turns=TURNS, scenario_1={"turns": HOSTILE})
    path = ready.root / "script.html"
    done = ready.run("export", "script", str(path), "--json")
    assert done.code == 0
    assert done.document["turns"] == len(HOSTILE)
    page = path.read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &lt;/pre&gt;" in page
    assert "Answers come back in the .xlsx" in page
    assert "回答请填进同一命令写出的 .xlsx" in page
    assert "default-src 'none'" in page
    assert page.count("<h2") == 1
    assert page.count("<pre>") == len(HOSTILE)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "script", "s.pdf"), "a script is written as .xlsx or .html"),
        (("export", "script", "s.xlsx", "--agent", "plain"), "plain is not talked to by hand"),
        (
            ("export", "script", "s.xlsx", "--agent", "homebot", "--agent", "plain"),
            "a script is for one agent",
        ),
        (("export", "script", "s.xlsx", "--replicate", "9"), "nothing to export: no dialogue"),
        (("export", "ceval", "folder", "--replicate", "1"), "--replicate is for scripts"),
        (("import", "script"), "name the script to import"),
        (("import", "script", "nowhere.xlsx"), "nowhere.xlsx: no such file"),
        (("import", "script", "nowhere.csv"), "nowhere.csv: no such file"),
        (("import", "script", "s.xlsx", "--as", "x"), "--as does not go with"),
        (("import", "scenarios", "s.xlsx", "--skip-bad"), "--skip-bad does not go with"),
        (("import", "eldercare", ".", "--replicate", "2"), "--replicate does not go with"),
    ],
)
def test_what_cannot_be_is_refused_by_name(ready, words, said):
    done = ready.run(*words)
    assert done.code == 2, done
    assert said in done.err


def test_files_that_are_no_scripts_are_refused(ready):
    (ready.root / "x.xlsx").write_bytes(b"PK\x03\x04 no zip")
    (ready.root / "x.csv").write_text("a,b\n1,2\n", "utf-8")
    (ready.root / "empty.csv").write_text("", "utf-8")
    for name in ("x.xlsx", "x.csv", "empty.csv", "x.txt"):
        done = ready.run("import", "script", str(ready.root / name))
        assert done.code == 2, done
        assert "unexpected" not in done.err
