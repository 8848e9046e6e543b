"""The benchmark of publishing runs."""

from tests.bench import site


def test_it_prints_a_row_for_every_size_with_every_figure(capsys, monkeypatch):
    monkeypatch.setattr(site, "apart", site.measure)
    site.main(["2x1", "3x1"])
    heads, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["2x1", "3x1"]
    for row in rows:
        verdicts, files, *_, peak = row.split()[1:]
        assert int(verdicts) > 0
        assert int(files) > 10
        assert float(peak) > 0
    assert len(heads.split()) == len(rows[0].split()) + 1  # "peak MB" is two words
