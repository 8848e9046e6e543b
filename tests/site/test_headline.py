import pytest

from arena.domain.standing import State
from arena.site.headline import find_lead, say_beside, say_headline
from arena.site.words import say_in


@pytest.fixture
def board(make):
    def build(ranked, decisions=(), others=(), notes=()):
        """Agents from best to worst; decisions as "ab": a is better than b."""
        standings = [
            *(
                make.standing(n, rating=1100.0 - i, rank_low=1, rank_high=9)
                for i, n in enumerate(ranked)
            ),
            *(make.standing(n, state) for n, state in others),
        ]
        pairs = []
        for better, worse in decisions:
            a, b = sorted((better, worse))
            pairs.append(make.pair(a, b, "a" if better == a else "b"))
        return make.board(standings, pairs, notes=notes)

    return build


def lead(board):
    found = find_lead(board)
    return found.kind, "".join(found.leaders), "".join(found.alike), found.rest


def test_nothing_decided_means_nobody_leads(board):
    assert lead(board("abc"))[:2] == ("level", "abc")


def test_a_leader_better_than_each_other_is_clear(board):
    assert lead(board("abc", ["ab", "ac"])) == ("clear", "a", "", "")


def test_a_leader_that_cannot_be_told_from_some_is_only_ahead(board):
    # b is beaten by a; c by b alone, so that c is behind and yet not told from a.
    assert lead(board("abc", ["ab", "bc"])) == ("ahead", "a", "c", "")


def test_a_group_leads_when_several_are_beaten_by_nobody(board):
    assert lead(board("abcd", ["ac", "bc", "ad", "bd"])) == ("group", "ab", "", "all_behind")
    assert lead(board("abcd", ["ac", "bd"])) == ("group", "ab", "", "some_behind")
    assert lead(board("abcd", ["ac", "cd"])) == ("group", "ab", "", "")


def test_one_ranked_agent_is_no_order_and_none_is_a_reason(board):
    assert lead(board("a", others=[("b", State.PROVISIONAL)]))[0] == "single"
    assert lead(board("", others=[("b", State.PROVISIONAL)]))[0] == "none"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_kind_has_a_sentence_that_names_whom_it_speaks_of(board, lang):
    say = say_in(lang)
    for decisions in (
        [],
        ["ab", "ac", "ad"],
        ["ab", "bc", "bd"],
        ["ac", "bc", "ad", "bd"],
        ["ac", "bd"],
    ):
        said = say_headline(board("abcd", decisions), say, str.upper)
        assert "{" not in said
        if decisions:
            assert "A" in said


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(
    "note", ["one_agent", "no_comparisons", "nobody_rated", "nobody_ranked", "few_scenarios", "new"]
)
def test_nobody_ranked_says_why_and_what_to_run(board, lang, note):
    said = say_headline(
        board("", others=[("b", State.DISCONNECTED)], notes=[note]), say_in(lang), str
    )
    assert "arena " in said


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_who_is_left_out_of_the_sentence_is_named_beside_it(board, lang):
    others = [
        ("x", State.UNBOUNDED),
        ("y", State.PROVISIONAL),
        ("z", State.DISCONNECTED),
        ("w", State.DISCONNECTED),
    ]
    said = say_beside(board("ab", ["ab"], others), say_in(lang), str.upper)
    assert [name for name in "XYZW" if not any(name in s for s in said)] == []


def test_a_long_group_is_cut_with_the_number_of_the_others(board):
    names = "abcdefghijkl"
    said = say_headline(board(names + "z", [n + "z" for n in names]), say_in("en"), str)
    assert "and 6 others" in said
