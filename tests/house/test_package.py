"""What is built and what is kept in the repository."""

import importlib.util
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Written in pieces, so that this file does not find itself.
PLACES = ["/" + p for p in ("tmp/", "work/", "root/", "home/", "Users/", "var/folders/")]
HOSTS = ["pypi" + ".org", "files.python" + "hosted.org", "registry." + "npmjs", "arti" + "factory"]
BINARY = {".png", ".ico", ".woff2", ".duckdb", ".xlsx", ".gz"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        return built.name, archive.namelist()


def below(folder):
    """The files of a folder, as they are called inside the wheel."""
    return [
        p.relative_to(ROOT).as_posix()
        for p in sorted((ROOT / folder).rglob("*"))
        if p.is_file() and "__pycache__" not in p.parts
    ]


@pytest.mark.parametrize(
    "folder",
    [
        "arena/store/sql",
        "arena/judging/templates",
        "arena/cli/words",
        "arena/cli/starter",
        "arena/exchange/starter",
        "arena/serving/static",
        "arena/serving/templates",
        "arena/serving/words",
        "arena/site/words",
        "arena/site/templates",
        "arena/site/static",
    ],
)
def test_what_the_code_reads_is_inside_the_wheel(wheel, folder):
    files = below(folder)
    assert files
    assert [f for f in files if f not in wheel[1]] == []


def test_every_module_is_inside_the_wheel(wheel):
    modules = [f for f in below("arena") if f.endswith((".py", "py.typed"))]
    assert "arena/py.typed" in modules
    assert [f for f in modules if f not in wheel[1]] == []


def test_the_suites_are_inside_the_wheel(wheel):
    files = below("data/suites")
    assert len(files) > 10
    assert [f for f in files if f"arena/{f}" not in wheel[1]] == []


def test_the_wheel_holds_the_package_alone(wheel):
    tops = {name.split("/")[0] for name in wheel[1]}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"arena"}
    assert [n for n in wheel[1] if n.endswith((".pyc", ".duckdb", ".env")) or "/tests/" in n] == []


def test_the_wheel_has_the_package_s_version(wheel):
    import arena

    assert f"-{arena.__version__}-" in wheel[0]


@pytest.fixture(scope="module")
def tracked():
    """Text files of the repository, by name."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not in a git repository")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    if listed.returncode != 0:
        pytest.skip("git does not list files here")
    names = [n for n in listed.stdout.split("\0") if n and Path(n).suffix not in BINARY]
    return {n: (ROOT / n).read_text(encoding="utf-8") for n in names if (ROOT / n).is_file()}


@pytest.mark.parametrize("pattern", [*map(re.escape, PLACES)])
def test_no_path_of_a_machine_is_written_down(tracked, pattern):
    assert len(tracked) > 50
    found = [n for n, text in tracked.items() if re.search(rf"(?<![\w.~}}]){pattern}", text)]
    assert found == []


@pytest.mark.parametrize("host", HOSTS)
def test_no_host_of_a_registry_is_written_down(tracked, host):
    assert [n for n, text in tracked.items() if host in text] == []


def test_no_secret_is_kept(tracked):
    key = re.compile(
        r"\bsk-(?:proj-|ant-)?[A-Za-z0-9]{24,}\b|\bAKIA[0-9A-Z]{16}\b|-----BEGIN [A-Z ]*PRIVATE"
    )
    assert [n for n, text in tracked.items() if key.search(text)] == []
    assert [n for n in tracked if Path(n).name == ".env"] == []


def test_no_text_has_a_mark_or_carriage_returns(tracked):
    # The sample's CSV has a mark on purpose: without it a spreadsheet misreads Chinese.
    raws = {n: (ROOT / n).read_bytes() for n in tracked if not n.endswith(".csv")}
    assert [n for n, raw in raws.items() if b"\r" in raw or raw.startswith(b"\xef\xbb\xbf")] == []
