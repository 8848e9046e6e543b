"""Hearings: read by their contract, repaired once, forecast from a sample."""

from dataclasses import dataclass, replace

import pytest

from arena.domain.agent import Judge, Price
from arena.domain.call import Call, Message, Status
from arena.domain.forecast import LESS, MORE, Span
from arena.domain.money import Rates
from arena.domain.tokens import estimate_prompt
from arena.judging.prompt import Prompt
from arena.llm.hearing import Hearing, forecast_hearings, hear
from arena.llm.working import Answer, Asked

JUDGE = Judge(judge="j", vendor="v", model="m", sampling={"temperature": 0})
RATES = Rates(currency="CNY", rates={})


@dataclass(frozen=True)
class Reading:
    status: Status
    complaint: str | None = None


class Contract:
    """Reads `good` as an answer."""

    def read(self, text, *, finish_reason=None):
        if finish_reason == "length":
            return Reading(Status.TRUNCATED, "cut off")
        return Reading(Status.OK) if text == "good" else Reading(Status.UNPARSED, "no answer in it")


def hearing_of(text="Compare.", **changes):
    prompt = Prompt(messages=(Message("user", text),), schema={}, flags=(), cut=False)
    values = {
        "kind": "verdict",
        "key": "k",
        "judge": JUDGE,
        "prompt": prompt,
        "contract": Contract(),
        "subject": "mine",
        "lang": "en",
    }
    return Hearing(**(values | changes))


def answered(hearing, *calls):
    asked = Asked(
        kind="verdict",
        speaker="judge",
        entrant="j",
        entrant_digest="d",
        request=None,
        question=None,
        context=hearing,
    )
    return Answer(asked=asked, calls=calls)


def call(text="good", attempt=1, status=Status.OK, **more):
    return Call(
        key=f"c-{attempt}",
        serves="k",
        serves_kind="verdict",
        speaker="judge",
        entrant="j",
        entrant_digest="d",
        round=0,
        attempt=attempt,
        status=status,
        text=text,
        **more,
    )


def test_a_readable_answer_needs_no_repair():
    heard = hear(answered(hearing_of(), call()))
    assert (heard.status, heard.repair, heard.reading.status) == (Status.OK, None, Status.OK)
    assert heard.calls == (call(),)


def test_an_unreadable_answer_is_repaired_once():
    first = hear(answered(hearing_of(), call("bad", attempt=3)))
    assert first.status is Status.UNPARSED
    repair = first.repair
    assert (repair.attempt, repair.repaired, repair.key) == (4, True, "k")
    second = hear(answered(repair, call("bad again", attempt=4)))
    assert (second.status, second.repair) == (Status.UNPARSED, None)
    assert hear(answered(repair, call("good", attempt=4))).status is Status.OK


def test_a_repair_shows_the_judge_its_reply_and_the_complaint():
    repair = hear(answered(hearing_of(), call("bad {complaint}"))).repair
    question, said, asked = repair.prompt.messages
    assert question == Message("user", "Compare.")
    assert said == Message("assistant", "bad {complaint}")
    assert "no answer in it" in asked.text
    assert asked.role == "user"


def test_an_unreadable_call_is_kept_under_its_status_with_the_complaint():
    earlier = call(None, attempt=1, status=Status.ERROR, error="503")
    heard = hear(answered(hearing_of(), earlier, call("bad", attempt=2)))
    assert heard.calls[0] == earlier
    last = heard.calls[1]
    assert (last.status, last.complaint, last.text) == (Status.UNPARSED, "no answer in it", "bad")


@pytest.mark.parametrize(
    ("status", "text", "finish", "expected"),
    [
        (Status.ERROR, None, None, Status.ERROR),
        (Status.BLOCKED, None, "content_filter", Status.BLOCKED),
        (Status.BLOCKED, "good", "content_filter", Status.BLOCKED),
        (Status.TRUNCATED, "half", "length", Status.TRUNCATED),
    ],
)
def test_what_no_repair_can_mend_is_not_repaired(status, text, finish, expected):
    heard = hear(answered(hearing_of(), call(text, status=status, finish_reason=finish)))
    assert (heard.status, heard.repair) == (expected, None)
    assert heard.calls[-1].status is expected
    assert (heard.reading is None) is (status is Status.ERROR)


def forecast(hearings, pending, **options):
    values = {
        "usual_reply": dict.fromkeys(pending, 50),
        "seconds_per_call": {},
        "prices": {},
        "rates": RATES,
        "concurrency": {},
    }
    return forecast_hearings("compare", hearings, pending=pending, **(values | options))


def test_a_sample_is_scaled_up_to_all_that_is_pending():
    short, long = hearing_of("x" * 40), hearing_of("x" * 400)
    (line,) = forecast([short, long], {"judge:j": 100})
    mean = (estimate_prompt(short.prompt.messages) + estimate_prompt(long.prompt.messages)) / 2
    assert line.calls == 100
    assert line.tokens_in == pytest.approx(Span(100 * mean * LESS, 100 * mean * MORE))
    assert line.tokens_out == pytest.approx(Span(100 * 50 * LESS, 100 * 50 * MORE))
    assert line.cost is None


def test_each_judge_has_a_line_of_its_own():
    other = hearing_of(judge=replace_judge("other"))
    lines = forecast([hearing_of(), other], {"judge:j": 3, "judge:other": 4})
    assert {line.who: line.calls for line in lines} == {"judge:j": 3, "judge:other": 4}


def replace_judge(name):
    return JUDGE.model_copy(update={"judge": name})


@pytest.mark.parametrize(("part", "each"), [("per_call", 2), ("per_session", 3), ("flat", 0)])
def test_a_forecast_costs_what_the_desk_will_charge(part, each):
    # The desk takes each question to a judge for a session of its own (round 0).
    price = Price(**{part: each or 9}, currency="CNY")
    (line,) = forecast([hearing_of()], {"judge:j": 10}, prices={"judge:j": price})
    assert line.cost == Span(10 * each, 10 * each)


def test_a_hearing_is_put_to_its_own_endpoint():
    assert hearing_of().who == "judge:j"
    assert replace(hearing_of(), judge=replace_judge("other")).who == "judge:other"
