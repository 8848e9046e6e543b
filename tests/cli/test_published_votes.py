"""Figures that others published, or that follow from their files, by our commands alone.

Each stands in data/formats.md with its command.
"""

import csv
import json
from collections import defaultdict

import pytest

from tests.support.shared import shared_data

QUICK = ("--resamples", "20")


@pytest.fixture(scope="module")
def place(arena, tmp_path_factory):
    folder = tmp_path_factory.mktemp("published") / "w"
    assert arena("init", folder, "--lang", "en").exit_code == 0
    return folder


@pytest.fixture
def ask(arena, place):
    """ask(*words) → the document that a command prints."""

    def told(*words):
        done = arena(*words, "-C", place, "--json", "--lang", "en")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    return told


def agents(document):
    (board,) = document["boards"]
    return {s["agent"]: s for s in board["agents"]}


def expected(folder):
    return json.loads((folder / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["simple", "food"])
def test_evalica_golden_scores(ask, name):
    folder = shared_data("evalica-golden")
    ask("import", "evalica", folder / f"{name}.csv", "--as", name)
    with (folder / f"{name}-golden.csv").open(encoding="utf-8") as stream:
        golden = {
            (row["algorithm"], row["item"]): float(row["score"]) for row in csv.DictReader(stream)
        }
    found = agents(ask("rank", "--import", name, "--like", "evalica", *QUICK))
    online = agents(ask("rank", "--import", name, "--method", "elo", *QUICK))
    for item, standing in found.items():
        # Their fixed point stops at a tolerance of 1e-6.
        assert standing["figure"] == pytest.approx(golden["bradley_terry", item], rel=1e-8)
        assert online[item]["rating"] == pytest.approx(golden["elo", item], rel=1e-12)


def test_the_golden_scores_of_a_crowd(ask):
    folder = shared_data("llmfao")
    ask("import", "evalica", folder / "llmfao.csv", "--as", "crowd")
    with (folder / "llmfao-golden.csv").open(encoding="utf-8") as stream:
        golden = {
            (row["algorithm"], row["item"]): float(row["score"]) for row in csv.DictReader(stream)
        }
    found = agents(ask("rank", "--import", "crowd", "--like", "evalica", *QUICK))
    assert len(found) == 59
    for item, standing in found.items():
        assert standing["figure"] == pytest.approx(golden["bradley_terry", item], rel=1e-7)


def test_online_elo_of_85_human_votes(ask):
    folder = shared_data("lmsys-votes")
    ask("import", "lmarena", folder / "votes_original_columns.csv", "--as", "lmsys")
    found = agents(ask("rank", "--import", "lmsys", "--method", "elo", "--k", "4"))
    rounded = {name: int(s["rating"] + 0.5) for name, s in found.items()}
    assert rounded == {
        "gpt-4-1106-preview": 1025,
        "gpt-4-0314": 1014,
        "vicuna-33b": 990,
        "gpt-3.5-turbo-0613": 987,
        "vicuna-13b": 984,
    }
    fitted = agents(ask("rank", "--import", "lmsys", "--min-comparisons", "1", *QUICK))
    for name, rating in expected(folder)["bt_elo"].items():
        assert fitted[name]["rating"] == pytest.approx(rating, abs=1e-4)


def test_guanaco_before_gpt_4(ask):
    folder = shared_data("qlora-vicuna")
    known = expected(folder)
    ask("import", "arena", folder / "battles.csv", "--as", "qlora")
    found = agents(ask("rank", "--import", "qlora", "--like", "arena-rank", *QUICK))
    for name, rating in known["bt_elo"].items():
        assert found[name]["figure"] == pytest.approx(rating, abs=1e-3)
    (report,) = ask("diagnose", "--import", "qlora", *QUICK)["diagnoses"]
    figures = {f["figure"]: f for f in report["judges"][0]["figures"]}
    first = figures["first_shown"]
    assert first["value"] == pytest.approx(known["order"]["first_win_share_of_decisive"], abs=1e-12)
    assert (round(first["value"], 3), first["n"]) == (0.650, 3867)


def test_guanaco_reaches_99_percent_of_chatgpt(arena, ask, place, tmp_path):
    folder = shared_data("qlora-vicuna")
    ask("import", "arena", folder / "battles_scored.csv", "--as", "scored")
    out = tmp_path / "scored.jsonl"
    ask("export", "arena", out, "--import", "scored")
    sums = defaultdict(lambda: [0.0, 0.0])
    for line in out.read_text("utf-8").splitlines():
        row = json.loads(line)
        scores = row["score_a"], row["score_b"]
        if None in scores:
            continue
        a, b = (float(score) for score in scores)
        turned = row["agent_b"] != "gpt-3.5"
        ours, theirs = (b, a) if turned else (a, b)
        name = row["agent_b"] if turned else row["agent_a"]
        first = name if (row["order"] == "ab") == (name == row["agent_a"]) else ""
        sums[name, bool(first)][0] += ours
        sums[name, bool(first)][1] += theirs
    name = next(n for n, _ in sums if "65b" in n.lower() and "guanaco" in n.lower())
    shares = [100 * ours / theirs for (n, _), (ours, theirs) in sums.items() if n == name]
    assert sorted(shares) == pytest.approx([96.652, 101.946], abs=5e-4)
    assert sum(shares) / 2 == pytest.approx(99.299, abs=5e-4)


def test_japanese_models_against_one_baseline(ask):
    folder = shared_data("ja-vicuna")
    known = expected(folder)
    ask("import", "arena", folder / "battles.csv", "--as", "ja")
    found = agents(ask("rank", "--import", "ja", "--like", "arena-rank", *QUICK))
    for name, rating in known["bt_elo"].items():
        assert found[name]["figure"] == pytest.approx(rating, abs=1e-3)
    resolved = known["resolved_vs_text-davinci-003 [win,loss,tie,win_rate_adjusted]"]
    assert len(resolved) == 6
    for name, (wins, losses, ties, _) in resolved.items():
        (duel,) = ask("show", "duel", name, "text-davinci-003", "--suite", "ja")["duels"]
        # A comparison is won where both orders agree; all others are their ties.
        assert (duel["wins"], duel["losses"], duel["ties"]) == (wins, losses, ties)


def test_pandalm_labels_and_agreement(ask, tmp_path):
    folder = shared_data("pandalm")
    ask("import", "arena", folder / "battles.csv", "--as", "pandalm")
    (report,) = ask("diagnose", "--import", "pandalm", *QUICK)["diagnoses"]
    kappas = {
        f"{judge['judge']} | {f['of']}": (f["value"], f["n"])
        for judge in report["judges"]
        for f in judge["figures"]
        if f["figure"] == "agreement_kappa"
    }
    pairs = expected(folder)["pairwise_kappa_and_agreement"]
    assert len(pairs) == 10
    for pair, (kappa, _, n) in pairs.items():
        assert kappas[pair] == (pytest.approx(kappa, abs=1e-9), n)
    between = [kappas[f"human-{a} | human-{b}"][0] for a, b in ((1, 2), (1, 3), (2, 3))]
    assert [round(k, 2) for k in between] == [0.85, 0.88, 0.86]
    (board,) = ask("rank", "--import", "pandalm", "--judge", "human-*", *QUICK)["boards"]
    ratings = {s["agent"]: s["rating"] for s in board["agents"]}
    assert ratings["llama-7b"] == pytest.approx(1120.8055, abs=1e-3)
    assert ratings["cerebras-gpt-6.7B"] == pytest.approx(903.6478, abs=1e-3)
    # The majority of three people, and a tie where there is none, as a judge of its own.
    votes = defaultdict(list)
    with (folder / "battles.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["judge"].startswith("human"):
                votes[row["scenario_id"]].append(row["winner"])
    major = tmp_path / "majority.csv"
    lines = [
        f"{name},first,second,{max(('tie', 'a', 'b'), key=lambda w: (said.count(w), w == 'tie'))}"
        for name, said in votes.items()
    ]
    major.write_text("\n".join(["scenario,agent_a,agent_b,winner", *lines]) + "\n", "utf-8")
    ask("import", "arena", major, "--judged-by", "majority")
    (board,) = ask("rank", "--import", "majority", *QUICK)["boards"]
    first = next(s for s in board["agents"] if s["agent"] == "first")
    assert (first["ties"], first["wins"], first["losses"]) == (105, 422, 472)


def test_all_cells_of_llmbar_against_gold_labels(ask, tmp_path):
    folder = shared_data("llmbar")
    with (folder / "gold.csv").open(encoding="utf-8") as stream:
        gold = {row["scenario_id"]: row["winner"] for row in csv.DictReader(stream)}
    with (folder / "published_statistics.csv").open(encoding="utf-8") as stream:
        published = list(csv.DictReader(stream))
    assert len(published) == 60
    # Whoever is right meets whoever is wrong, once a cell: subset and judge.
    marked = [["scenario", "agent_a", "agent_b", "winner", "judge", "order", "asked"]]
    with (folder / "battles.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            name = row["scenario_id"]
            cell = f"{name.rsplit('-', 1)[0]} {row['judge']}"
            sides = [f"{cell} right", f"{cell} wrong"]
            sides = sides if gold[name] == "a" else sides[::-1]
            marked.append([name, *sides, row["winner"], row["judge"], row["order"], row["order"]])
    path = tmp_path / "marked.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(marked)
    ask("import", "arena", path, "--as", "llmbar")
    few = ("--resamples", "2", "--min-comparisons", "1")
    both = cells(ask("rank", "--import", "llmbar", *few))
    ab, ba = (
        cells(
            ask(
                "rank",
                "--import",
                "llmbar",
                "--where",
                f"asked = '{order}'",
                *few,
                "--single-order",
                "keep",
            )
        )
        for order in ("ab", "ba")
    )
    unread = 0
    for row in published:
        cell = f"{row['subset']} {row['judge']}/{row['strategy']}"
        assert ab[cell][0] == int(row["correct_ab"]), cell
        assert ba[cell][0] == int(row["correct_ba"]), cell
        assert both[cell][0] == int(row["correct_both"]), cell
        lost = 2 * int(row["n"]) - sum(ab[cell]) - sum(ba[cell])
        unread += lost
        # An empty verdict is none to them and two of them are the same; here they are missing.
        assert int(row["same_verdict_both_orders"]) - sum(both[cell]) in range(lost // 2 + 1), cell
    assert unread == 29


def cells(document):
    """Wins and losses of whoever is right, by cell."""
    (board,) = document["boards"]
    return {
        p["a"].removesuffix(" right"): (p["wins"], p["losses"])
        for p in board["pairs"]
        if p["a"].endswith(" right") and p["b"] == p["a"].replace(" right", " wrong")
    }


def test_position_bias_of_the_judges_of_llmbar(ask):
    folder = shared_data("llmbar")
    ask("import", "arena", folder / "battles.csv", "--as", "plain")
    (report,) = ask("diagnose", "--import", "plain", *QUICK)["diagnoses"]
    found = {
        judge["judge"]: {f["figure"]: f["value"] for f in judge["figures"] if not f["of"]}
        for judge in report["judges"]
    }
    for judge, share in (
        ("GPT-4/Vanilla", 0.5119),
        ("ChatGPT/Vanilla", 0.6468),
        ("Falcon/CoT", 0.9341),
    ):
        assert found[judge]["first_shown"] == pytest.approx(share, abs=5e-5)
