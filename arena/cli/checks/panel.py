"""The panel: who may judge whom, pairs that are left with fewer judges, names that may float."""

from collections.abc import Iterator
from itertools import combinations

from arena.cli.checks.scene import Scene, way_of
from arena.domain.agent import UNKNOWN, Judge, kin
from arena.domain.finding import Finding
from arena.domain.served import floating_aliases

SHOWN = 5
"""Pairs that are named in a sentence."""


def check_guard(scene: Scene) -> Iterator[Finding]:
    """For each judge: the agents that the vendor guard keeps it from."""
    config = scene.bench.config
    for judge in config.judges:
        related = [a.agent for a in config.agents if kin(judge, a)]
        said = f"check_guard_{config.vendor_guard}" if related else "check_guard_free"
        yield Finding(
            check="guard",
            state="warn" if related else "ok",
            who=(f"judge:{judge.judge}",),
            said=said,
            todo="check_do_guard" if related else "",
            facts={"kin": ", ".join(related), "agents": len(config.agents)},
        )


def check_pairs(scene: Scene) -> Iterator[Finding]:
    """Pairs of agents that fewer judges may compare than sit on the panel."""
    config = scene.bench.config
    judges = [j for j in config.judges if not j.stand_in and "pairwise" in j.uses]
    keyed = scene.bench.jobs and all(job.suite.choice for job in scene.bench.jobs)
    if not judges or keyed or config.vendor_guard != "exclude":
        return
    left: dict[int, list[str]] = {}
    for a, b in combinations(config.agents, 2):
        able = sum(not (kin(j, a) or kin(j, b)) for j in judges)
        left.setdefault(able, []).append(f"{a.agent} × {b.agent}")
    for able, pairs in sorted(left.items()):
        if able == len(judges):
            continue
        more = f" (+{len(pairs) - SHOWN})" if len(pairs) > SHOWN else ""
        yield Finding(
            check="pairs",
            state="warn" if able else "fail",
            said="check_pairs_thin" if able else "check_pairs_none",
            todo="check_do_pairs",
            facts={
                "pairs": ", ".join(pairs[:SHOWN]) + more,
                "able": able,
                "of": len(judges),
                "least": config.panel.min_judges,
            },
        )


def check_families(scene: Scene) -> Iterator[Finding]:
    """Models whose family is not known, so that the guard goes by the vendor alone.

    Which model is inside a product nobody outside knows.
    """
    if not scene.bench.config.judges or scene.bench.config.vendor_guard == "allow":
        return
    unknown = [
        who
        for who, entrant in scene.entrants.items()
        if entrant.family == UNKNOWN and not who.startswith("user:") and way_of(entrant) == "model"
    ]
    if unknown:
        yield Finding(
            check="family",
            state="warn",
            who=tuple(unknown),
            said="check_family_unknown",
            todo="check_do_family",
        )


def check_aliases(scene: Scene) -> Iterator[Finding]:
    """Judges whose model may change behind its name."""
    judges = [e for e in scene.entrants.values() if isinstance(e, Judge)]
    for judge in floating_aliases(judges):
        yield Finding(
            check="alias",
            state="warn",
            who=(f"judge:{judge.judge}",),
            said="check_alias",
            todo="check_do_alias",
            facts={"model": judge.route},
        )
