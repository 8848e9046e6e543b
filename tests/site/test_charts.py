"""Inline pictures: one axis, nothing outside it, no styles and no markup of others."""

import re
from xml.etree import ElementTree

import pytest

from arena.site import charts
from arena.site.scatter_chart import Point, draw, make_scale


def test_whiskers_of_a_table_share_one_axis_and_stay_inside():
    axis = charts.make_axis([812.0, 1000.0, 1311.0])
    assert axis.low <= 812
    assert axis.high >= 1311
    assert 3 <= len(axis.ticks) <= 7
    for value in (-1e9, 812, 1311, 1e9):
        assert charts.INSET <= axis.place(value) <= charts.WIDTH - charts.INSET
    assert charts.make_axis([]) is None
    assert charts.make_axis([1000.0]).high > charts.make_axis([1000.0]).low
    drawn = str(charts.whisker(axis, 1000, 900, 1100, look="ranked", label='"><script>'))
    assert "<script>" not in drawn
    assert "style=" not in drawn


@pytest.mark.parametrize(
    "values",
    [
        [1000.0, 1000.0],
        [0.0, 0.0],
        [-5.0, 3.0],
        [0.0001, 0.0002],
        [0.001, 3.0, 40.0],
        [812.3, 1311.0, 1000.0],
    ],
)
def test_a_scale_holds_every_value_in_order_with_a_few_ticks(values):
    scale = make_scale(values)
    parts = [scale.part(v) for v in sorted(values)]
    assert parts == sorted(parts)
    assert all(scale.low <= v <= scale.high for v in values)
    assert len(set(parts)) == len(set(values))
    assert 2 <= len(scale.ticks) <= 8
    assert all(scale.low <= t <= scale.high * (1 + 1e-9) for t in scale.ticks)


@pytest.mark.parametrize("values", [[1.0, 99.0], [0.0, 0.0], [100.0, 100.0], [50.0]])
def test_a_scale_never_leaves_what_bounds_it(values):
    scale = make_scale(values, within=(0, 100))
    assert 0 <= scale.low <= min(values)
    assert max(values) <= scale.high <= 100
    assert scale.low < scale.high
    assert len(scale.ticks) >= 2


def test_only_a_range_of_many_times_is_logarithmic_and_never_that_of_ratings():
    assert not make_scale([1.0, 19.0], may_log=True).log
    assert not make_scale([0.0, 19.0], may_log=True).log
    assert not make_scale([40.0, 1960.0]).log
    wide = make_scale([0.01, 1.0], may_log=True)
    assert wide.log
    assert wide.part(0.1) == pytest.approx(0.5)


def test_a_scatter_puts_better_higher_and_is_whole_without_styles_or_foreign_markup():
    points = [
        Point(number=1, x=10, y=1100, x_low=-1e9, x_high=1e9, y_low=1050, y_high=1150),
        Point(number=2, x=90, y=900, solid=False),
    ]
    picture = str(
        draw(
            points,
            make_scale([10.0, 90.0]),
            make_scale([900.0, 1150.0]),
            x_name="<script>",
            y_name='"><b>',
            label='"><script>',
        )
    )
    tree = ElementTree.fromstring(picture)  # whole, or this raises
    assert not re.search(r"style|<script|<b>", picture)
    width, height = (float(n) for n in tree.attrib["viewBox"].split()[2:])
    dots = [d for d in tree.iter("circle")]
    assert float(dots[0].attrib["cy"]) < float(dots[1].attrib["cy"])
    assert float(dots[0].attrib["cx"]) < float(dots[1].attrib["cx"])
    drawn = "".join(path.attrib["d"] for path in tree.iter("path"))
    across = re.findall(r"M([-\d.]+)|H([-\d.]+)", drawn)
    upwards = re.findall(r"M[-\d.]+ ([-\d.]+)|V([-\d.]+)", drawn)
    assert len(across) > 10
    assert all(0 <= float(a or b) <= width for a, b in across)
    assert all(0 <= float(a or b) <= height for a, b in upwards)
    looks = [g.attrib["class"] for g in tree.iter("g") if g.find("circle") is not None]
    assert looks == ["ranked", "provisional"]
