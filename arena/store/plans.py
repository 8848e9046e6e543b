"""Plans of comparisons and the looks at them: the tables `plan` and `look`."""

import json
from dataclasses import asdict
from typing import Any

import duckdb

from arena.domain.design import Cell, ComparisonPlan, Look, Place, Terms
from arena.store.rows import dumps
from arena.store.statements import sql


class Plans:
    """What was planned, and what is in force."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def add(self, plan: ComparisonPlan, *, run: str) -> None:
        """Keep a plan, from now on the one in force; committed on return, safe to repeat."""
        options = asdict(plan.terms)
        self._connection.execute(
            sql("plan_add"),
            {
                "key": plan.key,
                "suite": plan.suite,
                "mode": plan.mode,
                "design": options.pop("design"),
                "seed": options.pop("seed"),
                "options": dumps(options),
                "agents": dumps(plan.agents),
                "places": dumps(plan.places),
                "comparisons": _indices(plan),
                "parts": dumps(plan.parts),
                "scores": plan.scores,
                "unscored": dumps(plan.unscored),
                "evened": plan.evened,
                "history": dumps(plan.history),
                "follows": plan.after,
                "run": run,
            },
        )

    def latest(self, suite: str, mode: str) -> ComparisonPlan | None:
        """The plan in force for a suite and mode with its looks; None when none was stored."""
        row = self._connection.execute(
            sql("plan_latest"), {"suite": suite, "mode": mode}
        ).fetchone()
        if row is None:
            return None
        looks = self._connection.execute(sql("looks_of"), {"plan": row[0]}).fetchall()
        return _to_plan(row[1:], looks)

    def add_look(self, plan: ComparisonPlan, look: Look, *, run: str) -> None:
        """Keep what was seen at a look; committed on return, safe to repeat."""
        self._connection.execute(sql("look_add"), {"plan": plan.key, **asdict(look), "run": run})


def _indices(plan: ComparisonPlan) -> str | None:
    """The cells by index: names would be most of the text."""
    if plan.cells is None:
        return None
    agents = {name: i for i, name in enumerate(plan.agents)}
    places = {place: i for i, place in enumerate(plan.places)}
    return dumps(
        [[places[Place(c.scenario, c.replicate)], agents[c.a], agents[c.b]] for c in plan.cells]
    )


def _to_plan(row: tuple[Any, ...], looks: list[tuple[Any, ...]]) -> ComparisonPlan:
    suite, mode, design, options, seed, agents, places, comparisons, parts, *rest = row
    scores, unscored, evened, history, after = rest
    names = tuple(json.loads(agents))
    where = tuple(Place(*place) for place in json.loads(places))
    cells = None
    if comparisons is not None:
        cells = tuple(
            Cell(where[p].scenario, where[p].replicate, names[a], names[b])
            for p, a, b in json.loads(comparisons)
        )
    return ComparisonPlan(
        suite=suite,
        mode=mode,
        terms=Terms(design=design, seed=seed, **json.loads(options)),
        agents=names,
        places=where,
        cells=cells,
        parts=tuple(json.loads(parts)),
        scores=scores,
        unscored=tuple(json.loads(unscored)),
        evened=evened,
        history=tuple(json.loads(history)),
        after=after,
        looked=tuple(_to_look(look) for look in looks),
    )


def _to_look(row: tuple[Any, ...]) -> Look:
    names = ("number", "looks", "level", "pairs", "undecided", "widest", "stopped")
    return Look(**dict(zip(names, row, strict=True)))
