"""Programs on this machine: the dialogue in on stdin as JSON, the reply out on stdout.

No shell is involved, the program sees no variable but those that are named, and what it started
is ended with it when it takes too long.
"""

import asyncio
import contextlib
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena.domain.call import Reply, Request
from arena.domain.product import Command
from arena.errors import ProviderFault
from arena.llm.adapters.blame import Blame
from arena.llm.adapters.parts import join_parts
from arena.llm.secrecy import SECRET_NAMES, hide_in_reply

TRY_AGAIN = 75
"""The exit code that means "try again later" (EX_TEMPFAIL of sysexits.h)."""
GRACE = 10.0
"""Seconds to wait for the end of a program that was killed."""
CHUNK = 65536


class CommandProvider:
    """The provider of every `command` agent.

    `secrets`: for each agent, the variables that its program sees. `folder`: where programs run.
    `find`: from the name of a program to where it is, None where there is none.
    """

    def __init__(
        self,
        commands: Mapping[str, Command],
        *,
        secrets: Mapping[str, Mapping[str, str]],
        folder: Path,
        find: Callable[[str], str | None],
    ) -> None:
        self._commands = commands
        self._secrets = secrets
        self._folder = folder
        self._find = find

    async def __call__(self, request: Request) -> Reply:
        """One attempt; raises ProviderFault."""
        name = request.endpoint.id.removeprefix("agent:")
        command = self._commands.get(name)
        if command is None:
            raise ProviderFault("rejected", f"no product called {name}", status=404)
        environment = dict(self._secrets.get(name, {}))
        blame = Blame(f"command {Path(command.run[0]).name}", environment.values())
        process = await self._start(command, environment, blame)
        try:
            async with asyncio.timeout(request.endpoint.timeout):
                out, err = await _converse(process, _asked(request), command.max_bytes, blame)
        except TimeoutError:
            said = f"no reply within {request.endpoint.timeout:g} s (`limits: timeout`); stopped"
            raise blame.lost(said) from None
        finally:
            await _end(process)
        if process.returncode:
            raise _failed(process.returncode, err, blame)
        text, count = _read(out)
        return Reply(
            text=hide_in_reply(text, _keys(environment)),
            finish_reason="stop" if count <= 1 else f"messages:{count}",
            note=None if text.strip() else f"{blame.host}: an empty reply",
        )

    async def _start(self, command: Command, environment: dict[str, str], blame: Blame) -> Process:
        program = command.run[0]
        # A name alone is looked up where we look; a path is one from the workspace's folder.
        found = program if os.sep in program or "/" in program else self._find(program)
        if found is None:
            raise blame.fault("rejected", "no such program (`command: run`)")
        try:
            return await asyncio.create_subprocess_exec(
                found,
                *command.run[1:],
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=environment,
                cwd=self._folder,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a program"
            raise blame.fault("rejected", f"cannot be started: {reason} (`command: run`)") from None


def _keys(environment: Mapping[str, str]) -> list[str]:
    """The values that are secrets by their name: a path or a language is none."""
    return [value for name, value in environment.items() if SECRET_NAMES.search(name)]


def _asked(request: Request) -> bytes:
    """What the program is given: the dialogue, and who speaks; nothing of the scenario."""
    said: dict[str, Any] = {
        "messages": [{"role": m.role, "content": m.text} for m in request.messages],
        "user": request.sitting.user if request.sitting else "",
    }
    return json.dumps(said).encode()


async def _converse(process: Process, asked: bytes, most: int, blame: Blame) -> tuple[bytes, bytes]:
    """Give, and take up to a limit from both ends."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise blame.fault("rejected", "cannot be talked to")

    async def give(stdin: asyncio.StreamWriter) -> None:
        # A program that does not read to the end may well have answered.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stdin.write(asked)
            await stdin.drain()
        stdin.close()

    async def take(stream: asyncio.StreamReader, *, keep_end: bool) -> bytes:
        taken = b""
        while chunk := await stream.read(CHUNK):
            taken += chunk
            if keep_end:
                taken = taken[-CHUNK:]
            elif len(taken) > most:
                raise blame.fault("rejected", f"more than {most} bytes (`command: max_bytes`)")
        return taken

    giving = asyncio.create_task(give(process.stdin))
    taking = asyncio.create_task(take(process.stderr, keep_end=True))
    try:
        out = await take(process.stdout, keep_end=False)
        err = await taking
        await giving
        await process.wait()
    finally:
        for task in (giving, taking):
            task.cancel()
        await asyncio.gather(giving, taking, return_exceptions=True)
    return out, err


async def _end(process: Process) -> None:
    """End what is left of the program and all that it started, and wait for it."""
    if process.returncode is not None and _at_end(process):
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    streams = [stream for stream in (process.stdout, process.stderr) if stream is not None]
    # A pipe whose reading is paused never tells its end, and the wait is for that end too.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            await asyncio.gather(process.wait(), *(_drain(stream) for stream in streams))


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.read(CHUNK):
        pass


def _at_end(process: Process) -> bool:
    """Whether nobody holds the program's output any more: then nothing that it started is left."""
    return all(s is None or s.at_eof() for s in (process.stdout, process.stderr))


def _failed(code: int, err: bytes, blame: Blame) -> ProviderFault:
    lines = [line for line in err.decode("utf-8", "replace").splitlines() if line.strip()]
    said = f": {lines[-1].strip()}" if lines else ""
    how = f"exit code {code}" if code > 0 else f"ended by signal {-code}"
    return blame.fault("retry" if code == TRY_AGAIN else "rejected", f"{how}{said}")


def _read(out: bytes) -> tuple[str, int]:
    """The reply: of JSON what stands at `reply`, else the text itself."""
    text = out.decode("utf-8-sig", "replace").strip()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text, 1
    if isinstance(found, dict) and "reply" in found:
        return join_parts([found["reply"]])
    return text, 1
