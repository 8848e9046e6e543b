"""What a plan consists of, and which calls each command made: for tests of changed plans."""

from collections import Counter
from itertools import combinations

from tests.e2e.conftest import agent, begun, judge

AGENTS = ("alpha", "bravo")
JUDGES = ("referee",)
SCENARIOS = ("S-1", "S-2")
ROUNDS = 2
TABLES = ("call", "transcript", "sheet", "score", "verdict", "verdict_criterion")
CALLS = """
select call.key, 'transcript', call.entrant, scenario, replicate, call.round::text
from call join transcript on transcript.key = serves
union all
select call.key, 'sheet', call.entrant, scenario, replicate, agent
from call join sheet on sheet.key = serves
join transcript on transcript.key = sheet.transcript
union all
select call.key, 'verdict', call.entrant, scenario, replicate, agent_a || agent_b || "order"
from call join verdict on verdict.key = serves
"""
"""Every call with what it serves: kind, who was asked, scenario, replicate, and which part."""


# --- What a plan consists of ----------------------------------------------------------------------


def replies(agents=AGENTS, scenarios=SCENARIOS, replicates=1, rounds=ROUNDS):
    return [
        ("transcript", name, scenario, replicate, str(number))
        for name in agents
        for scenario in scenarios
        for replicate in range(1, replicates + 1)
        for number in range(1, rounds + 1)
    ]


def sheets(judges=JUDGES, agents=AGENTS, scenarios=SCENARIOS, replicates=1):
    return [
        ("sheet", who, scenario, replicate, name)
        for who in judges
        for name in agents
        for scenario in scenarios
        for replicate in range(1, replicates + 1)
    ]


def verdicts(judges=JUDGES, pairs=(AGENTS,), scenarios=SCENARIOS, replicates=1):
    return [
        ("verdict", who, scenario, replicate, a + b + order)
        for who in judges
        for a, b in pairs
        for scenario in scenarios
        for replicate in range(1, replicates + 1)
        for order in ("ab", "ba")
    ]


def whole(agents=AGENTS, judges=JUDGES, scenarios=SCENARIOS, replicates=1, rounds=ROUNDS):
    return [
        *replies(agents, scenarios, replicates, rounds),
        *sheets(judges, agents, scenarios, replicates),
        *verdicts(judges, list(combinations(agents, 2)), scenarios, replicates),
    ]


# --- What was asked -------------------------------------------------------------------------------


class Ledger:
    """Runs commands and says which calls each made; nothing that was there may change."""

    def __init__(self, workspace, server):
        self.workspace, self.server = workspace, server

    def look(self):
        """Every row by table, and every call by what it serves; none before the first command."""
        if not self.workspace.results.exists():
            return {table: set() for table in TABLES}, {}
        with self.workspace.database() as database:
            rows = {table: set(database.rows(f"from {table}")) for table in TABLES}
            return rows, {key: tuple(what) for key, *what in database.rows(CALLS)}

    def asked(self, *words):
        """The calls of one command, by what they serve, as the store and the server tell them."""
        rows, calls = self.look()
        seen = Counter(begun(self.server))
        ran = self.workspace.run(*(words or ("run",)), "--yes")
        assert ran.code == 0, str(ran)
        rows_now, calls_now = self.look()
        for table, before in rows.items():
            assert before <= rows_now[table], table
        assert len(calls_now) == len(rows_now["call"])
        new = [what for key, what in calls_now.items() if key not in calls]
        assert Counter(who for _, who, *_ in new) == Counter(begun(self.server)) - seen
        return sorted(new)


def names(names, url, **more):
    return [agent(name, url, **more) for name in names]


def configure(ledger, agents, judges=JUDGES, **more):
    url = ledger.server.url
    ledger.workspace.configure(agents, [judge(name, url) for name in judges], **more)
