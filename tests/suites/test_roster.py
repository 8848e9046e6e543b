"""The configuration file: read whole, or refused at the line of the mistake."""

import pytest

from arena.domain.money import Money
from arena.errors import ConfigError, NotBuilt, RefusedToSpend
from arena.suites.roster import check_regions, load_config

# The example of the design, without what this version refuses.
EXAMPLE = """\
suites: [{suite: eldercare-zh, mode: natural}]
replicates: 1
currency: CNY
rates: {USD: 7.1, as_of: 2026-11-29}
agents:
  - agent: careline-2
    name: {zh: 康伴 2.1, en: CareLine 2.1}
    short: 康伴
    vendor: careline
    family: qwen
    model: openai/careline-2
    api_base: https://careline.example/v1
    api_key_env: CARELINE_KEY
    region: cn
    system: prompts/x.md
    sampling: {temperature: 0.7, max_tokens: 2000}
    limits: {concurrency: 8, rpm: 120, timeout: 60}
    price: {input_per_million: 2.0, output_per_million: 8.0, currency: CNY}
  - agent: homebot
    vendor: homebot
    version: 2026Q4
    model: deepseek/deepseek-chat
    family: deepseek
judges:
  - judge: referee-a
    vendor: neutral
    model: openai/referee
    family: unknown
    uses: [rubric, pairwise]
users: {}
compare: {design: all, outcome: winner}
max_cost: 20 CNY
allow_regions: []
gates: []
"""


def load(workspace):
    return load_config(workspace.path / "data" / "arena.yaml")


def complaint(workspace, kind=ConfigError):
    with pytest.raises(kind) as caught:
        load(workspace)
    assert caught.value.exit_code == 2
    return str(caught.value).replace(str(workspace.path), "")


def test_the_whole_example_of_the_design_loads(workspace):
    workspace.write("data/arena.yaml", EXAMPLE)
    config = load(workspace)
    first, second = config.agents
    assert first.system == "Be kind."
    assert dict(first.sampling) == {"temperature": 0.7, "max_tokens": 2000}
    assert (second.version, second.system) == ("2026Q4", None)
    assert config.cap == Money(config.cap.amount, "CNY")
    assert config.money.as_of == "2026-11-29"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("outcome: winner", "outcome: margin", ":31: outcome `margin`"),
    ],
)
def test_what_is_not_built_is_refused_by_name_with_its_line(workspace, old, new, place):
    workspace.write("data/arena.yaml", EXAMPLE)
    workspace.spoil("data/arena.yaml", old, new)
    said = complaint(workspace, NotBuilt)
    assert said.startswith(f"/data/arena.yaml{place}")
    assert "not in this version of arena" in said


@pytest.mark.parametrize(
    ("design", "said"),
    [
        ("all, comparisons: 9", "the design `all` takes no number of `comparisons`"),
        ("against", "`baseline` and the design `against` go together"),
        ("even, looks: 3", "`looks` needs `stop_width`"),
        ("adaptive, stop_width: 9", "the design `adaptive` has no intervals for `stop_width`"),
        ("even, against: homebot", "unknown key `compare.against`"),
    ],
)
def test_what_a_design_cannot_mean_is_refused_with_its_line(workspace, design, said):
    workspace.write("data/arena.yaml", EXAMPLE)
    workspace.spoil("data/arena.yaml", "design: all", f"design: {design}")
    assert complaint(workspace).splitlines()[0] == f"/data/arena.yaml:31: {said}"


@pytest.mark.parametrize("place", ["../../secret.md", "../../ws/data/../../secret.md"])
def test_a_system_prompt_outside_data_is_refused(workspace, place):
    workspace.write("../secret.md", "Secret.")
    workspace.spoil("data/arena.yaml", "prompts/x.md", place)
    said = complaint(workspace)
    assert said.startswith("/data/arena.yaml:7: `system` leads out of /data")


def test_an_absolute_system_prompt_is_refused(workspace, tmp_path):
    workspace.spoil("data/arena.yaml", "prompts/x.md", str(tmp_path / "ws" / "x.md"))
    assert ":7: `system` leads out of" in complaint(workspace)


@pytest.mark.parametrize("place", ["prompts/none.md", "prompts", "''"])
def test_a_system_prompt_that_is_no_file_is_refused(workspace, place):
    workspace.spoil("data/arena.yaml", "prompts/x.md", place)
    assert complaint(workspace).startswith("/data/arena.yaml:7: no such file: ")


def test_a_system_prompt_with_a_nul_in_its_name_is_refused(workspace):
    workspace.spoil("data/arena.yaml", "prompts/x.md", '"a\\0b"')
    assert complaint(workspace).startswith("/data/arena.yaml:7: ")


@pytest.mark.parametrize(
    ("old", "place"),
    [("    model: openai/y\n", "8"), ("    model: openai/j\n", "12")],
    ids=["agent", "judge"],
)
def test_a_missing_model_is_named_with_its_line(workspace, old, place):
    workspace.spoil("data/arena.yaml", old, "")
    assert complaint(workspace).startswith(f"/data/arena.yaml:{place}: `model` is missing")


@pytest.mark.parametrize(
    ("old", "new", "said", "near"),
    [
        (
            "    vendor: a",
            "    vendor: a\n    vendr: a",
            ":6: unknown key `agents.0.vendr`",
            "vendor",
        ),
        (
            "    model: openai/j",
            "    model: openai/j\n    use: [rubric]",
            ":15: unknown key `judges.0.use`",
            "uses",
        ),
        (
            "  - suite: tiny",
            "  - suite: tiny\n    moed: lite",
            ":3: unknown key `suites.0.moed`",
            "mode",
        ),
        ("suites:", "max_costs: 3 CNY\nsuites:", ":1: unknown key `max_costs`", "max_cost"),
        (
            "    vendor: b",
            "    vendor: b\n    limits: {timeot: 3}",
            ":10: unknown key `agents.1.limits.timeot`",
            "timeout",
        ),
        (
            "    vendor: b",
            "    vendor: b\n    price: {per_cal: 3, per_call: 3, currency: CNY}",
            ":10: unknown key `agents.1.price.per_cal`",
            "per_call",
        ),
    ],
)
def test_an_unknown_key_is_named_with_its_line_and_the_nearest(workspace, old, new, said, near):
    workspace.spoil("data/arena.yaml", old, new)
    found = complaint(workspace)
    assert found.startswith(f"/data/arena.yaml{said}")
    assert f"Did you mean `{near}`?" in found


def test_a_key_like_none_gets_the_list_of_known_keys(workspace):
    workspace.spoil("data/arena.yaml", "suites:", "zzzz: 1\nsuites:")
    assert "Known keys here: suites, replicates" in complaint(workspace)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("    vendor: a", "    vendor: a\n    sampling: {api_key: sk-1}", ":6: "),
        ("    vendor: a", "    vendor: a\n    api_base: https://u:p@h/v1", ":6: "),
        ("    vendor: a", "    vendor: a\n    limits: {concurrency: 0}", ":6: "),
        ("  - agent: y", "  - agent: X", ":3: "),
        ("suites:", "max_cost: 20\nsuites:", ":1: "),
        ("suites:", "max_cost: 20 yuan\nsuites:", ":1: "),
        ("    vendor: a", "    vendor: a\n    vendor: b", ":6: "),
    ],
    ids=["secret", "password", "limit", "twice", "number", "currency", "duplicate key"],
)
def test_a_wrong_value_is_named_with_its_line(workspace, old, new, place):
    workspace.spoil("data/arena.yaml", old, new)
    assert complaint(workspace).startswith(f"/data/arena.yaml{place}")


def test_a_key_written_into_the_file_is_not_repeated_in_the_complaint(workspace):
    workspace.spoil(
        "data/arena.yaml", "    vendor: a", "    vendor: a\n    api_key_env: sk-live-abc123def456"
    )
    said = complaint(workspace)
    assert said.startswith("/data/arena.yaml:6: `agents.0.api_key_env`")
    assert "abc123def456" not in said


@pytest.mark.parametrize(
    ("region", "line", "said"),
    [("", 5, "unknown"), ("    region: us\n", 7, "us")],
    ids=["not stated: the line of the agent", "stated: the line of the key"],
)
def test_a_region_that_is_not_allowed_refuses_to_spend(workspace, region, line, said):
    workspace.spoil("data/arena.yaml", "    vendor: a\n", f"    vendor: a\n{region}")
    workspace.spoil("data/arena.yaml", "suites:", "allow_regions: [cn]\nsuites:")
    with pytest.raises(RefusedToSpend) as caught:
        check_regions(load(workspace), workspace.path / "data" / "arena.yaml")
    first = str(caught.value).splitlines()[0]
    assert first.endswith(f"arena.yaml:{line}: x: region {said} is not in allow_regions")


def test_a_simulated_user_elsewhere_is_refused_too(workspace):
    users = "users:\n  neighbour:\n    model: openai/m\n    region: us\n"
    workspace.spoil("data/arena.yaml", "suites:", f"allow_regions: [unknown]\n{users}suites:")
    with pytest.raises(RefusedToSpend, match=r"arena.yaml:5: neighbour: region us is not in"):
        check_regions(load(workspace), workspace.path / "data" / "arena.yaml")


ONCE = {
    "suites": "suites:\n  - {suite: example}\n",
    "agents": "agents:\n  - {agent: x, vendor: v, model: m}\n  - {agent: y, vendor: v, model: m}\n",
    "judges": "judges:\n  - {judge: j, vendor: w, model: m}\n",
}


@pytest.mark.parametrize(
    ("kind", "again", "line"),
    [
        ("suites", "  - {suite: example}\n", 1),
        ("agents", "  - {agent: X, vendor: v, model: m}\n", 3),
        ("judges", "  - {judge: j, vendor: w, model: m}\n", 6),
    ],
)
def test_what_is_listed_twice_is_named_at_the_line_of_its_list(tmp_path, kind, again, line):
    path = tmp_path / "arena.yaml"
    path.write_text("".join(text + again * (key == kind) for key, text in ONCE.items()), "utf-8")
    with pytest.raises(ConfigError) as found:
        load_config(path)
    assert f"arena.yaml:{line}: " in str(found.value)
    assert f"{kind.removesuffix('s')} listed twice" in str(found.value)


@pytest.mark.parametrize("base", ["https://h.example/v1?key=k3y", "https://h.example/v1#k3y"])
def test_an_address_with_a_query_is_refused(tmp_path, base):
    path = tmp_path / "arena.yaml"
    agents = ONCE["agents"].replace("{agent: x,", f"{{agent: x, api_base: '{base}',")
    path.write_text(ONCE["suites"] + agents + ONCE["judges"], "utf-8")
    with pytest.raises(ConfigError, match="must not hold a query"):
        load_config(path)
