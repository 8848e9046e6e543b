"""The checks that need no call, in the order of their rows.

One more check is a function from a scene to findings, in a file of its subject, and its name here.
"""

from collections.abc import Callable, Iterable

from arena.cli.checks.hosts import check_hosts, check_regions
from arena.cli.checks.keys import check_keys, check_providers
from arena.cli.checks.machine import (
    check_browser,
    check_disk,
    check_fonts,
    check_leaks,
    check_store,
    check_versions,
)
from arena.cli.checks.money import check_cap, check_prices, check_rates
from arena.cli.checks.panel import check_aliases, check_families, check_guard, check_pairs
from arena.cli.checks.products import check_programs, check_replays, check_silent
from arena.cli.checks.scene import Scene
from arena.cli.checks.suites import check_configuration, check_modes, check_prompts, check_suites
from arena.domain.finding import Finding

CHECKS: tuple[Callable[[Scene], Iterable[Finding]], ...] = (
    check_configuration,
    check_suites,
    check_modes,
    check_prompts,
    check_silent,
    check_providers,
    check_keys,
    check_hosts,
    check_regions,
    check_programs,
    check_replays,
    check_prices,
    check_rates,
    check_cap,
    check_guard,
    check_pairs,
    check_families,
    check_aliases,
    check_disk,
    check_store,
    check_leaks,
    check_versions,
    check_fonts,
    check_browser,
)


def look(scene: Scene) -> tuple[Finding, ...]:
    """What all of them find."""
    return tuple(found for check in CHECKS for found in check(scene))
