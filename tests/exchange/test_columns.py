import pytest

from arena.domain.layout import Layout
from arena.errors import UsageError
from arena.exchange.columns import recognise

OURS = [
    "scenario", "agent_a", "agent_b", "outcome", "order", "judge", "replicate", "margin",
    "weight", "domain", "tag", "criterion", "length_a", "length_b", "markdown_a", "markdown_b",
    "vendor_a", "vendor_b", "judge_vendor",
]  # fmt: skip


def test_each_of_our_own_columns_serves_as_what_it_is_called():
    layout = recognise(OURS)
    assert layout.name == "arena"
    assert layout.served() == {
        "a": "agent_a",
        "b": "agent_b",
        **{
            name: name
            for name in (
                "outcome", "order", "scenario", "judge", "replicate", "margin", "weight",
                "domain", "tag", "criterion", "judge_vendor", "length_a", "length_b",
                "markdown_a", "markdown_b", "vendor_a", "vendor_b",
            )
        },
    }  # fmt: skip
    assert layout.unused == ()
    assert layout.pairs == {
        "length": ("length_a", "length_b"),
        "markdown": ("markdown_a", "markdown_b"),
    }


@pytest.mark.parametrize(
    ("columns", "name", "served"),
    [
        (
            ["left", "right", "winner"],
            "evalica",
            {"a": "left", "b": "right", "outcome": "winner"},
        ),
        (
            ["id", "prompt", "model_x", "model_y", "worker", "winner", "left", "right"],
            "evalica",
            {
                "a": "left",
                "b": "right",
                "outcome": "winner",
                "scenario": "prompt",
                "judge": "worker",
                "id": "id",
            },
        ),
        (
            ["question_id", "model_a", "model_b", "winner", "judge", "turn", "anony", "language",
             "tstamp", "conv_metadata"],
            "lmarena",
            {
                "a": "model_a",
                "b": "model_b",
                "outcome": "winner",
                "scenario": "question_id",
                "judge": "judge",
                "domain": "language",
                "time": "tstamp",
                "metadata": "conv_metadata",
            },
        ),
        (
            ["id", "model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie"],
            "kaggle",
            {
                "a": "model_a",
                "b": "model_b",
                "a won": "winner_model_a",
                "b won": "winner_model_b",
                "tie": "winner_tie",
                "id": "id",
            },
        ),
        (
            ["scenario_id", "agent_a", "agent_b", "winner", "judge", "order", "margin"],
            "arena",
            {
                "a": "agent_a",
                "b": "agent_b",
                "outcome": "winner",
                "order": "order",
                "scenario": "scenario_id",
                "judge": "judge",
                "margin": "margin",
            },
        ),
    ],
    ids=["evalica", "llmfao", "lmarena", "kaggle", "ours"],
)  # fmt: skip
def test_the_layouts_of_the_peers_are_known(columns, name, served):
    layout = recognise(columns)
    assert (layout.name, layout.served()) == (name, served)
    assert set(layout.unused) == set(columns) - set(served.values())


def test_the_order_of_the_columns_changes_nothing():
    columns = ["prompt", "scenario", "question_id", "judge_name", "user", "winner", "outcome"]
    columns += ["model_a", "model_b", "agent_a", "agent_b"]
    there, back = recognise(columns), recognise(columns[::-1])
    assert there.served() == back.served()
    # Ours first, then the order in which the names are listed.
    assert (there.scenario, there.judge, there.outcome) == ("scenario", "user", "outcome")
    assert (there.a, there.b) == ("agent_a", "agent_b")


def test_capital_letters_and_blanks_around_a_name_do_not_matter():
    layout = recognise(["Model_A", " model_b ", "WINNER"])
    assert (layout.a, layout.b, layout.outcome) == ("Model_A", " model_b ", "WINNER")


@pytest.mark.parametrize(
    ("labels", "agents"),
    [
        (["left", "right", "tie"], ("left", "right")),
        (["model_a", "Model_B "], ("model_a", "model_b")),
        ([], ("left", "right")),
    ],
)
def test_labels_settle_between_two_pairs_of_agents(labels, agents):
    layout = recognise(["model_a", "model_b", "left", "right", "winner"], labels=labels)
    assert (layout.a, layout.b) == agents


def test_columns_called_a_and_b_serve_where_nothing_better_does():
    assert recognise(["a", "b", "outcome"]).served() == {"a": "a", "b": "b", "outcome": "outcome"}
    better = recognise(["a", "b", "model_a", "model_b", "winner"])
    assert (better.a, better.b) == ("model_a", "model_b")


def test_what_is_given_comes_before_everything():
    layout = recognise(
        ["agent_a", "agent_b", "outcome", "first", "second", "said", "len1", "len2"],
        {"a": "first", "b": "Second", "outcome": "said", "length_a": "len1", "length_b": "len2"},
    )
    assert layout.name == "custom"
    assert (layout.a, layout.b, layout.outcome) == ("first", "second", "said")
    assert layout.pairs["length"] == ("len1", "len2")
    assert "outcome" in layout.unused


def test_half_a_pair_is_no_pair():
    assert recognise(["left", "right", "winner", "length_a"]).unused == ("length_a",)


@pytest.mark.parametrize(
    ("columns", "given", "words"),
    [
        (["x", "y"], {}, ["a, b, outcome", "x, y", "--columns a=NAME,b=NAME,outcome=NAME"]),
        (["agent_a", "agent_b"], {}, ["outcome", "--columns outcome=NAME"]),
        (["agent_a", "winner"], {}, ["a, b", "agent_a, winner"]),
        (["a", "b"], {"a": "z"}, ["there is no column `z`", "a, b"]),
        (["a", "b"], {"who": "a"}, ["unknown role `who`", "scenario"]),
        (["x", "y"], {"a": "x", "b": "x", "outcome": "y"}, ["same column: x"]),
        ([], {}, ["a, b, outcome"]),
    ],
)
def test_what_cannot_be_recognised_is_said_with_what_to_do(columns, given, words):
    with pytest.raises(UsageError) as raised:
        recognise(columns, given)
    assert [word for word in words if word not in str(raised.value)] == []
    assert raised.value.exit_code == 2


def test_both_labels_of_two_bad_answers_are_ties_and_no_label_means_two_things():
    labels = recognise(["left", "right", "winner"]).labels
    assert labels["tie (bothbad)"] == labels["both_bad"] == labels["draw"] == "tie"
    assert labels["left"] == labels["model_a"] == labels["agent_a"] == "a"
    assert labels["right"] == labels["model_b"] == labels["agent_b"] == "b"
    assert all(label == label.strip().lower() for label in labels)


def test_a_layout_without_peers_knows_our_own_labels_only():
    assert dict(Layout(name="arena", a="x", b="y").labels) == {"a": "a", "b": "b", "tie": "tie"}
