"""Texts that are not published: personal data masked, or no word of an agent at all."""

from dataclasses import replace

from arena.domain.board import Board
from arena.site.facts import ComparisonFact, Edition, SheetFact, TranscriptFact, VerdictFact
from arena.site.release import Release
from arena.site.safety.deep import map_texts
from arena.site.safety.finding import hash_of
from arena.site.safety.kinds import PERSONAL, Hit, find_hits
from arena.site.words import Say


def hold_back(edition: Edition, release: Release, say: Say) -> Edition:
    """The edition as it may be shown in one language; the same one where all may be.

    In place of what is held back stand the reason and a hash that is keyed with the workspace's
    secret: whoever has the workspace can find the text by it, and nobody else can try it out.
    """
    if release.transcripts == "redacted":
        return _redacted(edition, release.salt, say)
    if release.transcripts == "none":
        return _silent(edition, release.salt, say)
    return edition


def _redacted(edition: Edition, salt: bytes, say: Say) -> Edition:
    """Without personal data in what agents, judges and people wrote.

    Names and the suite's own texts stay: what is found in these must be looked at.
    """
    job = edition.job
    names = {s.scenario for s in job.suite.scenarios} | {a.id for a in edition.agents}
    names |= {j.judge for j in job.judges} | {a.agent for a in job.agents}

    def change(text: str) -> str:
        return text if text in names else mask(text, salt, say)

    return replace(
        edition,
        texts="redacted",
        transcripts=map_texts(edition.transcripts, change),
        comparisons=map_texts(edition.comparisons, change),
        board=map_texts(edition.board, change),
    )


def mask(text: str, salt: bytes, say: Say) -> str:
    """A text in which the kind and the hash of personal data stand in place of it."""
    hits = [hit for hit in find_hits(text) if hit.kind in PERSONAL]
    for hit in reversed(hits):
        told = say("withheld.value", what=say(f"withheld.{hit.kind}"), hash=hash_of(hit, salt))
        text = text[: hit.start] + told + text[hit.end :]
    return text


def _silent(edition: Edition, salt: bytes, say: Say) -> Edition:
    """Without anything that an agent said, and without whatever may quote it."""
    board = edition.board

    def told(text: str) -> str:
        hit = Hit("reply", 0, len(text), text)
        return say("withheld.text", hash=hash_of(hit, salt))

    # Turns that were written beforehand are the suite's; a simulated user's repeat the agent.
    spoken = edition.job.user is not None

    def transcript(fact: TranscriptFact) -> TranscriptFact:
        return replace(
            fact,
            rounds=tuple(
                (told(turn) if spoken else turn, None if reply is None else told(reply))
                for turn, reply in fact.rounds
            ),
            welcome=told(fact.welcome) if fact.welcome else "",
            error="",
            sheets=tuple(_sheet(s) for s in fact.sheets),
            commentaries=(),
            held=True,
        )

    return replace(
        edition,
        texts="none",
        transcripts={
            key: tuple(transcript(f) for f in facts) for key, facts in edition.transcripts.items()
        },
        comparisons={
            key: tuple(_comparison(f) for f in facts) for key, facts in edition.comparisons.items()
        },
        board=_board(board) if board else None,
    )


def _sheet(sheet: SheetFact) -> SheetFact:
    backing = sheet.backing
    return replace(
        sheet,
        scores=tuple(replace(score, comment="") for score in sheet.scores),
        summary="",
        strengths=(),
        issues=(),
        raw="",
        complaint="",
        backing=replace(
            backing,
            evidence=(),
            suggestions=(),
            red_flags=tuple(replace(m, quote="", found=False) for m in backing.red_flags),
        ),
        rounds=tuple(_sheet(s) for s in sheet.rounds),
    )


def _comparison(fact: ComparisonFact) -> ComparisonFact:
    return replace(fact, verdicts=tuple(_verdict(v) for v in fact.verdicts))


def _verdict(verdict: VerdictFact) -> VerdictFact:
    return replace(verdict, reason="", raw="", complaint="")


def _board(board: Board) -> Board:
    return replace(
        board,
        agents=tuple(
            replace(s, eligibility=replace(s.eligibility, worst=())) if s.eligibility else s
            for s in board.agents
        ),
        flags=tuple(replace(flag, quote="", found=False) for flag in board.flags),
    )
