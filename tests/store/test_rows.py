"""What is written comes back, whatever its text."""

import asyncio
import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.domain.call import Message, Status
from arena.domain.score import Score
from arena.domain.verdict import CriterionVerdict, Outcome
from arena.store.rows import storable
from arena.store.store import Store

ANY = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(
    [
        "\x00",
        "a\x00b",
        "\ud800",
        "x\udfff\ud83d",
        "\\u0000",
        "😀",
        "\u2028\x1f",
        "'; drop table call;--",
    ]
)
QUICK = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def shelf():
    """One store for many examples: each clears what the last one wrote."""
    with Store(None) as store:
        yield store


def kept(make, store, record):
    tables = ("call", "transcript", "sheet", "score", "verdict", "verdict_criterion")
    for table in tables:
        store._connection.execute(f"delete from {table}")
    asyncio.run(asyncio.wait_for(make.keep(store, record), 30))


@given(ANY)
def test_storable_text_is_utf8_without_nul_and_stays_as_it_is(text):
    kept = storable(text)
    assert "\x00" not in kept
    kept.encode("utf-8")
    assert storable(kept) == kept
    if "\x00" not in text and text.isprintable():
        assert kept == text


@pytest.mark.parametrize(
    ("text", "written"),
    [("a\x00b", "a\\u0000b"), ("\ud83d!", "\\ud83d!"), ("\udfff", "\\udfff"), ("\\", "\\")],
)
def test_what_no_column_holds_is_written_as_its_code_point(text, written):
    assert storable(text) == written


@QUICK
@given(text=ANY, thinking=st.none() | ANY, error=st.none() | ANY, complaint=st.none() | ANY)
def test_a_call_comes_back_with_any_text(make, shelf, text, thinking, error, complaint):
    call = make.call(
        text=text,
        thinking=thinking,
        error=error,
        complaint=complaint,
        tokens_in=7,
        tokens_out=0,
        cost=make.cost,
        currency="CNY",
        latency_ms=12,
        model_returned="m-1",
    )
    kept(make, shelf, call)
    (found,) = shelf.calls.all([call.serves])
    assert found.text == storable(text)
    assert found.error == (None if error is None else storable(error))
    assert found.complaint == (None if complaint is None else storable(complaint))
    assert (found.tokens_in, found.tokens_out, found.latency_ms) == (7, 0, 12)
    assert (found.cost, found.currency, found.model_returned) == (make.cost, "CNY", "m-1")
    assert (found.key, found.serves, found.status, found.attempt) == ("c-1", "k-1", Status.OK, 1)


@QUICK
@given(model=ANY, finish=ANY)
def test_a_call_is_kept_whatever_a_provider_says_of_itself(make, shelf, model, finish):
    kept(make, shelf, make.call(model_returned=model, finish_reason=finish))
    (found,) = shelf.calls.all(["k-1"])
    assert found.model_returned == storable(model)


@QUICK
@given(question=ANY, answer=ANY, system=st.none() | ANY)
def test_a_transcript_comes_back_with_any_text(make, shelf, question, answer, system):
    messages = (Message("user", question), Message("assistant", answer))
    if system is not None:
        messages = (Message("system", system), *messages)
    transcript = make.transcript(messages=messages)
    kept(make, shelf, transcript)
    (found,) = shelf.transcripts.all([transcript.spec])
    expected = tuple(Message(m.role, storable(m.text)) for m in messages)
    assert found == replace(transcript, messages=expected)
    assert found.rounds == ((storable(question), storable(answer)),)


@QUICK
@given(summary=ANY, comment=ANY, strength=ANY, issue=ANY)
def test_a_sheet_comes_back_with_any_text(make, shelf, summary, comment, strength, issue):
    sheet = make.sheet(
        summary=summary,
        strengths=(strength,),
        issues=(issue,),
        scores=(
            Score(criterion="care", value=3.5, comment=comment),
            Score(criterion="safety", value=1.0),
        ),
        flags=("possible_injection",),
    )
    kept(make, shelf, sheet)
    (found,) = shelf.sheets.all([sheet.spec])
    assert found.scores == tuple(replace(s, comment=storable(s.comment)) for s in sheet.scores)
    assert found.summary == storable(summary)
    assert [storable(t) for t in (*found.strengths, *found.issues)] == [
        storable(strength),
        storable(issue),
    ]
    assert (found.flags, found.status, found.call, found.at) == (
        sheet.flags,
        sheet.status,
        sheet.call,
        sheet.at,
    )


@QUICK
@given(
    reason=ANY,
    outcome=st.none() | st.sampled_from(list(Outcome)),
    margin=st.none() | st.integers(1, 5),
    order=st.sampled_from(["ab", "ba", None]),
    status=st.sampled_from(list(Status)),
)
def test_a_verdict_comes_back_as_it_was(make, shelf, reason, outcome, margin, order, status):
    verdict = make.verdict(
        make.presentation(order=order),
        reason=reason,
        outcome=outcome,
        margin=margin,
        status=status,
        flags=("cut", "reason_conflict"),
        criteria=(
            CriterionVerdict(criterion="care", side=Outcome.TIE, strength=None),
            CriterionVerdict(criterion="safety", side=Outcome.B, strength=5),
        ),
    )
    kept(make, shelf, verdict)
    assert shelf.verdicts.all([verdict.presentation]) == [replace(verdict, reason=storable(reason))]


async def test_a_text_of_200_kb_comes_back_whole(make, store):
    text = "您好 long \n" * 20_000
    messages = (Message("user", text), Message("assistant", text[::-1]))
    transcript = make.transcript(messages=messages)
    await make.keep(store, make.call(text=text), transcript, make.sheet(summary=text))
    assert store.calls.all(["k-1"])[0].text == text
    assert store.transcripts.all([transcript.spec]) == [transcript]
    assert store.sheets.all([make.sheet_spec()])[0].summary == text


@pytest.mark.parametrize("status", list(Status))
async def test_every_status_can_be_stored(make, store, status):
    await make.keep(store, make.call(status=status, text=None))
    (found,) = store.calls.all(["k-1"])
    assert (found.status, found.text) == (status, None)


@pytest.mark.parametrize("cost", [None, Decimal(0), Decimal("0.000000001"), Decimal("123456.789")])
async def test_an_unknown_cost_stays_unknown_and_a_known_one_exact(make, store, cost):
    await make.keep(store, make.call(cost=cost))
    assert store.calls.all(["k-1"])[0].cost == cost


async def test_what_is_only_shown_is_json(make, store):
    await make.keep(store, make.sheet(strengths=("a",), issues=("b", "c")))
    ((remarks, flags),) = store._connection.execute("select remarks, flags from sheet").fetchall()
    assert json.loads(remarks) == {"strengths": ["a"], "issues": ["b", "c"]}
    assert json.loads(flags) == []
