"""A site under neutral names: no byte names an agent or a vendor, and the results are the same."""

import io
import json
import zipfile
from dataclasses import replace

import pytest

from arena.domain.agent import Agent
from arena.domain.changes import key_of
from arena.domain.standing import State
from arena.domain.way import Way
from arena.errors import CheckFailed
from arena.site.anonymise import anonymise, refuse_names
from arena.site.facts import ComparisonFact, VerdictFact
from arena.site.gather import gather
from arena.site.mirror import settle_comparison, settle_cycle, settle_pair
from arena.site.neutral_names import is_ordinary, make_cast
from arena.site.release import Release
from arena.store.store import Store
from tests.site import boards
from tests.site.changing import change, changes_of
from tests.site.reading import tree

NAMED = (
    ("kangban-2", "康伴 2.1", "Carelyne 2.1", "zhaoyang", "deepwell"),
    ("yijian", "颐健管家", "Yijian Steward", "qingsong", "deepwell"),
    ("homelark", "云雀管家", "Homelark", "Larkworks", "unknown"),
    ("bluepine-x", "蓝松", "Bluepine X", "bluepine", "pinelm"),
)
HIDDEN = (
    *("kangban", "康伴", "Carelyne", "zhaoyang", "deepwell", "yijian", "颐健管家", "qingsong"),
    *("homelark", "云雀", "Larkworks", "bluepine", "蓝松", "pinelm", "secretmodel", "hushed.cn"),
    *("oldspruce", "老云杉", "ashgrove"),
)
SAID = "我是康伴，由 ZHAOYANG 研发。 Carelyne beats Bluepine X; Larkworks at api0.hushed.cn:443. "


def make_agents():
    return tuple(
        Agent(
            agent=name,
            name={"zh": zh, "en": en},
            vendor=vendor,
            family=family,
            model=f"openai/secretmodel-{n}",
            api_base=f"https://api{n}.hushed.cn/v1",
            system="You are Carelyne.",
            version="康伴 5",
        )
        for n, (name, zh, en, vendor, family) in enumerate(NAMED)
    )


@pytest.fixture(scope="module")
def world(make, tmp_path_factory):
    """Two sites of one store: under true and under neutral names."""
    job, home = make.job(agents=make_agents()), tmp_path_factory.mktemp("anonymous")
    a, b, c, d = (a.agent for a in job.agents)
    standings = (
        make.standing(a, rating=1100.0, rank_low=1, rank_high=2, eligibility=boards.gated(0)),
        make.standing(b, rating=1010.0, rank_low=1, rank_high=2, eligibility=boards.gated(1)),
        make.standing(c, State.PROVISIONAL, rating=990.0),
        make.standing(d, State.PROVISIONAL, rating=900.0),
    )
    pairs = tuple(
        make.pair(*sorted(two), "a" if two == (a, b) else None)
        for two in ((a, b), (a, c), (a, d), (b, c), (b, d), (c, d))
    )
    board = make.board(standings, pairs, digest=job.suite.digest())
    terms = Release(anonymous=True, salt=b"secret")
    with Store(home / "a.duckdb") as store:
        make.fill(store, job, text=SAID)
        store.boards.add(board, run="r1")
        since = {
            "figures": True,
            "changes": {
                key_of(job): changes_of(
                    job,
                    [
                        change(a),
                        change(b, "new"),
                        change("oldspruce-1", "gone"),
                        change("ashgrove", "gone"),
                    ],
                    reference=(b, a),
                    source="Larkworks board",
                    names={"oldspruce-1": ("老云杉", "Oldspruce")},
                )
            },
        }
        make.publish(home / "named", store, [job], **since)
        make.publish(home / "hidden", store, [job], release=terms, **since)
        edition = gather(job, store)
    return {"home": home, "edition": edition, "board": board}


def every_byte(out):
    """Path and content of every file, those within spreadsheets, too."""
    for path, content in tree(out).items():
        yield path, content
        if path.endswith(".xlsx"):
            with zipfile.ZipFile(io.BytesIO(content)) as parts:
                for part in parts.namelist():
                    yield f"{path}:{part}", parts.read(part)


def test_no_byte_of_the_site_names_anybody(world):
    named = b"".join(content for _, content in every_byte(world["home"] / "named"))
    for name in HIDDEN:
        assert name.encode() in named or name.lower().encode() in named.lower(), name
    for path, content in every_byte(world["home"] / "hidden"):
        low = content.decode("utf-8", "replace").casefold() + path
        for name in HIDDEN:
            assert name.casefold() not in low, (path, name)


def test_the_same_results_stand_under_the_new_names(world):
    def rows(which):
        path = world["home"] / which / "data/leaderboard.json"
        return json.loads(path.read_text(encoding="utf-8"))

    named, hidden = rows("named"), rows("hidden")
    keep = ("state", "rating", "rank_low", "wins", "share")
    assert [[s[k] for k in keep] for s in named["board"]["agents"]] == [
        [s[k] for k in keep] for s in hidden["board"]["agents"]
    ]
    known = {f"agent-{letter}" for letter in "abcdef"}
    assert len({a["agent"] for a in hidden["agents"]} & known) == 4
    assert len({a["vendor"] for a in hidden["agents"]}) == 4
    families = [a["family"] for a in hidden["agents"]]
    assert families.count("unknown") == 1
    assert len(set(families)) == 3


def test_nothing_tells_the_order_of_the_true_names(world):
    hidden = json.loads((world["home"] / "hidden/data/leaderboard.json").read_text("utf-8"))
    assert all(p["a"] < p["b"] for p in hidden["board"]["pairs"])
    lines = (world["home"] / "hidden/data/comparisons.jsonl").read_text("utf-8").splitlines()
    assert all(line["a"] < line["b"] for line in map(json.loads, lines))
    decided = [p for p in hidden["board"]["pairs"] if p["decision"]]
    best, second = (s["agent"] for s in hidden["board"]["agents"][:2])
    assert [p[p["decision"]] for p in decided] in ([best], [second])
    assert [sorted((p["a"], p["b"])) for p in decided] == [sorted((best, second))]


def test_names_are_drawn_from_the_seed_and_the_secret(world):
    edition = world["edition"]

    def drawn(seed, salt):
        return {k: a.id for k, a in make_cast([edition], seed, salt).agents.items()}

    assert drawn(7, b"1") == drawn(7, b"1")
    assert len({tuple(sorted(drawn(seed, b"1").items())) for seed in range(12)}) > 3
    assert len({tuple(sorted(drawn(7, bytes([n])).items())) for n in range(12)}) > 3


def test_words_of_the_page_are_no_names_within_a_text(world):
    assert is_ordinary("arena")
    assert is_ordinary("智能体")
    assert not is_ordinary("zhaoyang")
    agents = (world["edition"].job.agents[0].model_copy(update={"vendor": "arena"}),)
    job = replace(world["edition"].job, agents=agents)
    cast = make_cast([replace(world["edition"], job=job, agents=())], 7, b"")
    assert cast.change("arena") == "vendor-1"
    assert cast.change("arena 0.1.0") == "arena 0.1.0"


def test_what_stands_for_a_host_is_no_name(world):
    way = Way(
        **{"speaker": "agent", "entrant": "homelark", "asked": "m/x", "returned": None},
        **{"host": "scripted", "sent": "{}", "dropped": "[]", "calls": 1},
    )
    there = replace(way, host="llm.oakgate.com.cn:8443")
    cast = make_cast([replace(world["edition"], ways=(way, there))], 7, b"")
    assert cast.change("Scripted judge at oakgate.com.cn") == "Scripted judge at host-" + (
        cast.whole["oakgate.com.cn"].removeprefix("host-")
    )
    assert "com.cn" not in cast.whole


def test_a_name_is_found_as_a_whole_word_only(world):
    cast = make_cast([world["edition"]], 7, b"")
    new = cast.agents["homelark"]
    assert cast.change("HOMELARK, Homelark's and homelarks") == (
        f"{new.id}, {new.id}'s and homelarks"
    )
    assert cast.change("康伴很好") == f"{cast.agents['kangban-2'].name.zh}很好"


def test_a_name_that_is_left_stops_the_site_and_is_not_told(world):
    cast = make_cast([world["edition"]], 7, b"")
    with pytest.raises(CheckFailed, match=r"^s/x\.html still names") as stopped:
        refuse_names({"index.html": b"fine", "s/x.html": "由 Larkworks 制作".encode()}, cast)
    assert "Larkworks" not in str(stopped.value)


def test_a_pair_turned_round_twice_is_itself():
    pair = boards.pair("b", "a", "a", share=0.8, wins=5, losses=1, low=-10.0, high=150.0)
    turned = settle_pair(pair)
    assert (turned.a, turned.b, turned.decision) == ("a", "b", "b")
    assert (turned.low, turned.high, turned.difference) == (-150.0, 10.0, -80.0)
    assert turned.share == pytest.approx(0.2)
    again = settle_pair(replace(turned, a="b", b="a"))
    assert (again.difference, again.low, again.wins) == (-80.0 * -1, -10.0, 5)
    assert settle_cycle(("c", "a", "b")) == ("a", "b", "c")


def test_a_comparison_turned_round_says_the_same():
    verdict = VerdictFact(order="ab", status=None, outcome=None, codes=("K1", "K2"))
    fact = ComparisonFact(
        a="b", b="a", scenario="s", replicate=1, judge="j", verdicts=(verdict,), share=1.0,
        flipped=False,
    )  # fmt: skip
    turned = settle_comparison(fact)
    assert (turned.a, turned.share) == ("a", 0.0)
    assert (turned.verdicts[0].order, turned.verdicts[0].codes) == ("ba", ("K2", "K1"))
    assert turned.verdicts[0].outcome is None


def test_an_edition_can_be_read_as_before(world):
    cast = make_cast([world["edition"]], 7, b"s")
    made = anonymise(world["edition"], cast, b"s")
    assert made.board.data_digest != world["edition"].board.data_digest
    assert {a.id for a in made.agents} == {s.agent for s in made.board.agents}
    assert all(fact.agent.agent == fact.id for fact in made.agents)
    assert world["edition"].board == world["board"]
