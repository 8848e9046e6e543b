"""Suites of multiple choice: tables in their layouts, the prompt, and what is refused."""

import json
import shutil
from pathlib import Path

import pytest

from arena.domain.choice import ChoicePlay
from arena.domain.words import Words
from arena.errors import ConfigError
from arena.suites.load import check_suite, load_suite
from arena.suites.mistakes import every, place_of
from tests.support.shared import shared_data

SHIPPED = Path(__file__).parents[2] / "data" / "suites" / "ceval"
HEAD = "id,question,A,B,C,D,answer,explanation\n"
SPLITS = ("dev", "val", "test")


def table(*answers, start=0):
    return HEAD + "".join(
        f"{n},Q{n}____,a{n},b{n},c{n},d{n},{answer},because {n}\n"
        for n, answer in enumerate(answers, start=start)
    )


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "exam"
    folder.mkdir()
    (folder / "logic_dev.csv").write_text(table("A", "B", start=10), encoding="utf-8")
    (folder / "logic_val.csv").write_text(table("C", "D", "A"), encoding="utf-8")
    return folder


def load(data, **play):
    return load_suite(SHIPPED, ChoicePlay(**{"few_shot": 2, **play}), data=data)


def complaint(data, **play):
    with pytest.raises(ConfigError) as caught:
        load(data, **play)
    return str(caught.value)


def test_the_prompt_goes_introduction_examples_question_demand(data):
    (shown,) = load(data).scenarios[0].turns
    order = [
        "逻辑学",
        "Q10",
        "A. a10",
        "解析：because 10",
        "答案：A",
        "Q11",
        "答案：B",
        "Q0",
        "D. d0",
    ]
    places = [shown.index(text) for text in order]
    assert places == sorted(places)
    assert shown.endswith("最后一行只写“答案：X”。")
    assert "because 0" not in shown
    assert not any(mark in shown for mark in ("{shots}", "{question}", "{choices}", "{answer}"))


def test_without_examples_only_they_are_left_out(data):
    with_two, bare = (load(data, few_shot=n).scenarios[0].turns[0] for n in (2, 0))
    assert "Q10" not in bare
    assert "例题" not in bare
    assert "\n\n\n" not in bare
    start, end = with_two.index("先看"), with_two.index("请回答")
    assert bare == with_two[:start] + with_two[end:]


def test_what_is_shown_hangs_on_template_and_examples(data):
    digests = {
        suite.shown_digest(suite.scenarios[0], suite.default_mode)
        for suite in (load(data, few_shot=n) for n in (0, 1, 2))
    }
    assert len(digests) == 3


def test_braces_in_a_question_stay_as_they_are(data):
    text = table("A", "B").replace("Q0____", "{shots} {answer} {subject} \\frac{1}{2}")
    (data / "logic_val.csv").write_text(text, encoding="utf-8")
    assert "{shots} {answer} {subject} \\frac{1}{2}" in load(data).scenarios[0].turns[0]


def test_an_example_without_explanation_has_no_line_for_it(data):
    text = table("A", "B", start=10).replace("because 10", "")
    (data / "logic_dev.csv").write_text(text, encoding="utf-8")
    shown = load(data).scenarios[0].turns[0]
    assert shown.count("解析：") == 1


@pytest.mark.parametrize("layout", ["flat", "folders", "lines"])
def test_every_layout_is_the_same_suite(data, layout):
    before = load(data).digest()
    for split in ("dev", "val"):
        path = data / f"logic_{split}.csv"
        if layout == "folders":
            (data / split).mkdir()
            path.rename(data / split / path.name)
        elif layout == "lines":
            names, *rows = (line.split(",") for line in path.read_text("utf-8").splitlines())
            lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
            path.with_suffix(".jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
            path.unlink()
    assert load(data).digest() == before


def test_quoted_cells_carriage_returns_and_a_mark_are_read(data):
    text = "\ufeff" + HEAD + '0,"a, ""b""\nc",1,2,3,4, B ,\n'
    (data / "logic_val.csv").write_bytes(text.replace("\n", "\r\n").encode())
    suite = load(data)
    assert 'a, "b"\nc' in suite.scenarios[0].turns[0]
    assert suite.choice.answers == {"logic-0": "B"}


def test_the_split_without_answers_has_no_key(data):
    head = HEAD.replace(",answer,explanation", "")
    (data / "logic_test.csv").write_text(head + "0,Q,a,b,c,d\n", encoding="utf-8")
    suite = load(data, split="test")
    assert suite.choice.answers == {}
    assert len(suite.scenarios) == 1
    assert suite.default_mode != load(data).default_mode


def test_answers_of_a_test_split_are_never_used(data):
    (data / "logic_test.csv").write_text(table("A", "B"), encoding="utf-8")
    assert load(data, split="test").choice.answers == {}


def test_the_key_is_part_of_the_suite_and_not_of_what_is_shown(data):
    one = load(data)
    (data / "logic_val.csv").write_text(table("D", "D", "A"), encoding="utf-8")
    two = load(data)
    shown = [[s.shown_digest(x, s.default_mode) for x in s.scenarios] for s in (one, two)]
    assert shown[0] == shown[1]
    assert one.digest() != two.digest()


def test_a_subject_that_nobody_named_keeps_its_name(data):
    for split in ("dev", "val"):
        (data / f"logic_{split}.csv").rename(data / f"tea_{split}.csv")
    suite = load(data)
    assert suite.domains[0].name == Words(zh="tea", en="tea")
    assert set(suite.choice.categories.values()) == {"Other"}
    names = {"tea": ["Tea", "茶", "Humanities"]}
    (data / "subject_mapping.json").write_text(json.dumps(names), encoding="utf-8")
    suite = load(data)
    assert suite.domains[0].name == Words(zh="茶", en="Tea")
    assert set(suite.choice.categories.values()) == {"Humanities"}


def test_a_column_category_wins(data):
    text = "id,category,question,A,B,C,D,answer\n1,数学,Q,a,b,c,d,A\n"
    (data / "logic_val.csv").write_text(text, encoding="utf-8")
    suite = load(data)
    assert suite.choice.categories == {"logic-1": "数学"}
    assert suite.scenarios[0].tags == ("数学",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD, "no question in it"),
        ("", "the heading needs"),
        (HEAD.replace(",D,", ",") + "0,Q,a,b,c,A,e\n", "the heading needs"),
        (HEAD + "0,Q,a,b,c,d,A\n", ":2: 7 cells where the heading has 8"),
        (HEAD + '0,"Q\nQ",a,b,c,d,A,\n1,Q,a\n', ":4: 3 cells"),
        (HEAD + "0,Q,a,b,c,d,,\n", ":2: question 0 has no answer"),
        (HEAD + "0,Q,a,b,c,d,E,\n", ":2: `answer`"),
        (HEAD + "0,Q,a,b,c,d,AB,\n", ":2: `answer`"),
        (HEAD + "0,Q,a,b,c, ,A,\n", ":2: option D is empty"),
        (HEAD + "0,Q,a,b,c,d,A,\n0,R,a,b,c,d,A,\n", ":3: question 0 is already at"),
        (HEAD + "../x,Q,a,b,c,d,A,\n", ":2: `scenario`"),
        (HEAD + '0,"Q,a,b,c,d,A,\n', "not valid CSV"),
    ],
)
def test_a_mistake_in_a_table_is_named_with_its_line(data, text, said):
    (data / "logic_val.csv").write_text(text, encoding="utf-8")
    found = complaint(data)
    assert said in found
    assert "logic_val.csv" in found


def test_questions_with_several_answers_are_refused(data):
    (data / "logic_val.csv").unlink()
    row = {"id": "1", "question": "Q", **dict.fromkeys("ABCD", "x"), "answer": ["A", "C"]}
    (data / "logic_val.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert "several answers" in complaint(data)


def test_too_few_examples_a_wrong_subject_and_two_files_are_refused(data):
    assert "2 worked examples for logic" in complaint(data, few_shot=3)
    assert "Did you mean logic" in complaint(data, subjects=("logik",))
    assert "no questions in it" in complaint(data, split="test")
    (data / "val").mkdir()
    shutil.copy(data / "logic_val.csv", data / "val")
    assert "already read from" in complaint(data)


def test_a_subject_of_the_hard_list_that_nothing_knows_is_an_error_at_its_line(data, tmp_path):
    own = tmp_path / "ceval"
    shutil.copytree(SHIPPED, own)
    head = own / "suite.yaml"
    text = head.read_text("utf-8").replace("- college_physics", "- colege_physics")
    head.write_text(text.replace("- college_chemistry", "- tea"), encoding="utf-8")
    lines = head.read_text("utf-8").splitlines()
    places = [1 + lines.index(f"  - {name}") for name in ("colege_physics", "tea")]
    found = every(check_suite(own).mistakes)
    assert [place_of(error) for error in found] == [(str(head), n) for n in places]
    assert "`hard` names no subject: colege_physics\nDid you mean college_physics?" in str(found[0])
    with pytest.raises(ConfigError, match="colege_physics"):
        load_suite(own, ChoicePlay(few_shot=2), data=data)
    # Without a list of subjects, the tables of any split tell which there are.
    head.write_text(text.replace("colege_physics", "logic"), encoding="utf-8")
    (own / "subjects.json").unlink()
    assert "advanced_mathematics" in str(check_suite(own).mistakes[0])
    only = "".join(text.partition("hard:\n")[:2]) + "  - logic\n  - law\n"
    head.write_text(only, encoding="utf-8")
    (own / "law_test.csv").write_text(table("A"), encoding="utf-8")
    assert check_suite(own).mistakes == ()


def test_a_file_that_leads_out_of_the_folder_is_refused(data, tmp_path):
    outside = tmp_path / "law_val.csv"
    outside.write_text(table("A"), encoding="utf-8")
    (data / "law_val.csv").symlink_to(outside)
    assert "leads out of" in complaint(data)


def test_a_file_that_names_no_subject_is_refused(data):
    shutil.copy(data / "logic_val.csv", data / "Über Log_val.csv")
    assert "gives no subject" in complaint(data)


def test_our_own_questions_cover_four_categories_and_the_hard_subset():
    suite = load_suite(SHIPPED)
    assert len(suite.domains) >= 8
    assert set(suite.choice.categories.values()) == set(suite.choice.names)
    assert suite.choice.few_shot == 5
    for domain in suite.domains:
        own = [s for s in suite.scenarios if s.domain == domain.domain]
        assert len(own) >= 10
        assert len({suite.choice.answers[s.scenario] for s in own}) == 4
    assert any("hard" in s.tags for s in suite.scenarios)


def test_subjects_narrow_a_suite_in_the_tables_order():
    suite = load_suite(SHIPPED, ChoicePlay(subjects=("logic", "accountant")))
    assert [d.domain for d in suite.domains] == ["accountant", "logic"]


@pytest.fixture
def real(tmp_path):
    """Six real subjects as they are published: a folder for each split."""
    sample = shared_data("ceval-format") / "ceval-exam-sample"
    for split in SPLITS:
        (tmp_path / split).mkdir()
        for path in sample.glob(f"*_{split}.csv"):
            shutil.copy(path, tmp_path / split)
    return tmp_path


def test_six_real_subjects_are_read_whole(real):
    suite = load(real, few_shot=5)
    counts = {}
    for name in suite.choice.answers:
        subject = name.rsplit("-", 1)[0]
        counts.setdefault(subject, []).append(suite.choice.answers[name])
    tally = {s: [own.count(letter) for letter in "ABCD"] for s, own in counts.items()}
    assert tally["physician"] == [13, 11, 11, 14]
    assert tally["logic"] == [4, 5, 5, 8]
    assert tally["basic_medicine"] == [1, 6, 4, 8]
    assert {s: len(own) for s, own in counts.items()} == {
        "advanced_mathematics": 19,
        "basic_medicine": 19,
        "clinical_medicine": 22,
        "computer_network": 19,
        "logic": 22,
        "physician": 49,
    }
    for scenario in suite.scenarios:
        assert scenario.turns[0].count("答案：") == 5 + 2
        assert scenario.turns[0].count("解析：") >= 5
    assert len(load(real, few_shot=5, split="test").scenarios) == 171


def test_our_map_of_subjects_is_the_published_one():
    theirs = shared_data("ceval-format") / "ceval_subject_mapping.json"
    ours = json.loads((SHIPPED / "subjects.json").read_text(encoding="utf-8"))
    assert ours == json.loads(theirs.read_text(encoding="utf-8"))


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_the_layout_of_evalscope_is_read(tmp_path, suffix):
    source = shared_data("ceval-format")
    for split in ("dev", "val"):
        name = f"example_{split}.{suffix}"
        shutil.copy(source / f"evalscope_{name}", tmp_path / name)
    suite = load(tmp_path, few_shot=1)
    assert suite.scenarios
    assert set(suite.choice.answers) == {s.scenario for s in suite.scenarios}
