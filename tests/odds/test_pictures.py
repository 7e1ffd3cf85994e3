"""Pictures that any reader of XML can take apart, with a title and a description in words."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from astragal.odds import Axis, Sweep, odds, plain, sweep
from astragal.odds.svg import DARK, LIGHT, shade_of

SVG = "{http://www.w3.org/2000/svg}"


def taken_apart(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    assert "prefers-color-scheme:dark" in root.find(f"{SVG}style").text
    return root


@pytest.mark.parametrize(
    "trial",
    [
        plain("burning_wheel", dice=4, ob=2),
        plain("burning_wheel", dice=12, ob=5, open_ended=True),
        plain("burning_wheel", dice=3, versus=3),
        plain("percentile", target=43),
        plain("signs", score=8),
        plain("cores", core="d8", dn=9),
    ],
    ids=lambda trial: trial.title,
)
def test_a_chart_has_a_bar_for_every_number_that_matters(trial):
    found = odds(trial)
    root = taken_apart(found.to_svg())
    bars = [rect for rect in root.iter(f"{SVG}rect") if rect.get("class") in ("good", "plain")]
    shown = [row for row in found.rows if row.chance >= 1 / 2000]
    assert [bar.get("class") == "good" for bar in bars] == [row.good for row in shown]
    heights = [float(bar.get("height")) for bar in bars]
    highest = max(row.chance for row in shown)
    for height, row in zip(heights, shown, strict=True):
        assert height == pytest.approx(max(1, 180 * row.chance / highest), abs=0.06)
    width = float(root.get("width"))
    assert all(float(bar.get("x")) + float(bar.get("width")) <= width for bar in bars)


def test_a_heat_map_has_a_cell_for_every_test():
    grid = sweep(
        plain("burning_wheel", dice=1, ob=1),
        Axis("dice", tuple(range(1, 11))),
        Axis("ob", (1, 2, 8)),
    )
    root = taken_apart(grid.to_svg())
    cells = [rect for rect in root.iter(f"{SVG}rect") if rect.get("style")]
    assert len(cells) == 30
    titles = [cell.find(f"{SVG}title").text for cell in cells]
    assert titles[0] == "ob 1, dice 1: 50.0%"
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "<1%" in texts  # what can happen is never shown as 0%
    assert ">99%" in texts
    alone = sweep(plain("burning_wheel", dice=1, ob=1), Axis("dice", (1, 2)))
    taken_apart(alone.to_svg())


def test_of_what_is_given_away_the_most_is_red_and_nothing_is_sand():
    cells = ((Fraction(0), Fraction(1, 10)), (Fraction(1, 20), Fraction(0)))
    axes = {"across": Axis("one", (1, 2)), "down": Axis("other", (1, 2))}
    loss = Sweep(title="Given away", cells=cells, is_loss=True, **axes)
    rects = [each for each in taken_apart(loss.to_svg()).iter(f"{SVG}rect") if each.get("style")]
    fills = [rect.get("style").removeprefix("fill:") for rect in rects]
    sand, halfway, red = (shade_of(place)[0] for place in (0.5, 0.25, 0))
    assert fills == [sand, red, halfway, sand]
    assert [rect.find(f"{SVG}title").text[-5:] for rect in rects[1:3]] == ["10.0%", " 5.0%"]
    nothing = Sweep(title="", cells=((Fraction(0),) * 2,) * 2, is_loss=True, **axes)
    assert {each for line in nothing.shades for each in line} == {0.5}


def test_colours_go_from_red_to_green_with_readable_ink():
    assert shade_of(0)[0] != shade_of(1)[0]
    for percent in range(101):
        back, ink = shade_of(percent / 100)
        light = [
            sum(w * int(c[i : i + 2], 16) for w, i in ((0.3, 1), (0.59, 3), (0.11, 5)))
            for c in (back, ink)
        ]
        assert abs(light[0] - light[1]) > 75, percent


def test_notebooks_show_the_picture_and_the_numbers():
    shown = odds(plain("burning_wheel", dice=4, ob=2))._repr_html_()
    assert "<svg " in shown
    assert "<td>success</td>" in shown
    assert "68.8%" in shown
    grid = sweep(plain("burning_wheel", dice=1, ob=1), Axis("dice", (1, 2)), Axis("ob", (1, 2)))
    assert "<table>" in grid._repr_html_()


def lightness(colour: str) -> float:
    """Relative luminance as the WCAG define it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(x * weight for x, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_everything_can_be_seen_by_day_and_in_the_dark(colours):
    def contrast(kind: str, other: str = "paper") -> float:
        low, high = sorted(lightness(colours[each]) for each in (kind, other))
        return (high + 0.05) / (low + 0.05)

    for text in ("ink", "dim"):
        assert contrast(text) >= 4.5, text
    for mark in ("good", "half", "plain", "line"):
        assert contrast(mark) >= 2.6, mark
    assert contrast("good", "half") >= 1.5
