"""The short marks beside an agent's name, each with the sentence that explains it."""

from arena.domain.standing import Standing, State
from arena.site.facts import AgentFact
from arena.site.names import Names
from arena.site.views import Badge
from arena.site.words import Say

MANY_EXCLUDED = 0.05
"""A larger part of an agent's comparisons not counted: what remains may be biased."""
NO_COMPARISONS = "no_comparisons"


def build_badges(fact: AgentFact, standing: Standing | None, names: Names) -> tuple[Badge, ...]:
    """The marks of an agent: its state, what is missing, kinship with a judge, its kind."""
    say, badges = names.say, []
    if standing is None:
        badges.append(_badge("waiting", "note", say))
    elif standing.state is not State.RANKED:
        badges.append(_badge(_state(standing), "note", say))
    if standing and _lost(standing) > MANY_EXCLUDED:
        badges.append(_badge("many_excluded", "note", say))
    if fact.kin:
        judges = say.join([names.judge(j) for j in fact.kin])
        badges.append(
            Badge(label=say("badge.kin"), tone="note", hint=say("badge.kin.hint", judges=judges))
        )
    if fact.agent is None:
        badges.append(_badge("gone", "plain", say))
    elif fact.agent.by_hand:
        badges.append(_badge("by_hand", "plain", say))
    elif fact.agent.kind != "model":
        badges.append(_badge(fact.agent.kind, "plain", say))
    return tuple(badges)


def _state(standing: Standing) -> str:
    """The state, but that an agent without any comparison says so."""
    if standing.why and standing.why.key == NO_COMPARISONS:
        return NO_COMPARISONS
    return standing.state.value


def _badge(key: str, tone: str, say: Say) -> Badge:
    return Badge(label=say(f"badge.{key}"), tone=tone, hint=say(f"badge.{key}.hint"))


def _lost(standing: Standing) -> float:
    """The part of an agent's planned comparisons that is not counted."""
    if not standing.planned:
        return 0.0
    return 1 - standing.comparisons / standing.planned
