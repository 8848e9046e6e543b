"""The adapter `command`: what a program is given, what is read of it, and how it is ended."""

import os
import sys
from pathlib import Path

import psutil
import pytest

from arena.domain.call import Endpoint, Message, Request
from arena.domain.product import Command
from arena.domain.sitting import Sitting
from arena.errors import ProviderFault
from arena.llm.adapters.command import CommandProvider

SECRET = "key-4711-of-the-program"


@pytest.fixture
def say(tmp_path):
    """Ask a program written in Python."""

    async def asked(code, *said, timeout=20.0, secrets=None, **more):
        script = tmp_path / "bot.py"
        script.write_text(code, encoding="utf-8")
        run = more.pop("run", [sys.executable, str(script)])
        provider = CommandProvider(
            {"bot": Command(run=run, **more)},
            secrets={"bot": secrets or {}},
            folder=tmp_path,
            find=lambda name: None,
        )
        roles = ("user", "assistant")
        return await provider(
            Request(
                endpoint=Endpoint(id="agent:bot", model="command/bot", timeout=timeout),
                messages=tuple(Message(roles[n % 2], text) for n, text in enumerate(said or "a")),
                sitting=Sitting(seed="s", scenario="S-1").seated(1),
            )
        )

    return asked


async def test_a_program_is_given_the_dialogue_and_nothing_of_the_scenario(say):
    code = "import sys; print(sys.stdin.read())"
    reply = await say(code, "hello", "你好", "more")
    assert '"role": "assistant"' in reply.text
    assert "S-1" not in reply.text


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ('{"reply": "hi"}', "hi"),
        ('{"reply": ["a", {"type": "card"}]}', "a\n[card]"),
        ("plain text", "plain text"),
        ('{"other": 1}', '{"other": 1}'),
        ("[1, 2]", "[1, 2]"),
        ("", ""),
    ],
)
async def test_the_reply_is_json_or_plain_text(say, printed, text):
    assert (await say(f"print({printed!r})")).text == text


async def test_a_program_sees_the_variables_that_are_named_and_no_other(say, monkeypatch):
    monkeypatch.setenv("FOREIGN_KEY", "not-for-you")
    code = "import os; print(sorted(k for k in os.environ if not k.startswith(('LC_', '__'))))"
    reply = await say(code, secrets={"BOT_KEY": SECRET}, env=("BOT_KEY",))
    assert reply.text == "['BOT_KEY']"


async def test_no_shell_reads_the_arguments(say):
    run = [sys.executable, "-c", "import sys; print(sys.argv[1])", "$(echo no) ; `id` && *"]
    assert (await say("", run=run)).text == "$(echo no) ; `id` && *"


async def fault(asked):
    with pytest.raises(ProviderFault) as caught:
        await asked
    return caught.value


async def test_an_exit_code_is_an_error_with_the_last_line_and_without_the_key(say):
    code = f"import sys; print('x\\nno key {SECRET} ', file=sys.stderr); sys.exit(3)"
    found = await fault(say(code, secrets={"BOT_KEY": SECRET}))
    assert found.fault == "rejected"
    assert found.message.endswith("exit code 3: no key [key]")
    assert found.message.startswith("command python")


async def test_one_exit_code_asks_for_another_try(say):
    assert (await fault(say("import sys; sys.exit(75)"))).fault == "retry"


async def test_a_program_that_takes_too_long_is_ended_with_all_that_it_started(say, tmp_path):
    code = (
        "import subprocess, sys, time, os\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
        "time.sleep(600)\n"
    )
    found = await fault(say(code, timeout=3.0))
    assert (found.fault, found.uncertain) == ("retry", True)
    assert "no reply within 3 s (`limits: timeout`); stopped" in found.message
    pids = [int(p) for p in Path(tmp_path / "pids").read_text().split()]
    _, left = psutil.wait_procs(
        [psutil.Process(p) for p in pids if psutil.pid_exists(p)], timeout=20
    )
    assert [p for p in left if p.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups here")
async def test_what_outlives_a_program_and_holds_its_output_is_ended_too(say, tmp_path):
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pids', 'w').write(str(child.pid))\n"
        "print('bye', flush=True)\n"
    )
    await fault(say(code, timeout=3.0))
    pid = int(Path(tmp_path / "pids").read_text())
    left = [psutil.Process(pid)] if psutil.pid_exists(pid) else []
    _, alive = psutil.wait_procs(left, timeout=20)
    assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []


async def test_a_program_that_says_too_much_is_ended(say):
    code = "import sys\nwhile True: sys.stdout.write('x' * 10000)"
    found = await fault(say(code, max_bytes=50_000))
    assert "more than 50000 bytes" in found.message


async def test_a_program_that_does_not_read_may_answer_all_the_same(say):
    reply = await say("import os; os.close(0); print('hi')", "x" * 300_000)
    assert reply.text == "hi"


@pytest.mark.parametrize("run", [["no-such-program"], ["./nothing-here"], ["."]])
async def test_a_program_that_is_not_there_is_named(say, run):
    found = await fault(say("", run=run))
    assert found.fault == "rejected"
    assert "`command: run`" in found.message
