"""After the walk: what a newcomer does next."""

import json
import subprocess
import sys


def test_running_again_asks_nothing_and_needs_no_answer(arena, walk):
    place, _ = walk
    again = arena("run", "-C", place, "--json")
    assert again.exit_code == 0, again.stderr
    document = json.loads(again.stdout)
    assert document["forecast"]["calls"] == 0
    assert sum(s["calls"] for s in document["stages"]) == 0


def test_status_of_a_finished_walk_says_to_publish(arena, walk):
    place, _ = walk
    (job,) = json.loads(arena("status", "-C", place, "--json").stdout)["jobs"]
    assert job["next"] == "arena publish"
    assert all(s["planned"] == s["present"] for s in job["stages"])


def test_the_chinese_starter_shows_the_providers_of_china_as_comments(arena, tmp_path):
    arena("init", tmp_path, "--lang", "zh")
    text = (tmp_path / "data" / "arena.yaml").read_text("utf-8")
    for sign in ("dashscope/", "deepseek/", "bigmodel/", "volcengine/", "api.moonshot.cn"):
        assert any(sign in line and line.lstrip().startswith("#") for line in text.splitlines())


def test_a_scenario_that_is_not_there_is_refused(arena, started):
    done = arena("run", "-C", started, "--scenario", "EV-1", "--lang", "en")
    assert done.exit_code == 2
    assert "no scenario called EV-1" in done.stderr


def test_a_chinese_board_survives_an_ascii_console(walk):
    place, _ = walk
    done = subprocess.run(
        [sys.executable, "-m", "arena", "rank", "-C", str(place), "--lang", "zh"],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": "", "HOME": str(place)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
