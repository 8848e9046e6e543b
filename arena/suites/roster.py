"""The roster: agents, judges and plan of a workspace, read from data/arena.yaml."""

from collections.abc import Collection
from itertools import combinations
from pathlib import Path

from arena.domain.agent import IMPORTED, UNKNOWN, Agent, Entrant, Judge, kin
from arena.domain.config import Config, out_of_region, unbuilt
from arena.errors import ConfigError, NotBuilt, RefusedToSpend
from arena.suites.products import load_product
from arena.suites.reading import line_of, read_text, read_yaml


def load_config(path: Path) -> Config:
    """The configuration, with the system prompts' texts in place of their files.

    Raises ConfigError for a mistake (file:line, key, nearest known key) and NotBuilt for a key
    that this version knows but does not carry.
    """
    config = read_yaml(path, Config)
    for found in unbuilt(config):
        raise NotBuilt(
            "{place}: {feature}: not in this version of arena",
            fix="Remove the key; what this version cannot do it does not ignore.",
            place=f"{path}:{line_of(path, found.path)}",
            feature=found.what,
        )
    places: list[tuple[str, str | int]] = [("agents", n) for n in range(len(config.agents))]
    places += [("judges", n) for n in range(len(config.judges))]
    places += [("users", name) for name in config.users]
    everybody = (*config.agents, *config.judges, *config.users.values())
    for place, entrant in zip(places, everybody, strict=True):
        if isinstance(entrant, Agent) and entrant.kind == IMPORTED:
            _check_imported(path, place, entrant)
        elif not entrant.route:
            raise ConfigError(
                "{place}: `model` is missing",
                fix="Any LiteLLM model string, for example `model: deepseek/deepseek-chat`.",
                place=f"{path}:{line_of(path, place)}",
            )
    _check_families(path, config)
    _check_panel(path, config)
    agents = tuple(
        load_product(path, n, agent.model_copy(update={"system": _system(path, n, agent)}))
        for n, agent in enumerate(config.agents)
    )
    return config.model_copy(update={"agents": agents})


def _check_families(path: Path, config: Config) -> None:
    """Raise ConfigError where the vendor guard cannot know who is kin to whom.

    A family is never guessed from a model string; what is scripted is of no model's family. Nobody
    outside knows what a product is made of: its family stays unknown unless it is stated. Who makes
    a judge can be known, as it was chosen here: of an unknown vendor it could be anybody's kin.
    """
    if config.vendor_guard == "allow" or not config.judges:
        return
    for n, judge in enumerate(config.judges):
        if judge.vendor.casefold() == UNKNOWN:
            raise ConfigError(
                "{place}: {name}: who makes this judge?",
                why="No judge may judge its own vendor's agents, and nobody could tell which.",
                fix="Write `vendor: NAME`, or `vendor_guard: allow` to judge without that guard.",
                place=f"{path}:{line_of(path, ('judges', n, 'vendor'))}",
                name=judge.id,
            )
    everybody: list[tuple[str, int, Agent | Judge]] = [
        *(("agents", n, a) for n, a in enumerate(config.agents)),
        *(("judges", n, j) for n, j in enumerate(config.judges)),
    ]
    for kind, n, entrant in everybody:
        scripted = (entrant.model or "").startswith("scripted/")
        modelled = entrant.model is not None and not scripted
        if "family" not in entrant.model_fields_set and modelled:
            raise ConfigError(
                "{place}: {name}: which family of models is it?",
                why="No judge may judge its own family, and a model string does not tell it.",
                fix="Write `family: NAME`, or `family: unknown`: allowed, and said on the page.",
                place=f"{path}:{line_of(path, (kind, n))}",
                name=entrant.id,
            )


def _check_panel(path: Path, config: Config) -> None:
    """Raise ConfigError where the guard leaves two agents fewer judges than the panel must have."""
    least = config.panel.min_judges
    if least == 1:
        return
    judges = [j for j in config.judges if not j.stand_in and "pairwise" in j.uses]
    guarded = config.vendor_guard == "exclude"
    for a, b in combinations(config.agents, 2):
        left = [j for j in judges if not guarded or not (kin(j, a) or kin(j, b))]
        if len(left) < least:
            raise ConfigError(
                "{place}: {a} and {b} would be compared by {n} judges, and {least} are asked for",
                why="Judges of an agent's own vendor or family are left out; stand-ins are extra.",
                fix="List more judges, or lower `min_judges`.",
                place=f"{path}:{line_of(path, ('panel', 'min_judges'))}",
                a=a.agent,
                b=b.agent,
                n=len(left),
                least=least,
            )


def _check_imported(path: Path, place: tuple[str, str | int], agent: Agent) -> None:
    """Raise ConfigError for what would have to be asked."""
    for key in ("model", "api_base", "system", "http", "command", "replay", "by_hand"):
        if getattr(agent, key) is not None:
            raise ConfigError(
                "{place}: an imported agent is asked nothing, so it has no `{key}`",
                fix="Remove the key; its transcripts come from arena import.",
                place=f"{path}:{line_of(path, (*place, key))}",
                key=key,
            )


def check_regions(config: Config, path: Path, *, among: Collection[str] | None = None) -> None:
    """Raise RefusedToSpend when an agent, judge or simulated user is outside `allow_regions`.

    `path`: the file that says so, for the line of the key. `among`: the ids that matter, where not
    all of them do.
    """
    for entrant in out_of_region(config):
        if among is not None and entrant.id not in among:
            continue
        raise RefusedToSpend(
            "{place}: {name}: region {region} is not in allow_regions",
            why="allow_regions: {allowed}",
            fix="Set its `region`, or allow the region; unknown is not allowed.",
            place=f"{path}:{line_of(path, (*_place(config, entrant), 'region'))}",
            name=entrant.id,
            region=entrant.region,
            allowed=", ".join(config.allow_regions),
        )


def _place(config: Config, entrant: Entrant) -> tuple[str, int | str]:
    """Where an agent, judge or simulated user stands in the file."""
    if isinstance(entrant, Agent):
        return "agents", [a.agent for a in config.agents].index(entrant.agent)
    if isinstance(entrant, Judge):
        return "judges", [j.judge for j in config.judges].index(entrant.judge)
    return "users", next(n for n, user in config.users.items() if user == entrant)


def _system(path: Path, index: int, agent: Agent) -> str | None:
    if agent.system is None:
        return None
    folder = path.parent.resolve()
    where = f"{path}:{line_of(path, ('agents', index, 'system'))}"
    # A name with a NUL makes every call on the path raise ValueError.
    file = folder.parent if "\0" in agent.system else (folder / agent.system).resolve()
    if not file.is_relative_to(folder):
        raise ConfigError(
            "{place}: `system` leads out of {folder}: {file}",
            place=where,
            folder=path.parent,
            file=agent.system,
        )
    if not file.is_file():
        raise ConfigError(
            "{place}: no such file: {file}",
            fix="`system` names a text file below data/, for example prompts/careline.md.",
            place=where,
            file=path.parent / agent.system,
        )
    return read_text(file).strip()
