"""SIGTERM where no event loop sees to it."""

import contextlib
import signal

import pytest

from arena.cli.signals import Terminated, terminable


def test_sigterm_is_raised_where_it_strikes():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated), terminable():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_sigterm_that_a_library_swallowed_is_raised_at_the_end_of_the_block():
    with pytest.raises(Terminated), terminable():  # noqa: PT012 - the block is the subject
        with contextlib.suppress(BaseException):
            signal.raise_signal(signal.SIGTERM)
        gone_on = True
    assert gone_on


def test_within_a_block_another_gives_the_signal_back_to_the_outer_one():
    with pytest.raises(Terminated), terminable():  # noqa: PT012
        with terminable():
            pass
        signal.raise_signal(signal.SIGTERM)
