"""What `arena serve` does: from options to a service that runs until it is stopped."""

import ipaddress
import secrets
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

from arena import __version__
from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Narrowed, command_line, now, open_bench, run_id
from arena.domain.job import Job
from arena.domain.voting import HUMAN
from arena.errors import UsageError
from arena.exchange.flags import name_person
from arena.store.store import Store

if TYPE_CHECKING:
    from arena.serving.app import Terms
    from arena.serving.keeper import Desk
    from arena.serving.running import Service

SHORTEST_TOKEN = 16


def serve_workspace(given: Mapping[str, Any], lang: Lang) -> None:
    """Serve until Ctrl-C. Raises UsageError for what would let strangers in."""
    service, told = open_service(given, lang)
    for line in told:
        output.tell(line)
    try:
        service.run()
    except KeyboardInterrupt:
        output.tell(say(lang, "serve_ended"))


@contextmanager
def serving_beside(given: Mapping[str, Any], lang: Lang) -> Iterator[None]:
    """Within the block the workspace is served, on this machine alone, where `serve` asks for it.

    One process may open the database several times, so that votes go in beside what it writes.
    """
    if not given.get("serve") or given["dry_run"]:
        yield
        return
    here = {"host": "127.0.0.1", "port": given["serve_port"], "token": None, "allow_remote": False}
    kept = {name: given.get(name) for name in ("project", "suite", "mode", "serve")}
    service, told = open_service({**kept, **here}, lang)
    thread = Thread(target=service.run, name="arena-serve", daemon=True)
    thread.start()
    for line in told[:-1]:
        output.tell(line)
    host, port = service.address
    output.tell(say(lang, "serve_live", url=f"http://{host}:{port}/live"))
    try:
        yield
    finally:
        service.stop()
        thread.join(10)
        output.tell(say(lang, "serve_over"))


def open_service(given: Mapping[str, Any], lang: Lang) -> tuple["Service", list[str]]:
    """The service on its socket, and what the owner is told of it."""
    check_installed()
    from arena.serving.app import make_app
    from arena.serving.running import Service, bind

    voters = {secrets.token_urlsafe(18): _person(name) for name in given.get("voter") or ()}
    terms = _terms(given, voters, lang)
    desk = desk_of(given)
    listening = bind(given["host"], given["port"])
    service = Service(make_app(desk, terms), listening, terms.ending)
    host, port = service.address
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    told = [say(lang, "serve_board", url=url), say(lang, "serve_vote", url=url)]
    told += [
        say(lang, "serve_voter", person=person.removeprefix(HUMAN), token=token)
        for token, person in voters.items()
    ]
    return service, [*told, say(lang, "serve_stop")]


def check_installed() -> None:
    """Raise UsageError where the service's libraries are not there."""
    from importlib.util import find_spec

    if not (find_spec("fastapi") and find_spec("uvicorn")):
        raise UsageError(
            "the service needs two more libraries",
            fix="Install them: pip install 'arena-leaderboard[serve]'",
        )


def desk_of(given: Mapping[str, Any]) -> "Desk":
    """The workspace as the service needs it."""
    from arena.designing.voting import SHARE, SIZE
    from arena.serving.keeper import Desk
    from arena.serving.snapshot import Drawing

    asked = Narrowed(
        project=given.get("project"),
        suites=tuple(given.get("suite") or ()),
        mode=given.get("mode"),
    )
    # A mistake in the configuration is told before anything is served.
    bench = open_bench(asked)
    run = run_id()

    @contextmanager
    def look(patience: float) -> Iterator[tuple[Sequence[Job], Store]]:
        from arena.cli.imported_boards import looking

        with looking(asked, patience=patience) as (found, store):
            yield found.jobs, store

    def begin(store: Store) -> None:
        store.runs.add(
            run,
            command=command_line(sys.argv[1:] if not given.get("token") else ["serve"]),
            version=SOFTWARE,
            seed=bench.config.seed,
            note="",
            started_at=now(),
        )

    return Desk(
        look=look,
        database=bench.workspace.database,
        published=bench.workspace.leaderboard,
        state=bench.workspace.state,
        drawing=Drawing(
            size=given.get("presentations") or SIZE,
            share=given.get("random_share") or SHARE,
            anew=bool(given.get("draw_anew")),
            wait=bool(given.get("serve")),
            run=run,
        ),
        now=now,
        begin=begin,
    )


def _terms(given: Mapping[str, Any], voters: Mapping[str, str], lang: Lang) -> "Terms":
    from arena.serving.app import Terms
    from arena.serving.guard import Hosts
    from arena.serving.sessions import Access

    host, token = given["host"], given["token"]
    remote = not _is_here(host)
    if remote and not given["allow_remote"]:
        raise UsageError(
            "{host} lets other machines in",
            why="Transcripts and verdicts would be open to whoever reaches this machine.",
            fix="Add --allow-remote and --token, or leave --host out.",
            host=host,
        )
    if remote and (not token or len(token) < SHORTEST_TOKEN):
        raise UsageError(
            "other machines come in by a token of {n} characters or more",
            fix="Set ARENA_SERVE_TOKEN, for example to what `openssl rand -hex 16` prints.",
            n=SHORTEST_TOKEN,
        )
    names = {"localhost", *(name.lower() for name in given.get("allow_host") or ())}
    if remote:
        names |= {host.lower(), socket.gethostname().lower(), socket.getfqdn().lower()}
    return Terms(
        access=Access(token=token or None, voters=voters),
        hosts=Hosts(names=frozenset(names), remote=remote),
        lang=lang,
        version=__version__,
    )


def _is_here(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _person(name: str) -> str:
    return name_person("--voter", name)
