"""What a process of a cluster is sent, and what it makes of it: the same provider as at home.

No secret is sent: each process looks its variables up in its own environment.
"""

import asyncio
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.cli.wiring import check_needs, custom_of, entrants_of, plays_of
from arena.cli.workspace import SOFTWARE, Bench, now
from arena.domain.agent import Agent, Entrant
from arena.errors import ConfigError
from arena.llm.asking import Tools
from arena.llm.executor import Item
from arena.llm.limiter import Limiter
from arena.llm.remote import Remote
from arena.llm.scripted import Play


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """What calls need to know beside their question.

    `wanted`: who will be asked, by endpoint; `folder`: where programs run that are products.
    """

    plays: Mapping[str, Play]
    agents: tuple[Agent, ...]
    wanted: tuple[tuple[str, Entrant], ...]
    folder: Path


def pack(bench: Bench, needed: Iterable[str]) -> Parcel:
    """What is sent to the processes of a cluster. `needed`: the endpoints that will be asked."""
    entrants = entrants_of(bench)
    return Parcel(
        plays=plays_of(bench),
        agents=bench.config.agents,
        wanted=tuple((who, entrants[who]) for who in needed),
        folder=bench.workspace.root,
    )


def open_tools(parcel: Parcel, limiter: Limiter) -> tuple[Tools, Item]:
    """The tools of this process, and its `version`; what is missing: `variable` or `folder`."""
    secrets = {name: value for name, value in os.environ.items() if value}
    custom = custom_of(parcel.plays, parcel.agents, parcel.folder, secrets)
    remote = Remote(secrets=secrets, custom=custom, now=now)
    tools = Tools(
        provider=remote, limiter=limiter, clock=time.monotonic, now=now, sleep=asyncio.sleep
    )
    return tools, {"version": SOFTWARE, **_missing(parcel, remote, secrets)}


def _missing(parcel: Parcel, remote: Remote, secrets: Mapping[str, str]) -> Item:
    programs = any(isinstance(e, Agent) and e.command for _, e in parcel.wanted)
    if programs and not parcel.folder.is_dir():
        return {"folder": str(parcel.folder)}
    try:
        check_needs(parcel.wanted, remote, secrets)
    except ConfigError as error:
        if "variable" not in error.facts:
            raise
        return {"variable": error.facts["variable"]}
    return {}
