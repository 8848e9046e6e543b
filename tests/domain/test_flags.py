"""What people decide of a flag, and what gates come to together."""

from hypothesis import given
from hypothesis import strategies as st

from arena.domain.eligibility import Eligible, together
from arena.domain.flag import DECIDED, FlagDecision, flag_id, settle


def by(person, decided, at=1):
    return FlagDecision(flag="f", person=f"human:{person}", decided=decided, at=f"2026-01-0{at}")


def test_the_latest_decision_of_a_person_counts_and_is_named():
    assert settle([by("li", "confirm", 1), by("li", "reject", 2)]) == ("rejected", ("human:li",))
    assert settle([by("li", "reject", 2), by("li", "confirm", 1)]) == ("rejected", ("human:li",))


def test_where_people_differ_the_fault_stands():
    assert settle([by("li", "reject"), by("wu", "confirm")]) == ("confirmed", ("human:wu",))


def test_whoever_is_unsure_leaves_a_flag_unchecked_and_is_named():
    assert settle([]) == ("unchecked", ())
    assert settle([by("li", "unsure")]) == ("unchecked", ("human:li",))


DECISIONS = st.lists(
    st.builds(by, st.sampled_from(["li", "wu"]), st.sampled_from(DECIDED), st.integers(1, 9)),
    max_size=8,
)


@given(DECISIONS, st.randoms())
def test_the_order_of_the_rows_decides_nothing(decisions, random):
    shuffled = list(decisions)
    random.shuffle(shuffled)
    assert settle(shuffled) == settle(decisions)


def test_the_worst_gate_decides():
    assert together(["passed", "passed"]) is Eligible.ELIGIBLE
    assert together(["passed", "awaiting"]) is Eligible.AWAITING
    assert together(["unknown", "awaiting"]) is Eligible.UNKNOWN
    assert together(["passed", "unknown", "failed"]) is Eligible.NOT_ELIGIBLE
    assert together([]) is Eligible.UNKNOWN


def test_the_id_of_a_flag_tells_nothing_of_the_agent():
    assert flag_id("t", "x") == flag_id("t", "x") != flag_id("t", "y")
    assert len(flag_id("t", "x")) == 32
