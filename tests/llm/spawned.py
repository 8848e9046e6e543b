"""What a process of its own does with a question: it builds its tools and asks."""

import asyncio
import json

from arena.llm.asking import Tools, ask
from arena.llm.limiter import Budget, LocalLimiter
from arena.llm.scripted import Play, Scripted
from arena.suites.find import shipped_suites
from arena.suites.load import load_script, load_suite


def answer(text: str) -> str:
    """The outcome of a question, both as JSON."""
    item = json.loads(text)
    return json.dumps(asyncio.run(_answer(item)))


async def _answer(item):
    from arena.domain.call import Request

    folder = shipped_suites() / "everyday-en"
    endpoint = Request.from_item(item["request"]).endpoint
    tools = Tools(
        provider=Scripted({"everyday-en": Play(load_suite(folder), load_script(folder))}),
        limiter=LocalLimiter({endpoint.id: endpoint}, Budget(None), clock=lambda: 0.0),
        clock=lambda: 0.0,
        now=lambda: "now",
        sleep=asyncio.sleep,
    )
    return await ask(item, tools)
