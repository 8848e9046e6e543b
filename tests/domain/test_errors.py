"""Errors carry facts, at most three lines, and the exit code of their kind."""

import inspect

import pytest

from arena import errors
from arena.errors import ArenaError, ConfigError, Interrupted, ProviderFault, StoreHeld

# The exit codes of the command line.
CODES = {
    "ArenaError": 1,
    "UsageError": 2,
    "NotBuilt": 2,
    "ConfigError": 2,
    "StoreError": 1,
    "StoreHeld": 1,
    "StoreBroken": 1,
    "RefusedToSpend": 4,
    "CapReached": 4,
    "ClusterLost": 1,
    "CheckFailed": 5,
    "MustNotPublish": 5,
    "ProvidersRefused": 6,
    "Interrupted": 130,
}
TREE = {
    name: cls
    for name, cls in inspect.getmembers(errors, inspect.isclass)
    if issubclass(cls, ArenaError)
}


def test_the_tree_is_the_table():
    assert {name: cls.exit_code for name, cls in TREE.items()} == CODES
    assert all(name in errors.__doc__ for name in [*CODES, "ProviderFault"])


@pytest.mark.parametrize("name", list(CODES))
def test_every_error_has_a_kind_of_its_own_and_three_lines(name):
    error = TREE[name]("what", fix="fix")
    assert str(error) == "what\nfix"
    kinds = [cls.kind for cls in TREE.values()]
    assert kinds.count(error.kind) == 1


def test_facts_fill_all_three_lines():
    error = ConfigError(
        "{file}:{line}: no", why="{file} is {x}", fix="mend {file}", file="f", line=3, x="y"
    )
    assert str(error) == "f:3: no\nf is y\nmend f"


def test_a_template_without_facts_is_taken_literally():
    assert (
        str(ConfigError("{turn} %s {", fix="write {turn} once")) == "{turn} %s {\nwrite {turn} once"
    )


def test_facts_are_put_in_literally():
    assert str(ConfigError("{what_it_is}", what_it_is="{braces} {0}")) == "{braces} {0}"


def test_a_held_store_names_its_process():
    assert StoreHeld("held by {pid}", pid=7).pid == 7
    assert str(StoreHeld("held by {pid}", pid=7)) == "held by 7"


def test_an_interruption_keeps_its_signal():
    assert Interrupted("stopped").exit_code == 130
    assert Interrupted("stopped", exit_code=143).exit_code == 143


def test_a_fault_of_a_provider_is_no_error_of_ours():
    fault = ProviderFault("retry", "later", status=429, retry_after=2.0)
    assert not isinstance(fault, ArenaError)
    assert (fault.fault, fault.message, fault.status, fault.retry_after) == (
        "retry",
        "later",
        429,
        2.0,
    )
