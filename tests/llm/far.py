"""What calls of the cluster's tests do, in processes that import it by name."""

import asyncio
import time
from types import SimpleNamespace


def open_tools(parcel, limiter):
    return SimpleNamespace(limiter=limiter), {}


async def begin(item, tools):
    """When the limiter let a call begin, and where."""
    number = await tools.limiter.start("agent:x", None)
    at = time.time()
    await tools.limiter.finish("agent:x", None, None, number=number)
    return {"at": at}


async def nothing(item, tools):
    await asyncio.sleep(0)
    return {}


async def fail(item, tools):
    raise ValueError("three")
