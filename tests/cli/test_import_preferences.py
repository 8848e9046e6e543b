"""arena import alpacaeval of preferences alone: shares, published rates, the same again."""

import json

import pytest

HEAD = "index,generator,preference,len_output,len_baseline"
ROWS = [
    *(f"{n},ann,{p},100,90" for n, p in enumerate((1.75, 1, 1.5, 0, 2, "", -1))),
    *(f"{n},ben,{p},80,90" for n, p in enumerate((1.25, 1.5, 1))),
    "0,base,1.5,90,90",
]


def ask(arena, workspace, *words, code=0):
    done = arena(*words, "-C", workspace, "--json", "--lang", "en")
    assert done.exit_code == code, done.stderr + done.stdout
    return json.loads(done.stdout)


def write(folder, rows=ROWS, head=HEAD, rate="52.5"):
    folder.mkdir(exist_ok=True)
    (folder / "preferences_weigher.csv").write_text("\n".join([head, *rows, ""]), "utf-8")
    (folder / "generators.csv").write_text(
        "annotator_config,generator,baseline,annotator_in_file,generator_in_file,rows\n"
        "weigher,ann,base,weigher,other,5\nweigher,ben,base,weigher,ben,3\n"
        "weigher,base,base,weigher,base,1\n",
        "utf-8",
    )
    board = f"generator,win_rate,standard_error\nann,{rate},\nben,25,\n"
    (folder / "leaderboard_weigher.csv").write_text(board, "utf-8")
    return folder


@pytest.fixture(scope="module")
def there(arena, tmp_path_factory):
    """A workspace with an import of preferences, and what it said."""
    place = tmp_path_factory.mktemp("preferences")
    assert arena("init", place / "w", "--lang", "en").exit_code == 0
    folder = write(place / "alpaca", rate="55.0")
    return place, ask(arena, place / "w", "import", "alpacaeval", folder, "--as", "alpaca")


def test_preferences_come_in_as_votes_with_their_rates(there):
    _, said = there
    assert said["results"]["records"] == {"vote": 10}
    assert said["results"]["unanswered"] == {"vote": 2}
    assert said["left_out"] == {"self_pair": {"n": 1, "first": "preferences_weigher.csv:11"}}
    (run,) = said["runs"]
    rates = {f["of"]: f["counted"] for f in run["figures"] if f["figure"] == "win_rate"}
    assert rates == {"ann": pytest.approx(55), "ben": pytest.approx(25), "base": 50}
    assert run["otherwise"] == [["weigher · ann", "ann", "other"]]


def test_by_their_margin_preferences_are_shares(arena, there):
    place, _ = there
    words = ("rank", "--import", "alpaca", "--outcome", "margin", "--min-comparisons", "1")
    (board,) = ask(arena, place / "w", *words)["boards"]
    shares = {a["agent"]: a["share"] for a in board["agents"]}
    assert shares["ann"] == pytest.approx(0.55, abs=1e-12)
    assert shares["ben"] == pytest.approx(0.25, abs=1e-12)


def test_preferences_go_out_and_come_in_the_same(arena, there):
    place, _ = there
    path = place / "out" / "preferences_weigher.csv"
    ask(arena, place / "w", "export", "alpacaeval", path, "--import", "alpaca")
    ask(arena, place / "w", "import", "alpacaeval", path, "--as", "back")
    boards = []
    for name in ("alpaca", "back"):
        words = ("rank", "--import", name, "--outcome", "margin", "--min-comparisons", "1")
        (board,) = ask(arena, place / "w", *words, "--seed", "7")["boards"]
        boards.append((board["agents"], board["pairs"], board["comparisons"]))
    assert boards[0] == boards[1]


def test_another_rate_than_the_published_one_fails(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = write(tmp_path / "alpaca", rate="56")
    done = arena("import", "alpacaeval", folder, "--dry-run", "--lang", "en")
    assert done.exit_code == 5
    assert "differs" in done.stdout
    assert "the file itself says other, not ann" in done.stderr
    told = arena("import", "alpacaeval", folder, "--dry-run", "--lang", "zh")
    assert "不符" in told.stdout


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("7,ann,much,1,1", "unknown_outcome"),
        ("7,ann,3,1,1", "unknown_outcome"),
        ("7,ann,nan,1,1", "unknown_outcome"),
        ("7,,1.5,1,1", "no_agent"),
        ("7,ann", "no_agent"),
        ("0,ann,1,1,1", "repeated"),
    ],
)
def test_a_wrong_preference_is_told_with_its_row(arena, tmp_path, row, reason):
    folder = write(tmp_path / "alpaca", rows=[*ROWS[:3], row])
    done = arena("import", "alpacaeval", folder, "--dry-run", "--json")
    assert done.exit_code == 2, done.stderr
    assert json.loads(done.stdout)["results"]["bad"][reason]["rows"] == [4]


@pytest.mark.parametrize(
    "head", ["index,generator", "index,generator,preference,preference", "\ufeff"]
)
def test_a_table_without_its_columns_is_refused(arena, tmp_path, head):
    folder = write(tmp_path / "alpaca", head=head)
    done = arena("import", "alpacaeval", folder, "--dry-run", "--lang", "en")
    assert done.exit_code == 2
    assert "preferences_weigher.csv:1" in done.stderr
