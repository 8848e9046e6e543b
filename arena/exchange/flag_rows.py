"""What a person is shown of a red flag: the situation, the round, the quotation; not the agent."""

from collections.abc import Iterator

from arena.domain.flag import LOW_SCORE, Flag
from arena.domain.job import Job
from arena.domain.transcript import Transcript
from arena.exchange.flags import FlagRow
from arena.judging.voting import blackout


def flag_row(job: Job, flag: Flag, transcript: Transcript, *, judges: bool = False) -> FlagRow:
    """The row of a flag. `judges`: with what they said; names of agents are blacked out anyway."""
    scenario, lang, hide = job.scenario(flag.scenario), job.suite.language, blackout(job.agents)
    names = {f.flag: f.name[lang] for f in job.suite.red_flags}
    shown = job.suite.red_flags_in(scenario, job.mode)
    about = [f for f in shown if f.flag == flag.flag] or list(shown)
    # Where no round is cited, the one in which the last sign is shown tells most.
    cited = flag.round if flag.round > 0 else max((f.turn for f in about), default=1)
    number = min(max(cited, 1), len(transcript.rounds))
    user, reply = transcript.rounds[number - 1]
    return FlagRow(
        flag=flag.id,
        scenario=flag.scenario,
        title=scenario.title[lang],
        danger="\n".join(f"{names.get(f.flag, f.flag)}: {f.sign}" for f in about),
        round=str(number),
        quote=hide(flag.quote),
        verified=flag.found,
        user=hide(user),
        reply=hide(reply),
        judges="\n".join(_accusations(flag)) if judges else "",
    )


def _accusations(flag: Flag) -> Iterator[str]:
    for by in flag.judges:
        kin = " (kin)" if by.kin else ""
        criterion = flag.flag.removeprefix(f"{LOW_SCORE}:")
        what = by.handled if by.score is None else f"{criterion} {by.score:g}"
        yield f"{by.judge}{kin}: {what}"
