"""Where questions go: the host, the proxy on the way, whether its name is known, its region."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from arena.cli.checks.scene import Scene, way_of
from arena.domain.config import out_of_region
from arena.domain.finding import Finding
from arena.llm.adapters.wire import is_loopback, proxy_for

PATIENCE = 5.0
"""Seconds in which a name must be resolved."""


def check_hosts(scene: Scene) -> Iterator[Finding]:
    """A row for each host with everybody who is asked there."""
    there: dict[tuple[str, str | None], list[str]] = {}
    for who, entrant in scene.entrants.items():
        if way_of(entrant) in ("model", "http"):
            there.setdefault((scene.host(who), scene.address(who)), []).append(who)
    for (host, address), whos in there.items():
        yield _look(scene, host, address, tuple(whos))


def check_regions(scene: Scene) -> Iterator[Finding]:
    """Everybody who may not be asked because of where they are."""
    outside = out_of_region(scene.bench.config)
    allowed = ", ".join(scene.bench.config.allow_regions)
    for who, entrant in scene.entrants.items():
        if any(entrant is one for one in outside):
            yield Finding(
                check="region",
                state="fail",
                who=(who,),
                said="check_region_outside",
                todo="check_do_region",
                facts={"region": entrant.region, "allowed": allowed},
            )
    if allowed and not outside:
        yield Finding(
            check="region", state="ok", said="check_region_inside", facts={"allowed": allowed}
        )


def _look(scene: Scene, host: str, address: str | None, whos: tuple[str, ...]) -> Finding:
    if address is None:
        return Finding(
            check="host", state="ok", who=whos, said="check_host_litellm", facts={"host": host}
        )
    proxy = proxy_for(address)
    facts = {"host": host, "proxy": urlsplit(proxy).netloc.rpartition("@")[2] if proxy else ""}
    if proxy:
        return Finding(check="host", state="ok", who=whos, said="check_host_proxy", facts=facts)
    name = urlsplit(address).hostname or ""
    if scene.offline or is_loopback(name):
        said = "check_host_loopback" if is_loopback(name) else "check_host"
        return Finding(check="host", state="ok", who=whos, said=said, facts=facts)
    if not resolves(name):
        return Finding(
            check="host",
            state="fail",
            who=whos,
            said="check_host_unresolved",
            todo="check_do_host",
            facts=facts,
        )
    return Finding(check="host", state="ok", who=whos, said="check_host_resolved", facts=facts)


def resolves(host: str, patience: float = PATIENCE) -> bool:
    """Whether a name leads to an address, within some seconds."""
    found: list[object] = []

    def look_up() -> None:
        with contextlib.suppress(OSError, UnicodeError):
            found.extend(socket.getaddrinfo(host, None))

    # A thread of its own: looking up a name cannot be given up otherwise.
    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(patience)
    return bool(found)
