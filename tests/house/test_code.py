"""Rules about the code itself that no linter of ours checks."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "arena"
MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES = [p.relative_to(ROOT).as_posix() for p in MODULES]
LONGEST = 400
HEAVY = (
    "litellm",
    "scipy",
    "choix",
    "matplotlib",
    "duckdb",
    "numpy",
    "openpyxl",
    "pydantic",
    "httpx",
    "jinja2",
)
HOMELESS = {"utils", "helpers", "common", "core", "base", "manager", "util", "misc"}


def test_there_is_code_to_check():
    assert len(MODULES) > 50


def test_no_file_is_longer_than_400_lines():
    texts = {
        p.relative_to(ROOT).as_posix(): len(p.read_text(encoding="utf-8").splitlines())
        for p in [*MODULES, *PACKAGE.rglob("*.sql"), *PACKAGE.rglob("*.j2"), *PACKAGE.rglob("*.js")]
    }
    assert {name: n for name, n in texts.items() if n > LONGEST} == {}


def test_no_file_is_named_after_no_thing():
    named = {part.removesuffix(".py") for name in NAMES for part in name.split("/")}
    assert named & HOMELESS == set()


def test_nothing_is_printed_past_the_one_printer():
    found = [
        f"{p.relative_to(ROOT).as_posix()}:{n}"
        for p in MODULES
        for n, line in enumerate(p.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(r"(?<![\w.])print\(", line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("pattern", "allowed"),
    [
        (r"\bdatetime\.now\(|\btime\.time\(", {"arena/cli/workspace.py"}),
        (r"\bnp\.random\.(?!Generator|default_rng|SeedSequence|PCG64|Philox)\w+\(", set()),
        (r"^\s*(import|from) random\b", set()),
        (r"\bsys\.exit\(|\bexit\(\d", {"arena/cli/misuse.py"}),
        (r"^\s*assert ", set()),
        (r"\bpickle\b|\beval\(|\bexec\(|yaml\.unsafe", set()),
    ],
    ids=["time", "global randomness", "random", "exit", "assert", "code from data"],
)
def test_what_is_an_argument_is_not_taken_from_the_outside(pattern, allowed):
    found = {
        p.relative_to(ROOT).as_posix()
        for p in MODULES
        if re.search(pattern, p.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found - allowed == set()


# What the vocabulary says never to use, where it cannot mean anything else.
BANNED = r"\b(battles?|matchups?|contestants?|leader ?board_table|judg[e]?ments?)\b"


def test_peers_words_stay_out_of_the_code():
    found = {
        f"{p.relative_to(ROOT).as_posix()}: {word}"
        for p in MODULES
        if "exchange" not in p.parts
        for word in re.findall(BANNED, p.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert found == set()


HELP = """
import sys
sys.argv = ["arena", "--help"]
from arena.cli.main import main
try:
    main()
except SystemExit as end:
    code = end.code
sys.stderr.write("\\n".join(["code", str(code), *sorted(sys.modules)]))
"""


def test_help_imports_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-c", HELP], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr[-800:]
    head, code, *modules = done.stderr.split("\n")
    assert (head, code) == ("code", "0")
    assert "Usage" in done.stdout
    assert "arena.cli.main" in modules
    assert [m for m in modules if m.split(".")[0] in HEAVY] == []


def test_importing_the_package_imports_nothing_heavy():
    code = "import arena, sys; sys.stdout.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert [m for m in done.stdout.split() if m.split(".")[0] in (*HEAVY, "typer", "rich")] == []


def test_the_import_contracts_are_kept(tmp_path):
    checker = Path(sys.executable).with_name("lint-imports")
    if not checker.exists():
        pytest.skip("import-linter is not installed beside this Python")
    done = subprocess.run(
        [str(checker), "--cache-dir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-500:]
    kept = re.search(r"Contracts: (\d+) kept, 0 broken", done.stdout)
    assert kept
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert int(kept[1]) == contracts.count("[[tool.importlinter.contracts]]") > 10
