from astragal.play import Line, Tally


def test_a_tally_is_the_sum_of_its_reasons_in_order():
    dice = Tally.of(4, "Sword", "a.b.c") + Line(1, "FoRK", "a.b.d")
    dice -= Line(2, "wound", "a.b.e")
    assert dice.total == 3
    assert str(dice) == "3 = 4 Sword + 1 FoRK - 2 wound"
    assert [line.label for line in dice] == ["Sword", "FoRK", "wound"]


def test_tallies_and_lists_of_lines_join():
    one, two = Tally.of(1, "x", "a.b.c"), Tally.of(2, "y", "a.b.d")
    assert (one + two).total == 3
    assert (one + (line for line in [Line(5, "z", "a.b.c")])).total == 6
    assert (one - two).total == -1


def test_each_rule_behind_a_number_is_named_once():
    tally = Tally.of(1, "x", "a.b.c") + Line(1, "y", "a.b.c") + Line(1, "z", "a.b.d")
    assert tally.rules == ("a.b.c", "a.b.d")


def test_nothing_is_nothing():
    assert Tally().total == 0
    assert str(Tally()) == "0"
    assert str(Line(-1, "wound", "a.b.c")) == "-1 wound"
