"""What happened, told only to those who know of everybody whom it mentions."""

from __future__ import annotations

import pytest

from astragal.play import GM
from astragal.table.log.items import ToldItem
from astragal.table.log.state import Character, Restorable
from astragal.table.secrecy.redaction import discreetly, mentioned

NAMES = ["Gus", 'Gus "the Eel" Orre', "Gus\\Orre", "Güs", 'the "Eel"', "Gus (the younger)"]
SAID = ["{} comes in.", "In comes {}", "Somebody comes in:\n{}", "\t{}\n", "He said: “{}”."]


def standing(name: str) -> Restorable:
    return Restorable(characters={"spider": Character({"name": name, "player": GM}, hidden=True)})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("said", SAID)
def test_whoever_is_hidden_is_named_to_the_gm_alone(name: str, said: str):
    open_item = ToldItem("The door opens.", "note")
    items = (open_item, ToldItem(said.format(name), "note"))
    here = standing(name)
    assert mentioned(["spider"], items, here) == ["spider"]
    first, second = discreetly(items, ["spider"], here)
    assert first == open_item
    assert second.audience == (GM,)


def test_part_of_a_word_names_nobody():
    item = ToldItem("Gusts of wind.", "note")
    assert discreetly([item], ["spider"], standing("Gus")) == (item,)
    assert mentioned(["spider"], [ToldItem("wind", "note")], standing("Gus")) == []
