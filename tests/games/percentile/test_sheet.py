"""The sheet: the ten characteristics, shorthand, checks; what raises and lowers them in play."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.percentile import GAME
from astragal.games.percentile.sheet import RaiseDuration, Skill, characteristics
from astragal.rules import Options, catalogue
from games.percentile.playing import a_test, play, table_of

SHEETS = sorted((Path(str(files("astragal.games.percentile"))) / "sheets").glob("*.toml"))


def sheet(**raw: Any) -> Any:
    return GAME.read_sheet({"name": "A", **raw}, "a")


# --- The ten ------------------------------------------------------------------------------------


@pytest.mark.rules("percentile.char.range", "percentile.char.bonus_abbreviation")
def test_there_are_ten_characteristics_as_in_the_catalogue():
    rows = catalogue().table("percentile.table.characteristics").rows
    assert len(characteristics()) == len(rows) == 10
    for name, other, short, bonus, measures in rows:
        one = characteristics()[short]
        assert (one.name, one.other_name) == (name, other)
        assert one.bonus == bonus == f"{short}B"
        assert one.measures == measures


@pytest.mark.rules("percentile.char.range")
def test_values_lie_on_the_scale():
    assert sheet(characteristics={"S": 1, "T": 100}).characteristics == {"S": 1, "T": 100}
    for raw in ({"S": 0}, {"S": 101}, {"Luck": 40}):
        with pytest.raises(BadInput) as refused:
            sheet(characteristics=raw)
        assert refused.value.rule == "percentile.char.range"
    with pytest.raises(BadInput, match="only once"):
        sheet(characteristics={"S": 30, "strength": 40})


@pytest.mark.rules("percentile.char.bonus")
def test_every_bonus_is_the_tens_of_its_value():
    for value in range(1, 101):
        one = sheet(characteristics={"S": value})
        assert one.bonus("S") == int(f"{value:03d}"[:2])


def test_shorthand():
    one = sheet(
        characteristics={"weapon skill": 30, "Infamy": 20, "AG": 25},
        skills={
            "Dodge": "Agility",
            "Parry": "ws +20",
            "Deceive": "Fel -20",
            "Lore": {"characteristic": "intelligence", "training": 2},
        },
    )
    assert list(one.characteristics) == ["WS", "Inf", "Ag"]
    assert one.skills == {
        "Dodge": Skill("Ag"),
        "Parry": Skill("WS", 3),
        "Deceive": Skill("Fel", 0),
        "Lore": Skill("Int", 2),
    }


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ({"skills": {"Dodge": "Luck"}}, "a.skills.Dodge.characteristic"),
        ({"skills": {"Dodge": "Ag +7"}}, "a.skills.Dodge"),
        ({"skills": {"Dodge": ""}}, "a.skills.Dodge"),
        ({"skills": {"Dodge": 5}}, "a.skills.Dodge"),
        (
            {"skills": {"Dodge": {"characteristic": "Ag", "training": 11}}},
            "a.skills.Dodge.training",
        ),
        ({"skills": {"Agility": "Ag"}}, "a.skills.Agility"),
        ({"skills": {"Dodge": "Ag", "dodge": "Ag"}}, "a.skills.dodge"),
        ({"wounds": 5}, "a.wounds"),
        ({"characteristics": {"S": "strong"}}, "a.characteristics.S"),
        (
            {"raises": [{"characteristic": "S", "amount": 5, "why": "x"}]},
            "a.raises[0].characteristic",
        ),
    ],
)
def test_what_does_not_fit_is_named(raw: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refused:
        sheet(**raw)
    assert refused.value.place in (place, place.removeprefix("a."))
    assert "\n" not in str(refused.value)


@pytest.mark.rules("percentile.char.range", "percentile.char.influence_change")
def test_raises_on_a_sheet_are_checked_too():
    def raised(characteristic: str, amount: int, lasts: str = "scene") -> Any:
        each = {"characteristic": characteristic, "amount": amount, "why": "x", "lasts": lasts}
        return sheet(characteristics={"S": 95, "Inf": 30}, raises=[each])

    assert raised("S", 5).value("S").total == 100
    for one, rule in (
        (("S", 6), "percentile.char.range"),
        (("S", 0), "percentile.char.base"),
        (("Inf", 5), "percentile.char.influence_change"),
        (("S", 5, "for_good"), None),
    ):
        with pytest.raises(BadInput) as refused:
            raised(*one)
        assert refused.value.rule == rule


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_the_ready_sheets_can_be_read_and_written(path: Path):
    read = GAME.read_sheet(tomllib.loads(path.read_text(encoding="utf-8")), path.stem)
    assert len(read.characteristics) == 10
    assert read.skills
    assert GAME.read_sheet(GAME.write(read), path.stem) == read


def test_there_are_three_ready_sheets():
    assert len(SHEETS) == 3


# --- Raised and lowered in play -------------------------------------------------------------------


@pytest.mark.rules("percentile.char.base")
def test_raises_last_as_long_as_they_should():
    table = table_of(a={"S": 30})
    for lasts, amount in (("scene", 1), ("session", 2), ("until_ended", 4), ("for_good", 8)):
        said = {"characteristic": "S", "amount": amount, "why": lasts, "lasts": lasts}
        table = play(table, "raise_characteristic", character="a", **said).table
    value = lambda: table.character("a").value("S").total  # noqa: E731
    assert value() == 45
    assert table.character("a").characteristics["S"] == 38
    # With the session its last scene ends, too: 30, and what lasts: 4 and 8.
    assert play(table, "end_session").table.character("a").value("S").total == 42
    table = play(table, "end_scene").table
    assert value() == 44
    table = play(table, "end_session").table
    assert value() == 42
    assert [each.lasts for each in table.character("a").raises] == [RaiseDuration.UNTIL_ENDED]
    table = play(table, "end_raise", character="a", why="UNTIL_ENDED").table
    assert value() == 38
    with pytest.raises(BadInput, match="why"):
        play(table, "end_raise", character="a", why="until_ended")


@pytest.mark.rules("percentile.char.base", "percentile.char.bonus")
def test_a_raised_value_counts_for_skills_and_for_the_bonus():
    sheet = {"characteristics": {"Ag": 38}, "skills": {"Dodge": "Ag"}}
    said = {"characteristic": "Ag", "amount": 5, "why": "x"}
    played = play(table_of(a=sheet), "raise_characteristic", character="a", **said)
    assert played.outcome.bonus == 4
    assert a_test(played.table, 43, ability="Dodge").outcome.passed


@pytest.mark.rules("percentile.char.range")
def test_nothing_rises_above_100_for_a_time_or_for_good():
    table = table_of(a={"S": 90})
    for lasts in ("scene", "for_good"):
        said = {"character": "a", "characteristic": "S", "why": "x", "lasts": lasts}
        assert play(table, "raise_characteristic", amount=10, **said).outcome.value == 100
        for amount in (11, 0, -5):
            with pytest.raises(BadInput) as refused:
                play(table, "raise_characteristic", amount=amount, **said)
            assert refused.value.rule == "percentile.char.range"


@pytest.mark.rules("percentile.char.influence_change")
def test_influence_moves_by_deeds_within_the_scale_and_the_gm_says_how_far():
    table = table_of(a={"Inf": 97})
    up = {"character": "a", "deed": "notable_success", "what": "a rescue"}
    down = {**up, "deed": "public_failure"}
    assert play(table, "change_influence", (), {"amount": 3}, **up).outcome.after == 100
    assert play(table, "change_influence", (), {"amount": 96}, **down).outcome.after == 1
    for answers, said in (
        ({"amount": 4}, up),
        ({"amount": 97}, down),
        ({"amount": -1}, up),
        ({}, up),
    ):
        with pytest.raises(BadInput, match="amount"):
            play(table, "change_influence", (), answers, **said)
    for lasts in ("scene", "for_good"):
        said = {"characteristic": "Inf", "amount": 1, "why": "x", "lasts": lasts}
        with pytest.raises(NotAllowed) as refused:
            play(table, "raise_characteristic", character="a", **said)
        assert refused.value.rule == "percentile.char.influence_change"


@pytest.mark.rules("percentile.char.infamy")
def test_infamy_is_influence_by_another_name_with_other_ways_to_it():
    good, evil = {"Inf": 30}, {"evil": True, "characteristics": {"Infamy": 30}}
    table = table_of(good=good, evil=evil)
    assert table.character("good").called("Inf") == "Influence"
    assert table.character("evil").called("Inf") == "Infamy"
    for deed, change in (("notable_success", 5), ("public_failure", -5)):
        for who in ("good", "evil"):
            said = {"character": who, "deed": deed, "what": "x"}
            played = play(table, "change_influence", (), {"amount": 5}, **said)
            assert played.outcome.after == 30 + change
            assert played.asked[0].because == "percentile.char.influence_change"
    said = {"deed": "other_ways", "what": "x"}
    gained = play(table, "change_influence", (), {"amount": 5}, character="evil", **said)
    assert gained.outcome.after == 35
    assert gained.asked[0].because == "percentile.char.infamy"
    with pytest.raises(NotAllowed):
        play(table, "change_influence", (), {"amount": 5}, character="good", **said)
    for who in ("good", "evil"):
        assert a_test(table, 30, character=who, ability="Inf").outcome.target.total == 30


# --- Movement -----------------------------------------------------------------------------------


@pytest.mark.rules("percentile.char.agility_movement")
def test_a_higher_agility_bonus_carries_farther():
    table = table_of(slow={"Ag": 25}, quick={"Ag": 48}, between={"Ag": 30})
    rooted = play(table_of(a={"Ag": 5}), "movement", (), {"distance": 0}, character="a")
    assert (rooted.outcome.bonus, rooted.outcome.distance) == (0, 0)
    table = play(table, "movement", (), {"distance": 6}, character="slow").table
    for distance in (6, 5):
        with pytest.raises(BadInput, match="distance"):
            play(table, "movement", (), {"distance": distance}, character="quick")
    table = play(table, "movement", (), {"distance": 8}, character="quick").table
    for distance in (6, 8, 9):
        with pytest.raises(BadInput, match="distance"):
            play(table, "movement", (), {"distance": distance}, character="between")
    table = play(table, "movement", (), {"distance": 7}, character="between").table
    found = [play(table, "movement", character=who).outcome.distance for who in table.characters]
    assert found == [6, 8, 7]
    raised = {"character": "slow", "characteristic": "Ag", "amount": 5, "why": "a drug"}
    table = play(table, "raise_characteristic", **raised).table
    assert play(table, "movement", character="slow").outcome.distance == 7


@pytest.mark.rules("percentile.char.agility_movement")
def test_where_no_distance_is_left_between_two_bonuses_the_rule_refuses():
    table = table_of(a={"Ag": 20}, b={"Ag": 40}, c={"Ag": 30})
    table = play(table, "movement", (), {"distance": 6}, character="a").table
    table = play(table, "movement", (), {"distance": 7}, character="b").table
    with pytest.raises(NotAllowed) as refused:
        play(table, "movement", character="c")
    assert refused.value.rule == "percentile.char.agility_movement"


# --- The page about the game ----------------------------------------------------------------------


def test_the_sheet_in_the_docs_can_be_read_and_is_as_the_page_says():
    page = (Path(__file__).parents[3] / "docs" / "percentile.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, flags=re.S)
    ilse = GAME.read_sheet(tomllib.loads(example), "example")
    assert (ilse.bonus("Int"), ilse.bonus("Ag")) == (4, 4)
    assert not ilse.is_trained("Charm")
    assert ilse.skills["Scrutiny"].training == 2


def test_the_page_names_every_procedure_and_every_option():
    page = (Path(__file__).parents[3] / "docs" / "percentile.md").read_text(encoding="utf-8")
    for name in (*GAME.procedures, *Options.of("percentile")):
        assert f"`{name}`" in page, name
