"""Prayers, stigmata and faiths on the pages."""

from __future__ import annotations

from typing import Any

from astragal.games.burning_wheel.pages.scene_page import scene_page
from astragal.games.burning_wheel.pages.sheet_page import page
from games.burning_wheel.prayers import anselm, at_church

ANSWERED = [
    {"prayer": "aid", "ability": "Oratory", "dice": 2},
    {"prayer": "boon", "ability": "Doctrine", "intent": "preach"},
]
MARKS = [{"exponent": 7, "mark": "bleeding palms"}]


def rows(sections: Any, title: str) -> dict[str, str]:
    return {row.label: row.value for each in sections if each.title == title for row in each.rows}


def test_a_sheet_shows_prayers_in_effect_stigmata_and_the_creed():
    at = at_church(prayers=ANSWERED, stigmata=MARKS)
    shown = page(anselm(at), "anselm", at)
    given = {"Aid: Oratory": "+2D Oratory", "Boon: Doctrine": "Doctrine open-ended"}
    assert rows(shown.sections, "Answered prayers") == given
    assert given.items() <= {row.label: row.value for row in shown.badges}.items()
    assert rows(shown.sections, "Stigmata") == {"Faith 7": "bleeding palms"}
    beliefs = next(each for each in shown.sections if each.title == "Beliefs")
    assert "states the Church" in beliefs.rows[0].note
    faith = next(
        row for each in shown.sections for row in each.rows if row.label == "Faith" and row.tap
    )
    assert faith.tap.procedure == "pray"


def test_lost_faith_is_a_badge():
    at = at_church(faith_lost=True)
    shown = page(anselm(at), "anselm", at)
    assert {row.label: row.value for row in shown.badges}["Faith"] == "lost"


def test_the_scene_shows_faiths_and_holy_places():
    at = at_church(
        religion={"reach": "believers", "strictures": ["no iron"]},
        scene={"holy_places": [{"place": "the chapel", "faith": 6}]},
    )
    found = rows(scene_page(at), "Faiths and holy places")
    assert found == {
        "the Church": "only believers",
        "Holy: the chapel": "bars spirits of a Will below 6",
    }
