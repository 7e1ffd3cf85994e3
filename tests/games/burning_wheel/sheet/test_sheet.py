"""The character sheet: what a character is made of, and what a sheet may not say."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, Rating
from astragal.games.burning_wheel.sheet.armor_tables import ArmorPiece
from astragal.games.burning_wheel.sheet.parts import AbilityKind, AbilityLog
from astragal.games.burning_wheel.sheet.sheet import (
    Sheet,
    about_stat,
    attribute_names,
    emotional_attributes,
    parents,
    stat_names,
)
from astragal.play import Change
from games.burning_wheel.playing import a_test, declare, play, sheet, table

WHOLE: dict[str, Any] = {
    "name": "Moqtada",
    "player": "Thor",
    "concept": "a merchant of the coast",
    "stats": {
        "will": "B4",
        "perception": "B4",
        "agility": "B3",
        "speed": "B3",
        "power": "B3",
        "forte": "B4",
    },
    "attributes": {
        "health": "B4",
        "reflexes": "B3",
        "steel": "B5",
        "mortal wound": "B9",
        "faith": "B3",
    },
    "skills": {"Haggling": {"rating": "G5", "roots": ["Will"], "category": "Social"}},
    "beliefs": ["Everything has a price.", "My brother is alive.", "Water is God's."],
    "instincts": ["If surprised, I smile."],
    "traits": ["Tall", {"name": "Charming", "kind": "call_on", "abilities": ["Haggling"]}],
    "resources": "B3",
    "circles": "B2",
    "relationships": ["Yusuf, his brother"],
    "reputations": [{"name": "pays his debts", "dice": 1}],
    "affiliations": [{"name": "the merchants' guild", "dice": 1}],
    "gear": ["Robes", {"name": "Scales", "dice": {"Haggling": 1}}],
    "artha": {"fate": 2, "persona": 1},
}


# --- Who plays whom ------------------------------------------------------------------------


@pytest.mark.rules("tests.roles.gm", "tests.roles.player")
def test_each_player_answers_for_one_character_and_the_gm_for_all_others():
    at = table(
        hero={"player": "thor", "skills": {"Sword": "B4"}},
        friend={"skills": {"Sword": "B4"}},
        guard={"npc": True, "skills": {"Sword": "B4"}},
        taken={"npc": True, "player": "anna", "skills": {"Sword": "B4"}},
    )
    for who, seat in {"hero": "thor", "friend": "friend", "guard": "gm", "taken": "anna"}.items():
        run = play("open_test", declare(who, "Sword"), at, rolls=[0])
        assert run.seats["advantage"] == seat
        assert run.rolls[0].owner == seat
        # rulings are the GM's, whoever rolls
        assert {run.seats[key] for key in ("fits", "time", "disadvantages")} == {"gm"}


# --- The record ----------------------------------------------------------------------------


@pytest.mark.rules("tests.record.character_sheet")
def test_everything_on_the_record_can_be_changed_in_play():
    at = GAME.table({"moqtada": GAME.read_sheet(WHOLE, "moqtada")})
    before = at.character("moqtada")
    after = at.changed(
        Change("moqtada", "skills.Haggling.rating", Rating.parse("G5"), Rating.parse("G6"), "x"),
        Change("moqtada", "skills.Haggling.log.routine", 0, 1, "x"),
        Change("moqtada", "beliefs.0.text", "Everything has a price.", "Nothing has.", "x"),
        Change("moqtada", "instincts", before.instincts, (), "x"),
        Change("moqtada", "artha.fate", 2, 0, "x"),
    ).character("moqtada")
    written = GAME.write(after)
    assert written["skills"]["Haggling"]["rating"] == "G6"
    assert written["skills"]["Haggling"]["log"]["routine"] == 1
    assert written["beliefs"][0]["text"] == "Nothing has."
    assert written["instincts"] == ()
    assert written["artha"]["fate"] == 0
    assert before.artha.fate == 2


@pytest.mark.rules("tests.character.components")
def test_a_sheet_holds_every_component_and_survives_being_written():
    whole = GAME.read_sheet(WHOLE, "moqtada")
    assert [ability.name for ability in whole.abilities()] == [
        *("Will", "Perception", "Agility", "Speed", "Power", "Forte"),
        *("Health", "Reflexes", "Steel", "Mortal Wound", "Faith"),
        *("Haggling", "Resources", "Circles"),
    ]
    assert len(whole.beliefs) == 3
    assert [trait.name for trait in whole.traits] == ["Tall", "Charming"]
    assert whole.relationships[0].name == "Yusuf, his brother"
    assert (whole.reputations[0].dice, whole.affiliations[0].dice) == (1, 1)
    assert whole.gear[1].dice == {"Haggling": 1}
    assert GAME.read_sheet(GAME.write(whole), "again") == whole


def test_a_character_of_the_gm_may_be_a_name_and_a_number():
    guard = sheet("Guard", npc=True, skills={"Sword": "B3"})
    assert [str(ability) for ability in guard.abilities()] == ["Sword B3"]
    assert GAME.read_sheet({"name": "Nobody"}, "x").find("Sword") is None


# --- Stats ---------------------------------------------------------------------------------


@pytest.mark.rules("tests.stats.six")
def test_there_are_six_stats_and_no_others():
    assert stat_names() == ("Will", "Perception", "Agility", "Speed", "Power", "Forte")
    with pytest.raises(BadInput, match=r"stats\.Charm: found 'Charm'.*Forte.*tests\.stats\.six"):
        sheet(stats={"Charm": "B4"})


@pytest.mark.rules(
    "tests.stats.will",
    "tests.stats.perception",
    "tests.stats.agility",
    "tests.stats.speed",
    "tests.stats.power",
    "tests.stats.forte",
)
@pytest.mark.parametrize(
    ("stat", "words"),
    [
        ("Will", ("mind", "social", "seldom")),
        ("Perception", ("awareness", "clues")),
        ("Agility", ("hand-eye", "throw")),
        ("Speed", ("body control", "dodging")),
        ("Power", ("strength", "grappling")),
        ("Forte", ("toughness", "rarely rolled")),
    ],
)
def test_the_choice_of_a_stat_says_what_it_covers(stat: str, words: tuple[str, ...]):
    at = table(rich={"stats": dict.fromkeys(stat_names(), "B4")})
    other = "Will" if stat != "Will" else "Power"
    run = a_test(at, other, 1, [1], {"fits#1": False, "ability": stat})
    notes = {option.key: option.note for option in run.asks["ability"].question.options}
    assert all(word in notes[stat] for word in words), notes[stat]
    assert notes[stat] == about_stat(stat)


# --- Attributes ----------------------------------------------------------------------------


@pytest.mark.rules(
    "tests.attributes.derived",
    "tests.attributes.health",
    "tests.attributes.reflexes",
    "tests.attributes.mortal_wound",
)
def test_attributes_come_from_their_parents():
    assert parents("Health") == ("Will", "Forte")
    assert parents("Reflexes") == ("Perception", "Agility", "Speed")
    assert parents("Mortal Wound") == ("Power", "Forte")
    assert parents("Steel") == ()  # by questions, not from named stats alone


@pytest.mark.rules("tests.attributes.derived")
def test_an_attribute_is_open_only_to_characters_who_have_it():
    at = table(rich={"stats": {"Will": "B4"}, "attributes": {"Health": "B4"}})
    with pytest.raises(BadInput, match="ability: found 'Faith', expected an ability of Rich"):
        a_test(at, "Faith", 1)


@pytest.mark.rules("tests.attributes.health")
def test_health_is_tested_with_its_own_dice():
    at = table(rich={"attributes": {"health": "B4"}})
    assert a_test(at, "Health", 2, [2]).outcome.dice.total == 4


@pytest.mark.rules("tests.attributes.reflexes", "tests.attributes.mortal_wound")
@pytest.mark.parametrize("marker", ["reflexes", "Reflexes", "MORTAL WOUND"])
def test_markers_are_never_tested(marker: str):
    at = table(rich={"attributes": {marker: "B4"}, "skills": {"Sword": "B2"}})
    rule = f"tests.attributes.{marker.casefold().replace(' ', '_')}"
    with pytest.raises(NotAllowed, match=rule):
        a_test(at, marker, 1)
    run = a_test(at, "Sword", 1, [1], {"fits#1": False, "ability": "Sword"})
    assert [option.key for option in run.asks["ability"].question.options] == ["Sword"]


@pytest.mark.rules("tests.attributes.emotional", "tests.magic.forms")
def test_the_emotional_attributes_are_attributes_and_forms_of_magic():
    assert emotional_attributes() == ("Faith", "Grief", "Greed", "Hatred")
    assert set(emotional_attributes()) <= set(attribute_names())
    at = table(
        rich={
            "attributes": {"hatred": "B4"},
            "skills": {"Summoning": {"rating": "B3", "magical": True}},
        }
    )
    assert at.character("rich").ability("Hatred").kind is AbilityKind.ATTRIBUTE
    assert a_test(at, "Hatred", 2, [2]).outcome.dice.total == 4
    # magical skills are the other form: their sixes roll on
    assert a_test(at, "Summoning", 4, [[6, 6, 4, 5, 1]]).outcome.successes == 4


# --- What a sheet may not say --------------------------------------------------------------


def with_skill(**fields: Any) -> dict[str, Any]:
    return {"skills": {"Axe": {"rating": "B4", **fields}}}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (with_skill(rating="X4"), r"^R\.skills\.Axe\.rating: found 'X4', expected a shade"),
        (with_skill(rating="B100"), r"^R\.skills\.Axe\.rating: found 'B100'.*up to 10"),
        (with_skill(roots=["Luck"]), r"^R\.skills\.Axe\.roots: found 'Luck'"),
        (with_skill(log={"routine": -2}), r"^R\.skills\.Axe\.log\.routine: found -2"),
        ({"stats": {"Wil": "B4"}}, r"^R\.stats\.Wil: found 'Wil', expected one of Will"),
        ({"skils": {}}, r"^R\.skils: found "),
        (
            {"stats": {"Power": "B4"}, "skills": {"power": "B4"}},
            r"^R\.skills\.power: .* unique name",
        ),
        ({"artha": {"fate": -1}}, r"^R\.artha\.fate: found -1, expected 0 or more"),
        ({"gear": [{"name": "Axe", "shade": "Z"}]}, r"^R\.gear\[0\]\.shade: found 'Z'"),
        (
            {"gear": [{"name": "Axe", "dice": {"Axe": 100}}]},
            r"\.dice\.Axe: found 100, .*1 to 10",
        ),
        ({"name": 5}, r"^R\.name: found 5"),
    ],
)
def test_a_wrong_field_is_refused_with_its_place(raw: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message) as refused:
        GAME.read_sheet({"name": "R", **raw}, "R")
    assert "\n" not in str(refused.value)


def test_a_sheet_is_the_same_however_its_stats_and_its_armor_are_listed():
    one: Sheet = GAME.read_sheet(WHOLE, "one")
    tested = {
        key: replace(each, log=AbilityLog(at)) for at, (key, each) in enumerate(one.stats.items())
    }
    assert len(tested) > 1
    worn = {"head": ArmorPiece("head", "mail"), "torso": ArmorPiece("torso", "plate")}
    one = replace(one, stats=tested, armor=worn)
    stats, armor = (dict(reversed(each.items())) for each in (tested, worn))
    other = replace(one, stats=stats, armor=armor)
    assert one == other
    assert hash(one) == hash(other)
