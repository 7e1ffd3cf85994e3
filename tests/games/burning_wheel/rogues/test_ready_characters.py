"""Every number of every ready rogue, held against the tables by a reader of its own."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from astragal.errors import NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.ready import ready_sheet
from games.burning_wheel.playing import play, table

LEVELS = ("superficial", "light", "midi", "severe", "traumatic", "mortal")
GEAR_ELSEWHERE = {
    "penniless_banner_bearer": {"Dwarven-made chainmail", "Dwarven hammer"},
    "elven_adventurer": {
        "Elven spear",
        "Elven knives",
        "plated leather armor with half-leggings",
    },
    "wilder_matriarch": {"run of the mill bow"},
    "complicated_con_man": {"poor quality knives (concealed)"},
    "courtier": {"poniard"},
    "drunken_sailor": {"billy club", "shiv"},
    "experienced_soldier": {
        "footman's axe with beak",
        "small sword",
        "knife",
        "plated leather armor",
        "sallet",
        "target shield",
    },
    "regal_baron": {
        "superior quality sword",
        "superior quality glaive",
        "superior quality dirk",
        "superior quality mace",
        "plated mail armor",
    },
    "hatred_bearer": {"poor quality plated leather", "poor quality spear", "black iron shield"},
    "gate_forger": {"plated leather armor"},
    "he_who_rules": {"ceremonial knives", "ceremonial sword", "chainmail armor"},
    "roden_murderer": {"Roden throwing blades", "knife"},
    "roden_kidnapper": {"Roden throwing blades"},
    "hoszrem": {"bone sword", "hunting bow"},
}
"""What is on the sheet as a weapon, as armor or as a shield."""

SAME_SKILL = {"Brawl": "Brawling", "Knife": "Knives", "Miller": "Milling", "Brewer": "Brewing"}
"""rogues.amb.name_variants."""


@cache
def tables() -> dict[str, list[dict[str, Any]]]:
    """The tables of the chapter, straight from the file."""
    path = files("astragal.rules") / "catalogue/burning_wheel/rogues.toml"
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        each["id"].rpartition(".")[2]: [
            dict(zip(each["columns"], row, strict=True)) for row in each["rows"]
        ]
        for each in raw["table"]
    }


def rows(name: str, rogue: str) -> list[dict[str, Any]]:
    return [row for row in tables()[name] if row["id"] == rogue]


def row(name: str, rogue: str) -> dict[str, Any]:
    (found,) = rows(name, rogue)
    return found


ROGUES = [each["id"] for each in tables()["identity"]]
every_rogue = pytest.mark.parametrize("rogue", ROGUES)


@cache
def sheet(rogue: str) -> Any:
    return GAME.read_sheet(ready_sheet(GAME, rogue), rogue)


def printed(ability: Any) -> str:
    """An ability as a block prints it: B4, or B4(6) with a trait's dice."""
    more = f"({ability.rating.exponent + ability.bonus})" if ability.bonus else ""
    return f"{ability.rating}{more}"


def test_there_are_the_24_of_the_tables():
    assert len(ROGUES) == len(set(ROGUES)) == 24


@every_rogue
@pytest.mark.rules("rogues.burned.shade", "rogues.amb.bracketed_values")
def test_stats_attributes_and_what_they_own_are_as_printed(rogue: str):
    stats, attributes, found = row("stats", rogue), row("attributes", rogue), sheet(rogue)
    assert {name.casefold(): printed(each) for name, each in found.stats.items()} == {
        name: value for name, value in stats.items() if name != "id"
    }
    for name in ("Health", "Reflexes", "Steel", "Mortal Wound"):
        column = name.casefold().replace(" ", "_")
        assert str(found.attributes[name].rating) == attributes[column], name
    assert str(found.resources.rating) == attributes["resources"]
    assert str(found.circles.rating) == attributes["circles"]
    assert f"x{found.speed_multiplier:g}" == attributes["speed_multiplier"]
    emotional = row("traits", rogue)["emotional_attribute"].removeprefix("Blasphemous ")
    others = {"Health", "Reflexes", "Steel", "Mortal Wound"}
    left = [f"{n} {a.rating}" for n, a in found.attributes.items() if n not in others]
    assert left == ([emotional] if emotional else [])


@every_rogue
@pytest.mark.rules("rogues.burned.hesitation", "rogues.burned.split_hesitation")
def test_the_hesitation_is_the_printed_one(rogue: str):
    text = row("attributes", rogue)["hesitation_printed"]
    parts = dict(re.findall(r"(?<=)(\d+)([sp]?)", text))
    by_letter = {letter: int(number) for number, letter in parts.items()}
    found = sheet(rogue).hesitation
    whole = by_letter.get("")
    assert found.surprise == (by_letter["s"] if whole is None else whole)
    assert found.pain == (by_letter["p"] if whole is None else whole)


@every_rogue
def test_tolerances_are_as_printed(rogue: str):
    steps = [row("ptgs", rogue)[level] for level in LEVELS]
    if rogue == "gate_forger":  # rogues.amb.gate_forger_mortal
        steps[-1] = row("attributes", rogue)["mortal_wound"]
    found = sheet(rogue).tolerances
    assert [str(getattr(found, level)) for level in LEVELS] == steps


@every_rogue
def test_skills_and_training_are_as_printed(rogue: str):
    wanted = {}
    for text in row("skills", rogue)["skills"]:
        name, _, value = text.rpartition(" ")
        wanted[SAME_SKILL.get(name, name)] = value
    assert {name: printed(skill) for name, skill in sheet(rogue).skills.items()} == wanted
    assert list(sheet(rogue).training) == row("skills", rogue)["training"]


@every_rogue
def test_identity_beliefs_instincts_and_traits_are_as_listed(rogue: str):
    about, found = row("identity", rogue), sheet(rogue)
    assert found.name == about["name"]
    assert found.npc
    assert found.age == (about["age"] or 0)
    assert [each.name for each in found.lifepaths] == about["lifepaths"]
    assert found.body_type in (about["stock"], "lizard man (Hoszrem)")
    for field in ("beliefs", "instincts"):
        wanted = row(field, rogue)[f"{field}_in_own_words"]
        said = [each.text for each in getattr(found, field)]
        assert [text.casefold() for text in said] == [f"{text}.".casefold() for text in wanted]
    traits = {re.sub(r" \([-+]1[^)]*\)$", "", text) for text in row("traits", rogue)["traits"]}
    if row("traits", rogue)["emotional_attribute"].startswith("Blasphemous"):
        traits.add("Blasphemous Hatred")  # rogues.amb.blasphemous_hatred
    assert {trait.name for trait in found.traits} == traits


@every_rogue
def test_gear_property_and_magic_are_all_there(rogue: str):
    listed = [text for each in rows("gear", rogue) for text in each["gear"]]
    left_out = GEAR_ELSEWHERE.get(rogue, set())
    assert left_out <= set(listed)
    wanted = [text for text in listed if text not in left_out]
    for each in rows("magic", rogue):
        if each["kind"] == "spells":
            assert [spell.name for spell in sheet(rogue).spells] == each["names"]
        else:
            wanted += [f"{each['kind'].removesuffix('s')}: {name}" for name in each["names"]]
    assert bool(sheet(rogue).spells) == any(e["kind"] == "spells" for e in rows("magic", rogue))
    wanted += [text.removeprefix("property: ") for text in ties(rogue) if "property:" in text]
    assert sorted(each.name for each in sheet(rogue).gear) == sorted(wanted)


def ties(rogue: str) -> list[str]:
    return [
        text
        for each in rows("ties", rogue)
        for text in each["property_affiliations_reputations_relationships"]
    ]


@every_rogue
@pytest.mark.rules("rogues.burned.bodyguard", "rogues.amb.reputation_dice")
def test_standings_and_people_are_all_there(rogue: str):
    found = sheet(rogue)
    for field, word in (("reputations", "reputation"), ("affiliations", "affiliation")):
        said = [text for text in ties(rogue) if text.startswith(word)]
        dice = [re.search(r"(\d)D", text) for text in said]
        assert [each.dice for each in getattr(found, field)] == [
            1 if match is None else int(match[1]) for match in dice
        ]
        for text, each in zip(said, getattr(found, field), strict=True):
            first = re.split(r"[,(]", text.partition(": ")[2])[0].strip().casefold()
            known = each.name == "Well known" and each.scope in text
            assert known or each.name.casefold().startswith(first), text
            assert each.infamous == ("infamous" in text)
    people = [text for text in ties(rogue) if re.match("relationship|retainer|enemy", text)]
    assert len(found.relationships) == len(people)
    for text, person in zip(people, found.relationships, strict=True):
        assert text.partition(": ")[2].casefold().startswith(person.name.casefold())
        assert ("retainer" in person.note) == text.startswith("retainer")


# --- Weapons and armor ---------------------------------------------------------------------


@every_rogue
@pytest.mark.rules("rogues.burned.natural_weapons", "rogues.amb.axe_incidental")
def test_every_printed_weapon_does_what_is_printed(rogue: str):
    cards = play("armory", {"character": "rogue"}, seated(rogue)).outcome.cards
    for each in rows("weapons", rogue):
        name = {"beak of the axe": "footman's axe", "glaive (chop)": "glaive"}.get(
            each["weapon"], each["weapon"]
        )
        way = {"beak of the axe": "beak", "glaive (chop)": "polearm, axe strike"}
        (card,) = [
            card
            for card in cards
            if card.weapon == name
            and card.way == way.get(each["weapon"], card.way)
            and (card.way != "hilt or pommel")
            and (each["weapon"] == "beak of the axe" or card.way != "beak")
            and not (each["weapon"] == "glaive (chop)" and "thrust" in card.way)
        ]
        assert card.ims == f"{each['incidental']}/{each['mark']}/{each['superb']}", card
        assert card.va == each["va"], card
        if each["speed"] != "thrown":
            found = (card.add, card.speed, card.length)
            assert found == (each["add"], each["speed"].casefold(), each["length"].casefold())
        else:
            assert (card.add, card.balance) == (None, 1)
            assert card.die_of_fate == ("1-2", "3-4", "5-6")


def seated(rogue: str, **options: str) -> Any:
    return table(options=options, rogue=ready_sheet(GAME, rogue), victim={"npc": True})


@every_rogue
def test_armor_and_shield_have_the_dice_of_the_table(rogue: str):
    found = play("harness", {"character": "rogue"}, seated(rogue)).outcome
    assert not rows("armor", rogue) or len(rows("armor", rogue)) == 1
    wanted = rows("armor", rogue)[0] if rows("armor", rogue) else {}
    dice = found.locations
    assert dice.head == wanted.get("head", 0)
    assert dice.torso == wanted.get("torso", 0)
    # What strikes the spider's arms strikes its legs (rogues.amb.spider_locations).
    arms = wanted.get("legs" if rogue == "hunter_seeker" else "arms", 0)
    assert dice.right_arm == dice.left_arm == arms
    assert dice.right_leg == dice.left_leg == wanted.get("legs", 0)
    assert found.shield == wanted.get("shield", 0)


# --- At the table --------------------------------------------------------------------------


@pytest.mark.rules("rogues.burned.abbreviations", "rogues.burned.shade")
def test_a_stat_block_has_the_books_headings_and_shades():
    told = play("look_up_rogues", {"entry": "He Who Rules"}, table()).told
    assert "Wi G4 Pe G4 Ag B6 Sp B5 Po B6 Fo B7 Hea B7 Ref B5 MW B12 Ste B7 Hes 4s/3p" in told
    assert "Res B2 Cir G2 Multi. x3.5" in told
    assert "Su: B5 Li: B8 Mi: B9 Se: B10 Tr: B11 Mo: B12" in told
    assert "Torture G5" in told


@pytest.mark.rules("rogues.burned.abbreviations")
def test_a_line_may_use_the_headings():
    made = GAME.read_sheet(GAME.sketch("guard, Wi 5, Pe B3, Ste 6, Cir 2, MW 9"), "guard")
    assert str(made.stats["Will"].rating) == "B5"
    assert str(made.stats["Perception"].rating) == "B3"
    assert str(made.attributes["Steel"].rating) == "B6"
    assert str(made.circles.rating) == "B2"
    assert str(made.attributes["Mortal Wound"].rating) == "B9"
    assert not made.skills


@pytest.mark.rules("rogues.burned.bodyguard")
def test_the_bodyguard_has_no_numbers_and_no_sheet():
    told = play("look_up_rogues", {"entry": "Con Man"}, table()).told
    assert "thug bodyguard of three lifepaths (no statistics" in told
    assert not any("bodyguard" in rogue for rogue in ROGUES)


@pytest.mark.rules("rogues.burned.natural_weapons")
def test_natural_weapons_are_used_with_brawling_and_the_wolf_with_savage_attack():
    for rogue, weapon, dice in (
        ("hunter_seeker", "fangs", "5 Brawling"),
        ("troll_brute", "hook hand", "4 Brawling"),
        ("black_destroyer", "crushing jaws", "5 Savage Attack"),
    ):
        run = play(
            "strike",
            {"character": "rogue", "target": "victim", "weapon": weapon},
            seated(rogue),
            rolls=[0],
        )
        assert dice in run.told


@pytest.mark.rules("rogues.burned.natural_weapons")
def test_what_is_part_of_the_body_cannot_be_lost_or_taken_off():
    with pytest.raises(NotAllowed, match="Hunter-Seeker carries nothing"):
        play("lose_gear", {"character": "rogue", "thing": "fangs"}, seated("hunter_seeker"))
    with pytest.raises(NotAllowed, match="wears no armor to take off"):
        play(
            "take_off_armor", {"character": "rogue", "locations": ["torso"]}, seated("troll_brute")
        )


@pytest.mark.rules("rogues.burned.fangs_inside")
def test_the_fangs_are_for_the_inside_alone():
    blow = {"character": "rogue", "target": "victim", "weapon": "fangs"}
    with pytest.raises(NotAllowed, match="only on the Inside"):
        play("strike", blow, seated("hunter_seeker"), {"inside": False})
    assert play("strike", blow, seated("hunter_seeker"), {"inside": True}, [1]).outcome.passed
    other = {"character": "rogue", "target": "victim", "weapon": "bite"}
    assert "inside" not in play("strike", other, seated("troll_brute"), rolls=[0]).asked


@pytest.mark.rules("rogues.burned.iron_scales", "rogues.amb.iron_scales_scope")
@pytest.mark.parametrize(
    ("at", "level", "mark"),
    [("B4", "", ""), ("B5", "Superficial", "B4"), ("B8", "Light", "B7"), ("G1", "", "")],
)
def test_iron_scales_lower_every_wound_by_one(at: str, level: str, mark: str):
    run = play("take_wound", {"character": "rogue", "at": at}, seated("hoszrem"))
    assert run.outcome.level == level
    wounds = run.table.character("rogue").wounds
    assert [str(step) for wound in wounds for step in wound.at] == ([mark] if mark else [])
    assert f"Iron Scales: {at} becomes {'nothing' if at == 'G1' else 'B'}" in run.told
    plain = play("take_wound", {"character": "rogue", "at": "B5"}, seated("peasant_father"))
    assert plain.outcome.level == "Light"
    assert "becomes" not in plain.told


@pytest.mark.rules("rogues.burned.prehensile_tail")
def test_the_tail_adds_a_die_to_brawling():
    at = seated("hoszrem")
    bite = play(
        "strike",
        {"character": "rogue", "target": "victim", "weapon": "savage bite"},
        at,
        rolls=[0],
    )
    assert "6D = 5 Brawling + 1 Prehensile Tail" in bite.told
    sword = play(
        "strike", {"character": "rogue", "target": "victim", "weapon": "bone sword"}, at, rolls=[0]
    )
    assert "5D = 5 Sword" in sword.told


@pytest.mark.rules("rogues.burned.roden_knives")
def test_roden_knives_have_a_bows_die_of_fate_and_a_balance_die():
    for face, stage in ((2, "incidental"), (3, "mark"), (5, "superb")):
        run = play(
            "throw_weapon",
            {"character": "rogue", "target": "victim", "weapon": "Roden throwing knives"},
            seated("roden_kidnapper"),
            rolls=[2, [face]],
        )
        assert run.outcome.damage.stage.value == stage
        assert run.outcome.damage.va == 1
        assert "6D = 5 Throwing + 1 balance" in run.told


@pytest.mark.rules("rogues.amb.bracketed_values")
def test_the_dice_in_brackets_are_rolled_where_the_gm_says_so():
    said = {"character": "rogue", "ability": "Intimidation", "intent": "scare", "task": "growls"}
    at = seated("black_destroyer")
    with_it = play("standard_test", said, at, {"obstacle": 2, "trait_bonus": True}, [2])
    without = play("standard_test", said, at, {"obstacle": 2}, [2])
    assert len(with_it.rolls[0].expression.faces_for(7)) == 7
    assert "7D = 3 Intimidation + 4 trait" in with_it.told
    assert "3D = 3 Intimidation" in without.told
    assert with_it.seats["trait_bonus"] == "gm"


@pytest.mark.rules("rogues.amb.gate_forger_mortal")
@pytest.mark.parametrize(
    ("reading", "levels"),
    [
        (
            "printed_with_mortal_b9",
            {"B2": "", "B3": "Superficial", "B5": "Light", "B7": "Midi", "B8": "Severe"},
        ),
        (
            "clean_block",
            {"B2": "Superficial", "B4": "Light", "B6": "Midi", "B7": "Severe", "B8": "Traumatic"},
        ),
    ],
)
def test_the_gate_forger_dies_at_b9_by_either_reading(reading: str, levels: dict[str, str]):
    at = seated("gate_forger", rogues_gate_forger_tolerances=reading)
    for step, level in {**levels, "B9": "Mortal"}.items():
        run = play("take_wound", {"character": "rogue", "at": step}, at)
        assert run.outcome.level == level, step


@pytest.mark.rules("rogues.amb.spider_locations")
def test_natural_armor_weighs_nothing():
    said = {"character": "rogue", "ability": "Climbing", "intent": "reach it", "task": "climbs"}
    run = play("standard_test", said, seated("hunter_seeker"), {"obstacle": 2}, [2])
    assert run.outcome.obstacle.total == 2
    for natural in (True, False):
        suit = {"suit": {"type": "chainmail", "natural": natural}}
        clad = {**ready_sheet(GAME, "hunter_seeker"), "armor": suit}
        run = play("standard_test", said, table(rogue=clad), {"obstacle": 2}, [2])
        assert (run.outcome.obstacle.total == 2) == natural
