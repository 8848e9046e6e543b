"""What people are told of a value that does not fit: one template for each kind of mistake."""

from typing import Any, get_args

from pydantic import StringConstraints

from arena.domain.gate import Where
from arena.domain.suite import Key, ScenarioId, SuiteId


def pattern_of(kind: Any) -> str:
    """The pattern that texts of a kind, like `Key`, must match; empty where there is none."""
    rules = [rule for rule in get_args(kind) if isinstance(rule, StringConstraints)]
    return next((str(rule.pattern) for rule in rules if rule.pattern), "")


SECRET_KEYS = {"api_key_env", "sampling", "headers", "query", "request", "sign"}
SPELLED = {
    r"\S": "`{key}` is empty",
    pattern_of(Key): "`{key}`: {given} is not a key: small letters, digits and _, a letter first",
    pattern_of(SuiteId): "`{key}`: {given} is not a name: small letters, digits and -",
    pattern_of(
        ScenarioId
    ): "`{key}`: {given} is not an id: letters, digits, dot, - and _, at most 64",
    pattern_of(Where): "`{key}`: {given} is none of red_flags, all, domain:NAME, tag:NAME",
}
"""Where a text does not match a pattern."""
KINDS = {
    "literal_error": "`{key}`: {given} is none of these: {expected}",
    "string_type": "`{key}`: should be a text, not {given}",
    "int_type": "`{key}`: should be a whole number, not {given}",
    "int_parsing": "`{key}`: should be a whole number, not {given}",
    "float_type": "`{key}`: should be a number, not {given}",
    "float_parsing": "`{key}`: should be a number, not {given}",
    "tuple_type": "`{key}`: should be a list, not {given}",
}
"""By pydantic's name of the mistake."""
RULES = (
    "`criteria` lists twice: {names}",
    "`compare` lists twice: {names}",
    "`gates` lists twice: {names}",
    "`gates` names no suite of `suites`: {names}",
    "`compare` names no criterion of this rubric: {names}",
    "`spread` asks for what is not on the scale: {names}",
    "`cannot_judge` needs `rounds` or `empty`",
    "no criterion counts",
    "`scale` needs two numbers, the lower first",
    "a neutral criterion cannot count: add `counts: false`",
    "the shares of `mix` must sum to 1",
    "an agent is reached one way, not by: {names}",
    "`version` is missing: what a product is changes without notice",
    "`by_hand` is true or false",
    "`price` is for what is asked here, and nothing is asked by hand",
    "this is for models, and the agent is a product: {names}",
    "an address must begin with http:// or https://",
    "an address must not hold a user or password; use `headers`",
    "an address must not hold a query; use `query`",
    "an address must not hold a variable; use `headers` or `query`",
    "a condition is written like `$.errcode == 0`",
    "a placeholder must be the whole value: {names}",
    "a secret does not stand in this file, only its variable: {names}",
    "nothing fills the placeholder: {names}",
    "`request` is a mapping, like `text: $message`",
    "`request` sends no $message",
    "`reply` is missing",
    "`poll` and `stream` exclude each other",
    "`sign` needs one of `header` and `field`",
    "`token` is missing: $token is used",
    "`baseline` and the design `against` go together",
    "`baseline` is none of the agents: {names}",
    "the design `all` takes no number of `comparisons`",
    "the design `adaptive` has no intervals for `stop_width`",
    "`looks` needs `stop_width`",
)
"""What records say themselves, a suite's and an agent's, where a rule of theirs is broken."""


def complaint_of(error: Any) -> tuple[str, dict[str, str]]:
    """The template of one of pydantic's complaints, and its facts; no value of a secret key."""
    key = ".".join(str(part) for part in error["loc"] if not _is_type_name(part))
    match error["type"]:
        case "extra_forbidden":
            return "unknown key `{key}`", {"key": key}
        case "missing":
            return "`{key}` is missing", {"key": key}
        case "string_too_short" | "too_short" if not error["input"]:
            return "`{key}` is empty", {"key": key}
        case "value_error":
            return _rule(str(error["ctx"]["error"]), key)
        case "model_type" | "dict_type":
            return "`{key}`: should be a mapping, `key: value`", {"key": key}
        case _ if SECRET_KEYS & set(map(str, error["loc"])):
            # What stands there may be a key that was pasted into the wrong place.
            return "`{key}`: {reason}", {"key": key, "reason": error["msg"].lower()}
        case _:
            return _misfit(error, key)


def _rule(reason: str, key: str) -> tuple[str, dict[str, str]]:
    for template in RULES:
        said, _, _ = template.partition("{names}")
        if reason.startswith(said):
            return template, {"key": key, "names": reason.removeprefix(said)}
    return ("`{key}`: {reason}" if key else "{reason}"), {"key": key, "reason": reason}


def _misfit(error: Any, key: str) -> tuple[str, dict[str, str]]:
    given = repr(error["input"])
    facts = {"key": key, "given": given if len(given) <= 60 else given[:57] + "…"}
    context = error.get("ctx", {})
    if template := SPELLED.get(context.get("pattern", "")) or KINDS.get(error["type"]):
        return template, facts | {"expected": str(context.get("expected", ""))}
    return "`{key}`: {reason}, not {given}", facts | {"reason": error["msg"].lower()}


def _is_type_name(part: str | int) -> bool:
    # pydantic puts the branch of a union into the path: `CompareCriterion`, `constrained-str`.
    return isinstance(part, str) and (part[:1].isupper() or "constrained-str" in part)
