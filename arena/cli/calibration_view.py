"""What people's votes add to a board, in sentences."""

from collections.abc import Iterator

from arena.cli.words import Lang, say
from arena.domain.board import Calibration
from arena.domain.people_words import LEFT_OUT, OPEN_ENDED, WHY


def say_calibration(found: Calibration, lang: Lang) -> Iterator[str]:
    """How many people saw what, how far that is trusted, and what corrects nothing and why."""
    if found.why is not None and found.why not in OPEN_ENDED:
        yield say(lang, "calibration_refused", why=WHY[found.why][lang])
    else:
        yield from _corrected(found, lang)
    if found.left_out:
        told = [
            say(lang, "calibration_left", n=f"{n:,}", why=LEFT_OUT[why][lang])
            for why, n in found.left_out.items()
        ]
        yield say(lang, "calibration_left_out", left="; ".join(told))


def _corrected(found: Calibration, lang: Lang) -> Iterator[str]:
    facts = {
        "labelled": f"{found.labelled:,}",
        "scenarios": found.scenarios,
        "power": "—" if found.power is None else f"{found.power:.2f}",
    }
    if found.people is None:
        yield say(lang, "calibration", **facts)
    else:
        yield say(
            lang,
            "calibration_votes",
            people=found.people,
            chance=_part(found.probability),
            answered=_part(found.answered),
            **facts,
        )
    if found.why is not None:
        yield say(lang, "calibration_open", why=WHY[found.why][lang])
    if found.power == 0:
        yield say(lang, "calibration_alone")
    for one in found.agreement:
        value = "—" if one.value is None else f"{one.value:.3f}"
        known = one.low is not None and one.high is not None
        within = f"{one.low:.3f} – {one.high:.3f}" if known else "—"
        yield say(lang, f"agreement_{one.measure}", value=value, interval=within)


def _part(share: float | None) -> str:
    return "—" if share is None else f"{share:.0%}"
