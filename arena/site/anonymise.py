"""An edition with neutral names for agents and vendors, in every text and every place.

Whatever would tell them apart by name goes: ids, names, model strings, hosts, versions, system
prompts, and their mention by agents and judges. What is told in the order of names is told in that
of the new ones; digests of what holds the true names are keyed anew. Prices and speeds stay, and
so does what an agent says of itself in other words.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import replace

from arena.domain.agent import Agent, Judge
from arena.domain.board import Board, Slice
from arena.domain.changes import AgentChange, Changes
from arena.domain.flag import Flag
from arena.domain.job import Job
from arena.domain.standing import State, order_standings
from arena.errors import CheckFailed
from arena.site.facts import AgentFact, Edition, JudgeFact
from arena.site.mirror import settle_comparison, settle_cycle, settle_pair, settle_residual
from arena.site.neutral_names import Cast
from arena.site.safety.deep import map_texts
from arena.site.safety.scan import texts_of

SECRET = "·"
"""A system prompt is told by its length alone."""


def anonymise(edition: Edition, cast: Cast, salt: bytes) -> Edition:
    """The edition under the names of a cast; the texts of its suite, too."""
    said = map_texts(replace(edition, job=_bare(edition.job)), cast.change)
    agents = {cast.agents[name].id: name for name in cast.agents}
    true = {a.agent: a for a in edition.job.agents}
    shown = {a: _agent(true[a], cast) for a in true}
    job = replace(
        said.job,
        agents=tuple(sorted(shown.values(), key=lambda a: (a.kind == "decoy", a.agent))),
        judges=tuple(_judge(j, cast) for j in said.job.judges),
    )
    board = _board(said.board, salt) if said.board else None
    place = {s.agent: n for n, s in enumerate(board.agents)} if board else {}
    facts = [replace(f, agent=shown.get(agents.get(f.id, f.id))) for f in said.agents]
    return replace(
        said,
        job=job,
        board=board,
        agents=tuple(sorted(facts, key=lambda f: _place(f, place))),
        judges=tuple(_judge_fact(j, cast) for j in said.judges),
        transcripts={
            key: tuple(sorted(of, key=lambda t: (t.agent, t.replicate)))
            for key, of in said.transcripts.items()
        },
        comparisons={
            key: tuple(
                sorted(map(settle_comparison, of), key=lambda c: (c.a, c.b, c.replicate, c.judge))
            )
            for key, of in said.comparisons.items()
        },
        guarded=tuple(sorted(said.guarded)),
        changed=tuple(sorted(said.changed)),
        ways=tuple(sorted(said.ways, key=lambda w: (w.speaker, w.entrant, -w.calls, w.asked))),
    )


def refuse_names(files: Mapping[str, bytes], cast: Cast) -> None:
    """Raises CheckFailed for a file in which a true name is left; the name is not told."""
    for path, content in files.items():
        if any(cast.find(f"{path}\n{text}") for _, text in texts_of(path, content)):
            raise CheckFailed(
                "{path} still names an agent or a vendor",
                why="--anonymise-vendors promises that nothing does; nothing was written",
                path=path,
            )


def anonymise_changes(changes: Changes, cast: Cast) -> Changes:
    """Changes under the names of a cast, told in the order of ratings and new names."""
    said = map_texts(changes, cast.change)
    parts = ("both", "new", "gone")
    return replace(
        said,
        reference=tuple(sorted(said.reference)),
        agents=tuple(
            sorted(said.agents, key=lambda c: (parts.index(c.presence), -_rating(c), c.agent))
        ),
        bridges=tuple(
            replace(b, drifts=tuple(sorted(b.drifts, key=lambda d: d.agent or "")))
            for b in said.bridges
        ),
    )


def _rating(change: AgentChange) -> float:
    standing = change.now or change.then
    return (standing.rating or 0.0) if standing else 0.0


def _place(fact: AgentFact, place: Mapping[str, int]) -> tuple[int, str]:
    return place.get(fact.id, len(place)), fact.id


def _bare(job: Job) -> Job:
    """A job without what only planning needs, which names everybody again."""
    held = job.held and replace(job.held, transcripts=(), sheets=(), presentations=())
    return replace(job, guests=(), prices={}, held=held)


def _agent(agent: Agent, cast: Cast) -> Agent:
    alias = cast.agents.get(agent.agent)
    if alias is None:
        return agent
    hidden = {
        "agent": alias.id,
        "name": alias.name,
        "short": alias.name,
        "vendor": cast.vendors.get(agent.vendor.casefold(), agent.vendor),
        "family": cast.families.get(agent.family.casefold(), agent.family),
        "version": "",
        "model": alias.model if agent.model else None,
        "api_base": None,
        "api_key_env": None,
        "sampling": {},
        "price": None,
        "system": SECRET * len(agent.system) if agent.system else None,
        "http": None,
        "command": None,
        "replay": None,
    }
    return agent.model_copy(update=hidden)


def _judge(judge: Judge, cast: Cast) -> Judge:
    """A judge, which is told by name, but for the names that are an agent's vendor or family."""
    vendor, family = judge.vendor.casefold(), judge.family.casefold()
    return judge.model_copy(
        update={
            "vendor": cast.vendors.get(vendor, judge.vendor),
            "family": cast.families.get(family, judge.family),
            "api_key_env": None,
        }
    )


def _judge_fact(fact: JudgeFact, cast: Cast) -> JudgeFact:
    return replace(fact, judge=_judge(fact.judge, cast))


def _board(board: Board, salt: bytes) -> Board:
    diagnostics, design = board.diagnostics, board.design
    audit = diagnostics.audit
    pairs = tuple(
        sorted(
            (replace(p, a=min(p.a, p.b), b=max(p.a, p.b)) for p in audit.pairs),
            key=lambda p: (p.a, p.b),
        )
    )
    return replace(
        board,
        agents=order_standings(board.agents),
        pairs=tuple(sorted(map(settle_pair, board.pairs), key=lambda p: (p.a, p.b))),
        slices=tuple(_slice(s) for s in board.slices),
        accuracy=tuple(sorted(board.accuracy, key=lambda a: (a.part, a.name, a.agent))),
        diagnostics=replace(
            diagnostics,
            cycle_examples=tuple(settle_cycle(c) for c in diagnostics.cycle_examples),
            residuals=tuple(settle_residual(r) for r in diagnostics.residuals),
            orders=dict(sorted(diagnostics.orders.items())),
            audit=replace(audit, pairs=pairs),
        ),
        data_digest=_keyed(board.data_digest, salt),
        design=design and replace(design, plan=_keyed(design.plan, salt)),
        flags=tuple(
            sorted(
                (_flag(f, salt) for f in board.flags), key=lambda f: (f.scenario, f.agent, f.flag)
            )
        ),
    )


def _slice(one: Slice) -> Slice:
    place = {state: n for n, state in enumerate(State)}
    standings = sorted(one.agents, key=lambda s: (place[s.state], -(s.rating or 0.0), s.agent))
    return replace(one, agents=tuple(standings))


def _flag(flag: Flag, salt: bytes) -> Flag:
    return replace(flag, id=_keyed(flag.id, salt), transcript=_keyed(flag.transcript, salt))


def _keyed(digest: str, salt: bytes) -> str:
    """A digest that can be compared with its like and tried out by nobody."""
    return hmac.new(salt, digest.encode(), hashlib.sha256).hexdigest()[: max(len(digest), 16)]
