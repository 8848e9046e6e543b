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
