"""Decisions about flags in the store: added, never updated, and none of them twice."""

from arena.domain.flag import FlagDecision, settle
from arena.store.store import Store


def decision(decided, at, *, flag="f", person="human:li", note=""):
    return FlagDecision(flag=flag, person=person, decided=decided, at=at, note=note)


def test_decisions_come_back_in_the_order_in_which_they_were_made(tmp_path):
    path = tmp_path / "arena.duckdb"
    with Store(path) as store:
        assert store.decisions.add([decision("reject", "2"), decision("confirm", "1")], run="r")
    with Store(path) as store:
        found = store.decisions.all()
    assert [d.decided for d in found] == ["confirm", "reject"]
    assert settle(found) == ("rejected", ("human:li",))


def test_the_same_decision_again_adds_nothing_and_a_change_of_mind_does():
    with Store(None) as store:
        assert store.decisions.add([decision("confirm", "1")], run="r") == 1
        assert store.decisions.add([decision("confirm", "2")], run="r") == 0
        assert store.decisions.add([decision("reject", "3")], run="r") == 1
        assert store.decisions.add([decision("confirm", "4")], run="r") == 1
        assert [d.at for d in store.decisions.all()] == ["1", "3", "4"]


def test_hostile_texts_are_kept_as_they_can_be():
    note = "a\x00b\ud83d'); drop"
    with Store(None) as store:
        assert store.decisions.add([decision("unsure", "1", note=note)], run="r") == 1
        assert store.decisions.add([decision("unsure", "2", note=note)], run="r") == 0
        (found,) = store.decisions.all()
    assert found.note == "a\\u0000b\\ud83d'); drop"


def test_a_decision_taken_back_stays_and_the_one_before_it_counts_again():
    with Store(None) as store:
        decisions = store.decisions
        decisions.add([decision("confirm", "1"), decision("reject", "2")], run="r")
        assert decisions.withdraw("f", "human:li", "2", run="r", at="3")
        assert decisions.withdraw("f", "human:li", "2", run="r", at="4")
        assert not decisions.withdraw("f", "human:li", "9", run="r", at="3")
        assert not decisions.withdraw("f", "human:wu", "1", run="r", at="3")
        assert [d.decided for d in decisions.all()] == ["confirm"]
        assert decisions.latest("f", "human:li").at == "1"
        assert decisions.withdraw("f", "human:li", "1", run="r", at="5")
        assert decisions.latest("f", "human:li") is None
        assert settle(decisions.all()) == ("unchecked", ())
        assert decisions.add([decision("reject", "6")], run="r") == 1
        assert settle(decisions.all()) == ("rejected", ("human:li",))
        kept = store._connection.execute("select count(*) from flag_decision").fetchall()
    assert kept == [(3,)]
