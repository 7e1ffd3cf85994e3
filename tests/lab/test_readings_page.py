"""docs/readings.md says what `astragal lab readings` finds: a part of it is worked out again."""

from __future__ import annotations

import pytest

from astragal.lab.readings import BATTERY, option_flips, what_moves
from lab.readings_page import HEAD, PAGE, row, rows


@pytest.mark.slow
def test_chapters_worked_out_again_are_what_the_page_says():
    chapters = ("circles", "artha")
    moved = what_moves([flip for each in chapters for flip in option_flips(each)])
    assert [row(each) for each in moved] == [line for each in chapters for line in rows(each)]


def test_the_page_is_about_choices_that_are_there():
    flips = {(flip.option, flip.choice) for flip in option_flips()}
    lines = rows()
    assert lines
    for line in lines:
        option, choice, what, before, after = (cell.strip() for cell in line.split("|")[1:-1])
        assert (option.strip("`"), choice) in flips
        title = what.partition(": ")[0].partition(", one point")[0]
        assert title in {*(each.title for each in BATTERY), "a duel at bodies 3 and 3"}
        assert abs(float(before.rstrip("%")) - float(after.rstrip("%"))) > 0.8  # both are rounded
    text = PAGE.read_text(encoding="utf-8")
    assert f" of {len(flips)} choices move something" in text
    assert text.count("| `") == len(lines)
    assert all(f"- {each.title}\n" in text for each in BATTERY)
    assert HEAD in text
