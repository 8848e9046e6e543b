"""Model strings: which part of a judge's answers counts, and names that may change."""

import pytest

from arena.domain.agent import Judge
from arena.domain.served import Served, floating_aliases, most_served, split_served


def answer(key, model, at="2026-01-01", judge="j"):
    return Served(key=key, judge=judge, model=model, at=at, sheet=False)


def test_one_string_is_no_split_and_silence_is_no_other_string():
    answers = [answer("1", "m"), answer("2", None), answer("3", "m"), answer("4", None, judge="k")]
    assert most_served(answers) == {}
    split = split_served(answers, {})
    assert (split.names, split.others) == ({}, {})


def test_the_string_with_most_answers_counts_and_the_rest_is_another_judge():
    answers = [answer("1", "new"), answer("2", "old"), answer("3", "old"), answer("4", None)]
    used = most_served(answers)
    assert used == {"j": "old"}
    split = split_served(answers, used)
    assert split.names == {"j": "j@old"}
    assert split.others == {"1": "j@new"}


def test_of_equal_parts_the_later_counts():
    answers = [answer("1", "b", at="2026-01-01"), answer("2", "a", at="2026-01-02")]
    assert most_served(answers) == most_served(answers[::-1]) == {"j": "a"}


@pytest.mark.parametrize(
    ("model", "floats"),
    [
        ("openai/gpt-4o", True),
        ("openai/gpt-4o-2024-08-06", False),
        ("anthropic/claude-3-5-sonnet-20241022", False),
        ("anthropic/claude-sonnet-4-5", True),
        ("dashscope/qwen-plus-0112", False),
        ("volcengine/doubao-pro-32k-240515", False),
        ("deepseek/deepseek-chat", True),
        ("openai/qwen2.5-7b-32768", True),
        ("scripted/small/judge", False),
    ],
)
def test_a_name_without_a_date_floats(model, floats):
    judge = Judge(judge="j", vendor="v", model=model)
    assert bool(floating_aliases([judge])) is floats


def test_a_stated_version_does_not_float():
    judge = Judge(judge="j", vendor="v", model="openai/gpt-4o", version="mine")
    assert floating_aliases([judge]) == ()
