"""Where a ranking may be cut into blocks, and where it may not."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from arena.domain.standing import State
from arena.site.blocks import find_blocks, letters
from tests.site.boards import make_board, pair, standing

NAMES = "abcdef"


def built(better, names=NAMES, others=()):
    """Agents from best to worst; `better` holds the pairs that can be told apart."""
    ranked = [standing(n, rating=1100.0 - i) for i, n in enumerate(names)]
    left = [standing(n, State.PROVISIONAL) for n in others]
    every = itertools.combinations([*names, *others], 2)
    return make_board(
        [*ranked, *left], [pair(a, b, "a" if (a, b) in better else None) for a, b in every]
    )


PAIRS = list(itertools.combinations(NAMES, 2))


@given(st.sets(st.sampled_from(PAIRS)))
def test_between_blocks_every_pair_is_decided_and_no_block_could_be_cut_again(better):
    blocks = find_blocks(built(better))
    assert [agent for block in blocks for agent in block] == list(NAMES)
    for upper, lower in itertools.combinations(blocks, 2):
        assert all(p in better for p in itertools.product(upper, lower))
    for block in blocks:
        for cut in range(1, len(block)):
            assert not all(p in better for p in itertools.product(block[:cut], block[cut:]))


def test_what_hangs_together_by_a_chain_is_one_block_though_its_ends_are_apart():
    assert find_blocks(built({("a", "c")}, "abc")) == (("a", "b", "c"),)
    assert find_blocks(built(set(PAIRS), "abc")) == (("a",), ("b",), ("c",))


def test_who_is_not_ranked_or_not_asked_about_joins_nobody():
    board = built({("a", "c")}, "abc", others="x")
    assert find_blocks(board) == (("a", "b", "c"),)
    assert find_blocks(board, {"a", "c", "x"}) == (("a",), ("c",))
    assert find_blocks(built(set(), "")) == ()


def test_only_what_is_shared_has_a_letter_and_letters_never_run_out():
    assert letters([("a",), ("b", "c"), ("d", "e")]) == {"b": "A", "c": "A", "d": "B", "e": "B"}
    many = [(f"{n}-1", f"{n}-2") for n in range(60)]
    told = letters(many)
    assert (told["25-1"], told["26-1"], told["52-1"]) == ("Z", "AA", "BA")
    assert len(set(told.values())) == 60
