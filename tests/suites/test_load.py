"""Loading a suite: mistakes are named with file, line, key and the nearest known key."""

import json
import os
import subprocess
import sys

import pytest

from arena.errors import ConfigError
from arena.suites.load import check_suite, load_script, load_suite
from arena.suites.mistakes import place_of


def complaint(folder, load=load_suite):
    with pytest.raises(ConfigError) as caught:
        load(folder.path)
    lines = str(caught.value).replace(str(folder.path), "").split("\n")
    assert len(lines) <= 3
    return "\n".join(lines)


def lines_of(folder):
    return (folder.path / "scenarios.jsonl").read_text().splitlines()


def test_a_suite_is_loaded_with_the_texts_of_its_templates(tiny):
    suite = load_suite(tiny.path)
    assert [s.scenario for s in suite.scenarios] == ["S-1", "S-2"]
    assert suite.modes["natural"].instructions == {"talk": "Answer in prose.\n{turn}"}
    assert suite.user_turns(suite.scenarios[0], "natural")[0] == "Answer in prose.\nOne?"
    assert suite.templates == {}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"),
        lambda raw: raw.rstrip(b"\n"),
        lambda raw: raw + b"\n\n",
    ],
    ids=["bom", "crlf", "bom and crlf", "no last line feed", "blank lines"],
)
@pytest.mark.reported("R59")
def test_how_an_editor_saves_a_file_changes_nothing(tiny, spoil):
    plain = load_suite(tiny.path)
    for name in ("suite.yaml", "rubric.yaml", "scenarios.jsonl", "templates/wrap.md"):
        tiny.write(name, spoil((tiny.path / name).read_bytes()))
    assert load_suite(tiny.path) == plain


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"], ids=ascii)
def test_a_line_ends_at_a_line_feed_only(tiny, mark):
    # Text pasted from elsewhere holds other separators; JSON allows most of them in a string.
    value = json.loads(lines_of(tiny)[0]) | {"turns": [f"One{mark}two?", "Two."]}
    tiny.write("scenarios.jsonl", json.dumps(value, ensure_ascii=False) + "\n")
    assert load_suite(tiny.path).scenarios[0].turns[0] == f"One{mark}two?"


def test_a_truncated_line_is_named(tiny):
    first, second = lines_of(tiny)
    tiny.write("scenarios.jsonl", f"{first}\n\n{second[:-20]}\n")
    assert complaint(tiny).startswith("/scenarios.jsonl:3: not valid JSON at column ")


@pytest.mark.parametrize("twin", ["S-1", "s-1"])
def test_an_id_is_given_once_whatever_its_capitals(tiny, twin):
    first, second = lines_of(tiny)
    tiny.write("scenarios.jsonl", f"{first}\n{second.replace('S-2', twin)}\n")
    said = complaint(tiny)
    assert said.startswith(f"/scenarios.jsonl:2: scenario {twin} is already on line 1")


@pytest.mark.parametrize(
    ("name", "before", "added", "said", "near"),
    [
        ("suite.yaml", "language: en", "languge: en", ":6: unknown key `languge`", "language"),
        ("suite.yaml", "turns: first", ", turn: 1", ":10: unknown key `modes.lite.turn`", "turns"),
        ("suite.yaml", "name: Health", ", nam: H", ":12: unknown key `domains.0.nam`", "name"),
        ("rubric.yaml", "scale: [1, 5]", "skale: [1, 5]", ":4: unknown key `skale`", "scale"),
        (
            "rubric.yaml",
            "    name: Care",
            "    qestion: Is it?",
            ":7: unknown key `criteria.0.qestion`",
            "question",
        ),
    ],
)
def test_an_unknown_key_is_named_with_its_line_and_the_nearest_known_one(
    tiny, name, before, added, said, near
):
    glue = "" if added.startswith(",") else "\n"
    tiny.spoil(name, before, before + glue + added)
    found = complaint(tiny)
    assert found.startswith(f"/{name}{said}")
    assert f"Did you mean `{near}`?" in found


def test_an_unknown_key_of_a_scenario_is_named_with_its_line(tiny):
    first, second = lines_of(tiny)
    tiny.write("scenarios.jsonl", f'{first}\n{second[:-1]}, "tag": ["x"]}}\n')
    said = complaint(tiny)
    assert said.startswith("/scenarios.jsonl:2: unknown key `tag`")
    assert "Did you mean `tags`?" in said


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("domain", "wealth"),
        ("archetype", "speech"),
        ("red_flags", [{"flag": "fire", "sign": "s"}]),
        ("notes", {"natural": "N", "probe": "N"}),
    ],
)
def test_a_scenario_names_only_what_the_suite_lists(tiny, key, value):
    first, second = lines_of(tiny)
    spoiled = json.dumps(json.loads(second) | {key: value})
    tiny.write("scenarios.jsonl", f"{first}\n{spoiled}\n")
    said = complaint(tiny)
    assert said.startswith(f"/scenarios.jsonl:2: `{key}` names what suite.yaml does not list: ")
    named, known = said.split(": ", 2)[2].split("\nListed there: ")
    assert named == {"red_flags": "fire", "notes": "probe"}.get(key, str(value))
    assert known.rstrip(".") in ("health", "talk", "overdose", "natural, lite")


def test_a_red_flag_is_shown_in_a_turn_that_exists(tiny):
    first, second = lines_of(tiny)
    late = second.replace('"turn": 2', '"turn": 3')
    tiny.write("scenarios.jsonl", f"{first}\n{late}\n")
    assert complaint(tiny).startswith("/scenarios.jsonl:2: `red_flags`: no such turn for overdose")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("suite.yaml", "default_mode: natural", "default_mode: nowhere"),
        ("suite.yaml", "archetype: talk, name: Talk", "archetype: talk, name: Talk, rubric: no"),
        ("suite.yaml", "suite: tiny", "suite: other"),
        ("suite.yaml", "talk: wrap.md", "talk: nowhere.md"),
        ("suite.yaml", "talk: wrap.md", "speech: wrap.md"),
        ("suite.yaml", "turns: first}", "turns: first, closing: {speech: wrap.md}}"),
        (
            "suite.yaml",
            "  - {domain: health, name: Health}",
            "  - {domain: health, name: Health}\n  - {domain: health, name: Other}",
        ),
        (
            "suite.yaml",
            "  - {archetype: talk, name: Talk}",
            "  - {archetype: talk, name: Talk}\n  - {archetype: talk, name: Other}",
        ),
        (
            "suite.yaml",
            "  - {flag: overdose, name: Overdose}",
            "  - {flag: overdose, name: Overdose}\n  - {flag: overdose, name: Other}",
        ),
        ("rubric.yaml", "compare: [care]", "compare: [nobody]"),
        ("rubric.yaml", "    name: Care", "    name: Care\n    only: {archetypes: [speech]}"),
        ("rubric.yaml", "    name: Care", "    name: Care\n    notes: {probe: Look.}"),
    ],
    ids=[
        "default mode",
        "rubric",
        "folder",
        "template",
        "archetype of an instruction",
        "archetype of a closing",
        "domain twice",
        "archetype twice",
        "flag twice",
        "compare",
        "archetype of a criterion",
        "mode of a criterion",
    ],
)
def test_a_reference_that_leads_nowhere_is_refused(tiny, name, old, new):
    tiny.spoil(name, old, new)
    complaint(tiny)


SECTIONS = """\
sections:
  - {section: now, name: Now, also: [HPI, So far]}
  - {section: past, name: Past, also: [%s]}
"""


@pytest.mark.parametrize("also", ["HPI", "hpi", "so_far", "So far (short)", "now"])
def test_a_name_that_two_sections_claim_is_an_error_at_the_second(tiny, also):
    tiny.spoil("suite.yaml", "red_flags:", SECTIONS % "PH" + "red_flags:")
    assert load_suite(tiny.path).sections
    tiny.spoil("suite.yaml", "[PH]", f"[PH, {also}]")
    (found,) = check_suite(tiny.path).mistakes
    lines = (tiny.path / "suite.yaml").read_text("utf-8").splitlines()
    line = next(n for n, text in enumerate(lines, start=1) if "section: past" in text)
    assert place_of(found) == (str(tiny.path / "suite.yaml"), line)
    assert "sections now and past are both called" in str(found)


def test_a_scenario_for_which_nothing_counts_is_refused(tiny):
    # Its absolute score would be a division by nought, found only after the judge was paid.
    tiny.spoil(
        "rubric.yaml",
        "compare:",
        "  - {criterion: style, name: S, question: Q, counts: false}\ncompare:",
    )
    tiny.spoil("rubric.yaml", "    name: Care", "    name: Care\n    only: {tags: [night]}")
    complaint(tiny)


@pytest.mark.parametrize("place", ["../rubric.yaml", "/etc/hostname", "a/../../rubric.yaml"])
def test_a_template_outside_its_folder_is_refused(tiny, place):
    tiny.spoil("suite.yaml", "wrap.md", place)
    assert f"template outside templates/: {place}" in complaint(tiny)


@pytest.mark.parametrize("name", ["nowhere.md", "n" * 5000, "."])
def test_a_template_that_is_not_there_is_named_by_the_line_that_names_it(tiny, name):
    tiny.spoil("suite.yaml", "wrap.md", name)
    assert complaint(tiny).startswith(f"/suite.yaml:9: no such file in templates/: {name}")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_that_leads_outside_is_refused(tiny):
    (tiny.path / "templates" / "link.md").symlink_to(tiny.path / "rubric.yaml")
    tiny.spoil("suite.yaml", "wrap.md", "link.md")
    assert "template outside templates/" in complaint(tiny)


@pytest.mark.parametrize("text", ["No mark.", "{turn} and {turn}", "{ turn }", ""])
def test_an_instruction_holds_the_turn_exactly_once(tiny, text):
    tiny.write("templates/wrap.md", text)
    assert complaint(tiny).startswith("/templates/wrap.md:1: must hold {turn} exactly once")


@pytest.mark.parametrize("name", ["suite.yaml", "rubric.yaml", "scenarios.jsonl"])
@pytest.mark.parametrize(
    ("raw", "line"), [("a: 1\nb: é\n".encode("latin-1"), 2), ("您好".encode("utf-16"), 1)]
)
def test_what_is_not_utf8_is_named_with_its_line(tiny, name, raw, line):
    tiny.write(name, raw)
    said = complaint(tiny)
    assert said.startswith(f"/{name}:{line}: not UTF-8 text")
    assert "Save the file as UTF-8" in said


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_yaml_file_misses_its_keys(tiny, text):
    tiny.write("rubric.yaml", text)
    assert complaint(tiny).startswith("/rubric.yaml:1: `rubric` is missing")


def test_a_file_without_a_scenario_is_refused(tiny):
    tiny.write("scenarios.jsonl", "\n \n")
    assert complaint(tiny) == "/scenarios.jsonl: no scenario in it"


@pytest.mark.parametrize("name", ["suite.yaml", "rubric.yaml", "scenarios.jsonl"])
def test_a_missing_file_is_named(tiny, name):
    (tiny.path / name).unlink()
    assert complaint(tiny) == f"/{name}: no such file"


def test_a_folder_in_the_place_of_a_file_is_named(tiny):
    (tiny.path / "rubric.yaml").unlink()
    (tiny.path / "rubric.yaml").mkdir()
    assert complaint(tiny).startswith("/rubric.yaml: ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("rubric: main\nrubric: main\n", 2),
        ("rubric: main\nname: [a\nscale: 1\n", 3),
        ("rubric: main\n\tname: x\n", 2),
        ("rubric: 'main\n", 2),
        ("rubric: *nobody\n", 1),
        ("rubric: main\n---\nrubric: main\n", 2),
        ("rubric: main\n  name: x\n", 2),
    ],
    ids=["duplicate key", "bracket", "tab", "quote", "alias", "two documents", "indent"],
)
def test_yaml_that_cannot_be_read_is_named_with_its_line(tiny, text, line):
    tiny.write("rubric.yaml", text)
    assert complaint(tiny).startswith(f"/rubric.yaml:{line}: not valid YAML: ")


@pytest.mark.parametrize("text", ["- a\n", "text\n", "3\n", "\x00", "a: \x07\n"], ids=ascii)
def test_yaml_that_is_no_record_is_refused(tiny, text):
    tiny.write("rubric.yaml", text)
    assert complaint(tiny).startswith("/rubric.yaml:")


@pytest.mark.parametrize(
    "text",
    ["3", '"text"', "[]", "null", "NaN", "1" * 5000, '{"scenario": ' + "1" * 5000 + "}"],
    ids=["number", "text", "list", "null", "nan", "huge number", "huge number inside"],
)
def test_json_that_is_no_record_is_refused(tiny, text):
    tiny.write("scenarios.jsonl", text + "\n")
    assert complaint(tiny).startswith("/scenarios.jsonl:1: ")


def test_a_key_given_twice_in_a_line_is_refused(tiny):
    first, _ = lines_of(tiny)
    tiny.write("scenarios.jsonl", first[:-1] + ', "title": "Other"}\n')
    assert "title" in complaint(tiny)


def test_half_a_surrogate_pair_is_refused(tiny):
    first, _ = lines_of(tiny)
    tiny.write("scenarios.jsonl", first.replace("One?", "One\\ud83d?") + "\n")
    assert complaint(tiny).startswith("/scenarios.jsonl:1: ")


@pytest.mark.parametrize(("name", "depth"), [("rubric.yaml", 400), ("scenarios.jsonl", 2000)])
def test_deep_nesting_is_a_mistake_of_the_file(tiny, name, depth):
    tiny.write(name, '{"scenario": ' + "[" * depth + "]" * depth + "}\n")
    assert complaint(tiny).startswith(f"/{name}")


def test_a_record_that_contains_itself_is_refused(tiny):
    tiny.write("rubric.yaml", "rubric: main\nname: &n [*n]\n")
    assert complaint(tiny).startswith("/rubric.yaml")


def test_a_tag_of_python_is_never_executed(tiny, tmp_path):
    proof = tmp_path / "proof"
    for call in ("os.mkdir", "builtins.open"):
        tag = f"!!python/object/apply:{call}"
        tiny.write("rubric.yaml", f"rubric: {tag} ['{proof}', 511]\n")
        complaint(tiny)
    assert not proof.exists()


# A process of its own: were the bomb to go off, it would end there, at a limit.
BOMB = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (4, 4))
from arena.errors import ConfigError
from arena.suites.load import load_suite
try:
    load_suite(Path(sys.argv[1]))
except ConfigError as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs resource limits")
def test_a_bomb_of_aliases_is_refused_before_it_is_unfolded(tiny):
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"] + [
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)
    ]
    tiny.write("rubric.yaml", "\n".join(levels) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", BOMB, str(tiny.path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "ConfigError"), done.stderr[-500:]


def test_a_second_rubric_of_the_same_name_is_refused(tiny):
    tiny.write("rubric.more.yaml", (tiny.path / "rubric.yaml").read_text())
    assert "/rubric.more.yaml:1: rubric main exists already" in complaint(tiny)


def test_judge_templates_are_taken_and_other_files_left_alone(tiny):
    tiny.write("templates/pairwise.j2", "T")
    tiny.write("templates/note.txt", "no template")
    assert load_suite(tiny.path).templates == {"pairwise.j2": "T"}


def test_a_script_without_lines_for_all_is_refused(tiny):
    tiny.write(
        "scripted.yaml",
        "agents:\n"
        "  - {agent: a, name: A, short: A, mix: {careful: 1}}\n"
        "  - {agent: b, name: B, short: B, mix: {careful: 1}}\n"
        "judges:\n"
        "  - {judge: j, name: J, uses: [rubric]}\n"
        "lines:\n"
        "  S-1: {careful: [c], plain: [p], careless: [x]}\n",
    )
    assert '`lines` needs an entry "*"' in complaint(tiny, load_script)


def test_the_number_of_further_mistakes_is_told(tiny):
    tiny.spoil("rubric.yaml", "scale: [1, 5]", "scale: [one, two]\nfoo: 1\nbar: 2")
    said = complaint(tiny)
    assert said.startswith("/rubric.yaml:4: unknown key `foo`")
    assert "3 more mistake(s) in this file." in said
