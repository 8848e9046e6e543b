"""The benchmark of imports runs, and both of its sides keep every row."""

from tests.bench import imports


def test_both_sides_keep_the_same_rows_and_they_can_be_ranked(tmp_path):
    csv = tmp_path / "votes.csv"
    imports.make(csv, 500)
    told = {name: {} for name in imports.PARTS}
    for name in ("floor", "ours"):
        assert imports.PARTS[name](csv, tmp_path / name, told[name]) == 500
    assert 0 < imports.ranked(csv, tmp_path / "ours", told["ranked"]) <= 500
    assert all(set(of) == {"cpu", "wall"} for of in told.values())
