"""What collecting costs beside LiteLLM itself: CPU per call, committed rows included.

    python -m tests.bench.overhead [--transcripts 1000] [--rounds 3]

Transcripts of three turns are collected from a loopback server with 20 ms latency, 200 calls at
once; the same calls are made by a bare `litellm.acompletion` loop in the same process. Prints the
CPU per call of both and the median ratio of the rounds, which should be at most 1.4. The server
runs in a process of its own, so its CPU is not counted.
"""

import argparse
import asyncio
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path

from arena.cli.wiring import open_office, open_provider
from arena.cli.workspace import Bench, Narrowed, open_bench
from arena.stages.collect import collect
from arena.store.store import Store

AT_ONCE = 200
TURNS = (
    "I slept badly and the kettle is broken. What would you do first?",
    "My sister says I should ring somebody about it. I would rather not.",
    "It is evening now and nothing is done. Tell me one thing to do before bed.",
)
SUITE = {
    "suite.yaml": """
suite: bench
version: 0.1.0
name: Bench
about: Three turns, for measuring.
language: en
licence: MIT
default_mode: natural
modes: {natural: {name: Natural}}
domains: [{domain: any, name: Any}]
archetypes: [{archetype: talk, name: Talk}]
""",
    "rubric.yaml": """
rubric: main
name: Main
scale: [0, 5]
criteria: [{criterion: sense, name: Sense, question: Does it make sense?}]
compare: [sense]
""",
}


def write_workspace(folder: Path, url: str, transcripts: int, tag: str) -> None:
    suite = folder / "data" / "suites" / "bench"
    suite.mkdir(parents=True)
    for name, text in SUITE.items():
        (suite / name).write_text(text, encoding="utf-8")
    scenarios = transcripts // 2
    lines = [
        {
            "scenario": f"B-{n:04d}",
            "archetype": "talk",
            "domain": "any",
            "title": "Bench",
            "persona": {"user": "somebody"},
            "turns": [f"{turn} ({tag} {n})" for turn in TURNS],
            "notes": {"natural": "None."},
        }
        for n in range(scenarios)
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    (suite / "scenarios.jsonl").write_text(text, encoding="utf-8")
    agent = (
        "{{agent: {name}, vendor: bench, family: none, model: openai/ok, api_base: '{url}', "
        "sampling: {{max_tokens: 200}}, limits: {{concurrency: 200}}}}"
    )
    config = f"""
suites: [{{suite: bench}}]
agents:
  - {agent.format(name="one", url=url)}
  - {agent.format(name="two", url=url)}
judges:
  - {{judge: nobody, vendor: bench-judge, family: x, model: openai/ok, api_base: '{url}'}}
"""
    (folder / "data" / "arena.yaml").write_text(config, encoding="utf-8")


async def bare(bench: Bench, url: str) -> int:
    """The same calls by LiteLLM alone, each dialogue in turn, 200 at once."""
    import litellm

    places = asyncio.Semaphore(AT_ONCE)
    calls = 0

    async def play(turns: tuple[str, ...]) -> None:
        nonlocal calls
        messages: list[dict[str, str]] = []
        for turn in turns:
            messages.append({"role": "user", "content": turn})
            async with places:
                reply = await litellm.acompletion(
                    model="openai/ok",
                    api_base=url,
                    api_key="none",
                    messages=messages,
                    max_tokens=200,
                    timeout=60,
                    num_retries=0,
                    max_retries=0,
                )
            calls += 1
            messages.append({"role": "assistant", "content": reply.choices[0].message.content})

    job = bench.jobs[0]
    dialogues = [
        job.suite.user_turns(scenario, job.mode)
        for scenario in job.suite.scenarios
        for _ in job.agents
    ]
    await asyncio.gather(*(play(turns) for turns in dialogues))
    return calls


async def ours(bench: Bench, store: Store, provider: object) -> int:
    """`arena collect`, committed rows included."""
    cap: Decimal | None = None
    office = open_office(bench, provider, window=AT_ONCE, cap=cap, watch=lambda _: None)  # type: ignore[arg-type]
    async with store.writer() as writer:
        tally = await collect(bench.jobs[0], store=store, writer=writer, desk=office.desk)
    if not tally.complete:
        raise SystemExit(f"not everything was collected: {tally}")
    return tally.calls


def measured(work: object) -> tuple[float, float, int]:
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    calls = asyncio.run(work)  # type: ignore[arg-type]
    return time.process_time() - cpu, time.perf_counter() - wall, calls


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--transcripts", type=int, default=1000)
    given.add_argument("--rounds", type=int, default=3)
    asked = given.parse_args()
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.support.llm_server", "--port", "0", "--latency", "0.02"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = f"http://127.0.0.1:{json.loads(server.stdout.readline())['ready']}/v1"  # type: ignore[union-attr]
        ratios = []
        for number in range(-1, asked.rounds):
            # Round −1 warms both up and is not counted.
            size = asked.transcripts if number >= 0 else 40
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder)
                write_workspace(root, url, size, f"round {number}")
                bench = open_bench(Narrowed(project=root))
                provider = open_provider(bench, [])
                base = measured(bare(bench, url))
                with Store(bench.workspace.database) as store:
                    own = measured(ours(bench, store, provider))
            if number < 0:
                continue
            ratios.append((own[0] / own[2]) / (base[0] / base[2]))
            print(
                f"round {number + 1}: {own[2]} calls; CPU per call: "
                f"bare {base[0] / base[2] * 1000:.2f} ms, ours {own[0] / own[2] * 1000:.2f} ms; "
                f"ratio {ratios[-1]:.2f}; wall {base[1]:.1f} s and {own[1]:.1f} s"
            )
        print(json.dumps({"median_ratio": round(statistics.median(ratios), 3), "goal": 1.4}))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
