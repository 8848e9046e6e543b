"""Agents that are products: the providers that reach them, and the variables that they need."""

import asyncio
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeGuard

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.agent import Agent, Entrant
from arena.errors import ConfigError
from arena.llm.adapters.command import CommandProvider
from arena.llm.adapters.http import HttpProvider
from arena.llm.adapters.replay import ReplayProvider
from arena.llm.provider import Provider


def is_product(entrant: Entrant) -> TypeGuard[Agent]:
    """Whether an entrant is an agent that is a product."""
    return isinstance(entrant, Agent) and entrant.product is not None


def open_products(
    agents: Sequence[Agent], folder: Path, secrets: Mapping[str, str]
) -> dict[str, Provider]:
    """A provider for every kind of product, by the prefix of its route.

    `folder`: where programs run.
    """
    agents = [a for a in agents if a.product is not None]
    own = {
        a.agent: {n: secrets.get(n, "") for n in a.product.variables} for a in agents if a.product
    }
    return {
        "http": HttpProvider(
            {a.agent: a.http for a in agents if a.http},
            secrets=own,
            clock=time.time,
            sleep=asyncio.sleep,
        ),
        "command": CommandProvider(
            {a.agent: a.command for a in agents if a.command},
            secrets=own,
            folder=folder,
            find=shutil.which,
        ),
        "replay": ReplayProvider({a.agent: a.replay for a in agents if a.replay}),
    }


def tell_misplaced(bench: Bench, lang: Lang) -> None:
    """Warn of a mode that asks products for what only models can give."""
    for job in bench.jobs:
        if names := ", ".join(a.agent for a in job.misplaced):
            sentence = say(lang, "mode_for_models", mode=job.mode, names=names)
            output.tell(sentence, style="yellow")


def check_variables(who: str, entrant: Entrant, secrets: Mapping[str, str]) -> None:
    """Raise ConfigError where a product needs a variable that is not set."""
    if not is_product(entrant) or entrant.product is None:
        return
    for name in sorted(entrant.product.variables):
        if not secrets.get(name):
            raise ConfigError(
                "{who}: the variable {variable} is not set",
                why="Its block in data/arena.yaml names it; an empty variable counts as unset.",
                fix="Put {variable}=… into .env beside data/, or set it in the environment.",
                who=who.split(":", 1)[1],
                variable=name,
            )
