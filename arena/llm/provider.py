"""The one protocol: a request in, a reply out."""

from typing import Protocol

from arena.domain.call import Reply, Request


class Provider(Protocol):
    """What turns a Request into a Reply; raises arena.errors.ProviderFault and nothing else."""

    async def __call__(self, request: Request) -> Reply:
        """One attempt, without retries."""
        ...
