"""The table of who makes the agents of an import."""

import pytest

from arena.errors import ConfigError
from arena.exchange.makers import read_makers


def table(tmp_path, text):
    path = tmp_path / "makers.csv"
    path.write_text(text, "utf-8")
    return path


def test_an_empty_cell_is_unknown(tmp_path):
    found = read_makers(table(tmp_path, "Agent,Vendor,family\nx,v,f\ny,,\nz,w\n,q,q\n"))
    assert {name: (m.vendor, m.family) for name, m in found.items()} == {
        "x": ("v", "f"),
        "y": ("unknown", "unknown"),
        "z": ("w", "unknown"),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no columns"),
        ("agent,family\nx,y\n", "no columns"),
        ("agent,vendor\nx,v\nx,w\n", ":3: x is listed twice"),
    ],
)
def test_a_table_of_another_form_is_refused(tmp_path, text, said):
    with pytest.raises(ConfigError) as caught:
        read_makers(table(tmp_path, text))
    assert said in caught.value.what.format(**caught.value.facts)
