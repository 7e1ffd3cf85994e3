from fractions import Fraction

from astragal.cli.charts import bars, percent
from astragal.dice import Distribution


def test_a_chance_is_never_said_to_be_certain_when_it_is_not():
    assert percent(Fraction(0)) == "0%"
    assert percent(Fraction(1)) == "100%"
    assert percent(Fraction(1, 10**9)) == "<0.1%"
    assert percent(1 - Fraction(1, 10**9)) == ">99.9%"
    assert percent(Fraction(1, 8)) == "12.5%"


def test_bars_are_as_long_as_they_are_likely_and_the_wanted_ones_are_marked():
    picture = bars(Distribution.of({0: 1, 1: 2, 2: 1}), lambda n: n >= 1).plain.splitlines()
    assert picture[0].startswith("  0 · ")
    assert picture[1].startswith("  1 ● ")
    assert picture[1].count("█") == 2 * picture[0].count("█") == 40


def test_what_is_too_rare_to_draw_is_gathered():
    picture = bars(Distribution.of({0: 10**6, 1: 1, 2: 1}), bool).plain
    assert "other: <0.1%" in picture
