"""What the columns of a foreign file serve as.

Known by their names: ours, evalica's (left, right, winner), LMArena's (model_a, model_b, winner,
conv_metadata) and Kaggle's (model_a, model_b, winner_model_a, winner_model_b, winner_tie). Where
several columns could serve, ours comes first, then the order below; `given` comes before all.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from arena.domain.layout import SINGLE, Layout, LayoutName, Metadata, Won
from arena.errors import UsageError

AGENTS: tuple[tuple[str, str, LayoutName], ...] = (
    ("agent_a", "agent_b", "arena"),
    ("left", "right", "evalica"),
    ("model_a", "model_b", "lmarena"),
    ("a", "b", "arena"),
)
WINS = ("winner_model_a", "winner_model_b", "winner_tie")
SERVING: dict[str, tuple[str, ...]] = {
    "outcome": ("outcome", "winner"),
    "order": ("order",),
    "scenario": ("scenario", "scenario_id", "question_id", "prompt"),
    "judge": ("judge", "user", "worker", "judge_name"),
    "replicate": ("replicate",),
    "margin": ("margin",),
    "weight": ("weight",),
    "domain": ("domain", "language"),
    "tag": ("tag",),
    "criterion": ("criterion",),
    "id": ("id",),
    "time": ("tstamp",),
    "judge_vendor": ("judge_vendor",),
}
METADATA = "conv_metadata"
FACTS = {
    "length": ("sum_assistant_a_tokens", "sum_assistant_b_tokens"),
    "header": ("header_count_a", "header_count_b"),
    "list": ("list_count_a", "list_count_b"),
    "bold": ("bold_count_a", "bold_count_b"),
}
LABELS: dict[str, Won] = {
    "a": "a",
    "agent_a": "a",
    "model_a": "a",
    "left": "a",
    "b": "b",
    "agent_b": "b",
    "model_b": "b",
    "right": "b",
    "tie": "tie",
    "draw": "tie",
    "tie (bothbad)": "tie",
    "both_bad": "tie",
}
SIDE = re.compile(r"(.+)_([ab])", re.DOTALL)


def recognise(
    columns: Iterable[str], given: Mapping[str, str] | None = None, labels: Iterable[str] = ()
) -> Layout:
    """What each of `columns` serves as.

    `given`: role → column, from `--columns a=…,b=…`; roles are those of Layout and `NAME_a`,
    `NAME_b` for what is known of both sides. `labels`: outcomes seen in the file; they settle
    between two pairs of agents' columns, and are looked at only where there are two. Raises
    UsageError for a role or column that is not there, and where the agents or the outcome cannot
    be found.
    """
    columns, given = list(columns), dict(given or {})
    names = {name.strip().casefold(): name for name in reversed(columns)}
    chosen = {role: _given_column(role, name, columns, names) for role, name in given.items()}
    agents, name = _agents(chosen, names, labels)
    single = {role: chosen.get(role) or _first(names, SERVING[role]) for role in SINGLE}
    wins = None if single["outcome"] else _all(names, WINS)
    missing = [side for side, column in zip("ab", agents, strict=True) if column is None]
    if not (single["outcome"] or wins):
        missing.append("outcome")
    a, b = agents
    if a is None or b is None or missing:
        raise _unrecognised(columns, missing)
    if a == b:
        raise UsageError("a and b are the same column: {column}", column=a)
    metadata = chosen.get("metadata") or names.get(METADATA)
    taken = {a, b, metadata, *single.values(), *(wins or ())}
    pairs = _pairs(chosen, columns, names, taken)
    vendors = pairs.pop("vendor", None)
    taken |= {column for pair in pairs.values() for column in pair} | set(vendors or ())
    if wins and name == "lmarena":
        name = "kaggle"
    return Layout(
        name="custom" if chosen.keys() & {"a", "b", "outcome"} else name,
        a=a,
        b=b,
        wins=wins,
        vendors=vendors,
        metadata=_metadata(metadata),
        labels=LABELS,
        pairs=pairs,
        unused=tuple(column for column in columns if column not in taken),
        **single,
    )


def _given_column(role: str, column: str, columns: Sequence[str], names: Mapping[str, str]) -> str:
    if role not in {"a", "b", "metadata", *SINGLE} and not SIDE.fullmatch(role):
        raise UsageError(
            "--columns: unknown role `{role}`",
            fix="Roles: {known}, and NAME_a with NAME_b for what is known of both agents.",
            role=role,
            known=", ".join(("a", "b", *SINGLE)),
        )
    found = column if column in columns else names.get(column.strip().casefold())
    if found is None:
        raise UsageError(
            "--columns: there is no column `{column}`",
            why="Columns found: {columns}.",
            column=column,
            columns=", ".join(columns),
        )
    return found


def _agents(
    chosen: Mapping[str, str], names: Mapping[str, str], labels: Iterable[str]
) -> tuple[tuple[str | None, str | None], LayoutName]:
    """The columns of the two agents and the name of the layout that has them."""
    there = [pair for pair in AGENTS if pair[0] in names and pair[1] in names]
    if len(there) > 1:
        # Labels that name the sides of one pair of columns settle which pair is meant.
        seen = {label.strip().casefold() for label in labels}
        there.sort(key=lambda pair: not seen & {pair[0], pair[1]})
    if not there:
        return (chosen.get("a"), chosen.get("b")), "custom"
    a, b, name = there[0]
    return (chosen.get("a") or names[a], chosen.get("b") or names[b]), name


def _first(names: Mapping[str, str], wanted: Iterable[str]) -> str | None:
    return next((names[name] for name in wanted if name in names), None)


def _all(names: Mapping[str, str], wanted: tuple[str, str, str]) -> tuple[str, str, str] | None:
    if not all(name in names for name in wanted):
        return None
    return names[wanted[0]], names[wanted[1]], names[wanted[2]]


def _pairs(
    chosen: Mapping[str, str],
    columns: Sequence[str],
    names: Mapping[str, str],
    taken: set[str | None],
) -> dict[str, tuple[str, str]]:
    """Quantities that both sides have, by name: the given ones, then any `x_a` with its `x_b`."""
    found = {}
    for column in [*chosen, *(c.strip().casefold() for c in columns)]:
        if not (side := SIDE.fullmatch(column)) or side[1] in found:
            continue
        a, b = (chosen.get(name) or names.get(name) for name in (f"{side[1]}_a", f"{side[1]}_b"))
        if a and b and not {a, b} & taken:
            found[side[1]] = (a, b)
    return found


def _metadata(column: str | None) -> Metadata | None:
    if column is None:
        return None
    counts = {name: keys for name, keys in FACTS.items() if name != "length"}
    return Metadata(column=column, length=FACTS["length"], counts=counts)


def _unrecognised(columns: Sequence[str], missing: Sequence[str]) -> UsageError:
    return UsageError(
        "no column is known to hold: {missing}",
        why="Columns found: {columns}.",
        fix="Say which they are: --columns {example}",
        missing=", ".join(missing),
        columns=", ".join(columns) or "-",
        example=",".join(f"{role}=NAME" for role in missing),
    )
