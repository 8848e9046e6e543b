"""300 MB of JSON lines come in, in a process of their own, within 500 MB of memory."""

import json
import subprocess
import sys

import duckdb
import numpy as np
import pytest

SIZE = 300_000_000
MOST = 500
"""MB that the process may have held at once."""
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, end="")
sys.exit(code)
"""
"""Between this process and the measured one: a child begins with the memory of whoever made it."""
VOTES = """
copy (
    select
        'q' || i as question_id, 'agent-' || (h % 60) as model_a,
        'agent-' || ((h % 60 + 1 + (h // 60) % 59) % 60) as model_b,
        ['model_a', 'model_b', 'tie', 'tie (bothbad)'][1 + (h // 4096) % 4] as winner,
        'user_' || (h % 50000) as judge, 'English' as language, 1690000000.5 + i as tstamp
    from (select i, (hash(i + 7) // 65536)::bigint as h from range($rows) as rows(i)) order by i
) to '{path}' (format json)
"""


def write_votes(folder):
    path = folder / "votes.jsonl"
    with duckdb.connect() as connection:
        connection.execute(VOTES.format(path=path), {"rows": SIZE // 158})
    return ["lmarena", str(path)], path


def write_texts(folder, agents=60, size=2000):
    questions = SIZE // (agents * size)
    text = np.random.default_rng(1).bytes
    (folder / "model_answer").mkdir()
    with (folder / "question.jsonl").open("w", encoding="utf-8") as stream:
        for n in range(questions):
            row = {"uid": f"q{n}", "category": "facts", "prompt": f"Question {n}?"}
            stream.write(json.dumps(row) + "\n")
    path = folder / "model_answer" / "all.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for agent in range(agents):
            for n in range(questions):
                messages = [
                    {"role": "user", "content": f"Question {n}?"},
                    {"role": "assistant", "content": {"answer": text(size // 2).hex()}},
                ]
                row = {"uid": f"q{n}", "model": f"agent-{agent}", "messages": messages}
                stream.write(json.dumps(row) + "\n")
    return ["arena-hard", str(folder)], path


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(sys.platform == "win32", reason="no resource usage of a child here")
@pytest.mark.parametrize("write", [write_votes, write_texts])
def test_a_large_file_comes_in_within_bounded_memory(arena, tmp_path, write):
    words, path = write(tmp_path)
    assert path.stat().st_size > SIZE * 0.95
    workspace = tmp_path / "w"
    assert arena("init", workspace, "--lang", "en").exit_code == 0
    command = [sys.executable, "-m", "arena", "import", *words, "-C", str(workspace), "--as", "big"]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *command, "--json"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    said, _, used = done.stdout.decode().rpartition("\n")
    assert sum(json.loads(said)["results"]["records"].values()) > 100_000
    # Linux counts in KB, macOS in bytes.
    held = int(used) / (1024**2 if sys.platform == "darwin" else 1024)
    assert held < MOST, held
