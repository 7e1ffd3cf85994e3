"""What armor weighs on every test: training, and the clumsy weight of each piece."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import NotAllowed
from astragal.games.burning_wheel.conditions.armor_weight import burden, reflexes_worn
from astragal.rules import Options
from games.burning_wheel.playing import a_test, play, sheet, table

TYPES = ("leather", "plated leather", "chainmail", "plated mail", "full plate")
METAL = TYPES[2:]
STATS = dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4")
SKILLS = {
    "Stealthy": {"rating": "B3", "roots": ["Speed"]},
    "Swimming": {"rating": "B3", "roots": ["Forte"]},
    "Climbing": {"rating": "B3", "roots": ["Speed"]},
    "Sword": {"rating": "B4", "roots": ["Agility"]},
    "Brawling": {"rating": "B4", "roots": ["Agility"]},
    "Boxing": {"rating": "B4", "roots": ["Agility"]},
    "Savate": {"rating": "B4", "roots": ["Agility"], "category": "Martial"},
    "Throwing": {"rating": "B4", "roots": ["Agility"]},
    "Bow": "B4",
    "Lock Pick": {"rating": "B4", "roots": ["Agility"]},
    "Acrobatics": {"rating": "B4", "roots": ["Power", "Speed"]},
    "Observation": {"rating": "B4", "roots": ["Perception"]},
    "Cooking": {"rating": "B4", "roots": ["Perception"]},
}
TRAINED = ("Armor Training",)


def weight(armor: Any, ability: str, options: dict[str, str] | None = None, **more: Any):
    """Obstacle and dice that armor adds, and the rules that say so."""
    raw = {"training": TRAINED, "stats": STATS, "skills": SKILLS, "armor": armor, **more}
    wearer = sheet(**raw)
    found = burden(wearer, wearer.ability(ability), Options.of("burning_wheel", options))
    obstacle = sum(line.amount for line in found.obstacle)
    dice = sum(line.amount for line in found.dice)
    rules = [line.rule for line in (*found.obstacle, *found.dice)]
    return obstacle, dice, rules


def obstacle(armor: Any, ability: str, **more: Any) -> int:
    return weight(armor, ability, **more)[0]


# --- Training --------------------------------------------------------------------------------


@pytest.mark.rules(
    "armor.training.chainmail_untrained",
    "armor.training.plate_untrained",
    "armor.training.light_no_penalty",
    "armor.training.trained",
)
@pytest.mark.parametrize(("name", "penalty"), list(zip(TYPES, (0, 0, 1, 2, 2), strict=True)))
@pytest.mark.parametrize("ability", ["Cooking", "Will"])
def test_untrained_wearers_of_metal_suffer_on_all_tests(name: str, penalty: int, ability: str):
    assert obstacle(name, ability, training=()) == penalty
    assert obstacle({"left_leg": name}, ability, training=()) == penalty  # one piece is enough
    assert obstacle(name, ability) == 0
    assert obstacle(name, ability, training=(), skills={**SKILLS, "Armor Training": "B1"}) == 0


def test_the_highest_untrained_penalty_counts_once():
    mixed = {"torso": "chainmail", "legs": "half full plate"}
    assert obstacle(mixed, "Cooking", training=()) == 2
    assert obstacle({"torso": "chainmail", "arms": "mail"}, "Cooking", training=()) == 1


def test_a_helmet_alone_counts_if_the_table_has_it_so():
    option = "armor_untrained_helmet_alone"
    for choice, penalty in (("no_penalty", 0), ("penalty", 2)):
        found = obstacle({"head": "bascinet"}, "Cooking", training=(), options={option: choice})
        assert found == penalty
    assert obstacle({"head": "bascinet", "torso": "mail"}, "Cooking", training=()) == 1


def test_training_removes_no_clumsy_weight():
    assert obstacle("chainmail", "Lock Pick") == 2
    assert obstacle("chainmail", "Lock Pick", training=()) == 3


def test_resources_and_circles_are_no_tests_of_the_body():
    worn = {"armor": "full plate", "resources": "B3", "circles": "B3"}
    wearer = sheet(**worn)
    for name in ("Resources", "Circles"):
        assert burden(wearer, wearer.ability(name), Options.of("burning_wheel")).obstacle == ()


# --- Arms ------------------------------------------------------------------------------------


def test_skills_whose_roots_the_sheet_leaves_out_are_hampered_by_the_book():
    bare = dict.fromkeys(
        ("Lockpick", "lock pick", "Riding", "Sword", "Persuasion", "Cooking"), "B4"
    )
    plate = dict.fromkeys(("arms", "legs"), "full plate")
    found = {name: weight(plate, name, skills=bare)[:2] for name in bare}
    hampered, free = (2, 0), (0, 0)
    assert found == {
        "Lockpick": hampered,
        "lock pick": hampered,
        "Riding": hampered,
        "Sword": free,  # close combat is exempt
        "Persuasion": free,
        "Cooking": free,
    }
    assert weight(plate, "Climbing", skills={"Climbing": "B3"})[1] == -1  # of Speed: leggings
    by_will = {"Lockpick": {"rating": "B4", "roots": ["Will"]}}
    assert weight(plate, "Lockpick", skills=by_will)[:2] == free  # the sheet's own word comes first


@pytest.mark.rules("armor.clumsy.arms_light", "armor.clumsy.arms_metal")
@pytest.mark.parametrize("ability", ["Agility", "Lock Pick"])
@pytest.mark.parametrize(("name", "penalty"), list(zip(TYPES, (1, 1, 2, 2, 2), strict=True)))
def test_armored_arms_hamper_agility_and_its_skills(name: str, penalty: int, ability: str):
    assert obstacle({"arms": name}, ability) == penalty
    assert obstacle({"left_arm": name}, ability) == penalty  # once, for one arm or both
    assert obstacle({"left_arm": name, "right_arm": "leather"}, ability) == penalty
    assert obstacle({"arms": name}, "Cooking") == 0


@pytest.mark.rules("armor.clumsy.arms_climbing")
@pytest.mark.parametrize(("name", "penalty"), list(zip(TYPES, (0, 0, 0, 1, 2), strict=True)))
def test_only_plate_on_the_arms_hampers_climbing(name: str, penalty: int):
    assert obstacle({"arms": name}, "Climbing") == penalty
    by_agility = {"Climbing": {"rating": "B3", "roots": ["Agility"]}}
    assert obstacle({"arms": name}, "Climbing", skills=by_agility) == penalty


@pytest.mark.rules("armor.clumsy.arms_exempt", "armor.clumsy.arms_not_exempt")
def test_close_combat_is_exempt_and_shooting_and_throwing_are_not():
    arms = {"arms": "full plate"}
    for exempt in ("Sword", "Brawling", "Boxing", "Savate"):
        assert obstacle(arms, exempt) == 0
    for hampered in ("Throwing", "Bow"):
        assert obstacle(arms, hampered) == 2
    unskilled = a_test(
        table(mara={"stats": STATS, "armor": arms, "training": TRAINED}),
        "Axe",
        1,
        [0],
        {"roots": ["Agility"]},
    )
    assert unskilled.outcome.obstacle.total == 2 + 2  # Beginner's Luck, and plain Agility


@pytest.mark.rules("armor.clumsy.half_arms")
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("ability", ["Agility", "Climbing", "Throwing"])
def test_half_sleeves_hamper_nothing(name: str, ability: str):
    assert obstacle({"arms": f"half {name}"}, ability) == 0


# --- Boots, breastplates, helmets ------------------------------------------------------------


@pytest.mark.rules("armor.clumsy.boots")
def test_clumsy_boots_are_a_disadvantage_if_the_table_has_it_so():
    for choice, penalty in (("none", 0), ("plus_1_ob", 1)):
        options = {"armor_boots_penalty": choice}
        for ability, hit in (("Speed", 1), ("Acrobatics", 1), ("Agility", 0)):
            found = obstacle({}, ability, clumsy_boots=True, options=options)
            assert found == penalty * hit
        assert obstacle({}, "Speed", options=options) == 0
        assert obstacle({"torso": "leather"}, "Speed", options=options) == 0


@pytest.mark.rules(
    "armor.clumsy.breastplate_plated_leather",
    "armor.clumsy.breastplate_chainmail",
    "armor.clumsy.breastplate_plate",
)
@pytest.mark.parametrize(("name", "penalty"), list(zip(TYPES, (0, 1, 2, 3, 3), strict=True)))
def test_breastplates_hamper_sneaking_and_swimming(name: str, penalty: int):
    for ability in ("Stealthy", "Swimming"):
        assert obstacle({"torso": name}, ability) == penalty
    assert obstacle({"torso": name}, "Climbing") == 0


@pytest.mark.rules(
    "armor.clumsy.helmet_plated_leather",
    "armor.clumsy.helmet_bascinet",
    "armor.clumsy.helmet_great_helm",
)
@pytest.mark.parametrize(
    ("helmet", "penalty"),
    [
        ("hood", 0),
        ("pot helm", 1),
        ("war hat", 1),
        ("sallet", 2),
        ("bascinet", 2),
        ("great helm", 3),
    ],
)
def test_helmets_dull_perception(helmet: str, penalty: int):
    assert obstacle({"head": helmet}, "Perception") == penalty
    assert obstacle({"head": helmet}, "Observation") == 0
    assert obstacle({"head": helmet}, "Cooking") == 0


def test_readings_of_helmets_are_the_tables():
    for choice, penalty in (("plus_2_ob", 2), ("plus_3_ob", 3)):
        options = {"armor_helmet_5d_perception": choice}
        assert obstacle({"head": "bascinet"}, "Perception", options=options) == penalty
        assert obstacle({"head": "sallet"}, "Perception", options=options) == 2
    for choice, penalty in (("perception_only", 0), ("also_sight_and_hearing_skills", 3)):
        options = {"armor_helmet_affects": choice}
        assert obstacle({"head": "great helm"}, "Observation", options=options) == penalty
        assert obstacle({"head": "great helm"}, "Cooking", options=options) == 0
        assert obstacle({"head": "great helm"}, "Perception", options=options) == 3


# --- Leggings --------------------------------------------------------------------------------


@pytest.mark.rules("armor.clumsy.leggings_plated_leather", "armor.clumsy.leggings_metal")
@pytest.mark.parametrize("ability", ["Speed", "Acrobatics", "Stealthy"])
def test_leggings_slow_down_speed_and_its_skills(ability: str):
    assert weight({"legs": "leather"}, ability)[:2] == (0, 0)
    assert weight({"legs": "plated leather"}, ability)[:2] == (1, 0)
    for name in METAL:
        assert weight({"legs": name}, ability)[:2] == (0, -1)
        assert weight({"left_leg": name, "right_leg": "leather"}, ability)[:2] == (0, -1)
    assert weight({"legs": "full plate"}, "Agility")[:2] == (0, 0)
    plain = {"Stealthy": "B3"}  # also where the sheet does not name its root
    assert weight({"legs": "plated leather"}, "Stealthy", skills=plain)[:2] == (1, 0)


@pytest.mark.rules("armor.clumsy.half_leggings_plated_leather", "armor.clumsy.half_leggings_metal")
def test_half_leggings_weigh_less():
    assert weight({"legs": "half leather"}, "Speed")[:2] == (0, 0)
    assert weight({"legs": "half plated leather"}, "Speed")[:2] == (0, 0)
    for name in METAL:
        assert weight({"legs": f"half {name}"}, "Speed")[:2] == (1, 0)


@pytest.mark.rules("armor.clumsy.quilting_only_arms")
def test_quilting_hampers_arms_and_nothing_else():
    for ability in (*STATS, *SKILLS):
        hit = 1 if ability in ("Agility", "Throwing", "Bow", "Lock Pick") else 0
        assert weight("quilted", ability)[:2] == (hit, 0), ability


@pytest.mark.rules("armor.clumsy.leggings_reflexes")
def test_full_metal_leggings_lower_the_speed_that_reflexes_are_made_of():
    options = Options.of("burning_wheel")

    def reflexes(armor: Any, **stats: str) -> str:
        return str(reflexes_worn(sheet(stats={**STATS, **stats}, armor=armor), options))

    assert reflexes({}) == "B4"
    for name in METAL:
        assert reflexes({"legs": name}) == "B3"  # (4 + 4 + 3) / 3
        assert reflexes({"legs": name}, Agility="B5") == "B4"  # (4 + 5 + 3) / 3
        assert reflexes({"legs": f"half {name}"}) == "B4"
    assert reflexes({"legs": "plated leather"}) == "B4"
    written = sheet(stats=STATS, attributes={"Reflexes": "B6"}, armor={"legs": "mail"})
    assert str(reflexes_worn(written, options)) == "B5"
    for known in ({}, {"Speed": "B4"}):  # the average of what is not known cannot move
        unknown = sheet(stats=known, attributes={"Reflexes": "B6"}, armor={"legs": "mail"})
        assert str(reflexes_worn(unknown, options)) == "B6"
    hurt = sheet(stats=STATS, wounds=["Light"])  # unlike wounds
    assert str(reflexes_worn(hurt, options)) == "B4"


# --- In every test ---------------------------------------------------------------------------


@pytest.mark.rules("armor.clumsy.applies_to_everyone")
def test_the_penalties_of_several_pieces_add_up_in_a_test():
    armor = {"torso": "plated leather", "legs": "chainmail", "arms": "leather"}
    raw = {"stats": STATS, "skills": SKILLS, "armor": armor}
    for training, untrained in (((), 1), (TRAINED, 0)):
        run = a_test(table(mara={**raw, "training": training}), "Stealthy", 2, [0])
        assert run.outcome.obstacle.total == 2 + 1 + untrained
        assert run.outcome.dice.total == 3 - 1
    assert "legs: chainmail" in run.told
    assert "torso: plated leather" in run.told
    assert "armor.clumsy.leggings_metal" in [line.rule for line in run.outcome.dice.lines]


@pytest.mark.rules("armor.clumsy.may_hit_avoid")
def test_speed_in_a_fight_is_weighed_down_like_any_speed():
    # An Avoid is a roll of Speed: whoever rolls it in a conflict asks for its burden.
    assert weight({"legs": "plated leather"}, "Speed")[:2] == (1, 0)
    runner = table(
        mara={"stats": STATS, "armor": {"legs": "plated leather"}}, thief={"stats": STATS}
    )
    chase = {"pursuers": [{"character": "mara"}], "pursued": [{"character": "thief"}]}
    run = play("chase", chase, runner, {}, [2, 2])
    assert "legs: plated leather" in run.told


def test_steel_is_tested_against_a_higher_hesitation_in_armor_one_is_not_trained_in():
    raw = {"stats": {"Will": "B4"}, "attributes": {"Steel": "B5"}, "armor": {"torso": "plate"}}
    run = play(
        "steel_test",
        {"character": "mara", "cause": "surprise", "source": "a shout"},
        table(mara=raw),
        {},
        [0],
    )
    assert run.outcome.hesitation == 6 + 2


def test_armor_that_leaves_no_dice_leaves_no_test():
    at = table(mara={"stats": {"Speed": "B1"}, "armor": {"legs": "mail"}})
    with pytest.raises(NotAllowed, match=r"Armor leaves Mara no dice.*tests\.amb\.zero_dice"):
        a_test(at, "Speed", 1, [0])


def test_a_divine_aura_lifts_the_die_of_leggings_and_leaves_the_obstacle():
    scene = {"aristeias": [{"character": "mara", "form": "divine_aura", "ability": "Speed"}]}
    raw = {"stats": STATS, "armor": {"legs": "mail"}}
    run = a_test(table(scene, mara=raw), "Speed", 1, [0])
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (4, 2)


@pytest.mark.rules("armor.shield.no_hindrance", "armor.shield.destroyed_hindrance")
def test_only_a_destroyed_shield_hampers_and_only_martial_actions():
    whole = {"kind": "target", "lost": 2}
    broken = {"kind": "target", "lost": 3}
    for ability in (*STATS, *SKILLS):
        assert obstacle({}, ability, shield=whole) == 0
        martial = ability in ("Sword", "Brawling", "Boxing", "Savate", "Throwing", "Bow")
        assert obstacle({}, ability, shield=broken) == (1 if martial else 0), ability


def test_a_stat_that_stands_for_a_skill_carries_the_weight_of_that_skill():
    armor = {"arms": "plated mail", "torso": "chainmail", "legs": "plated leather"}
    at = table(mara={"stats": STATS, "training": TRAINED, "armor": armor})

    def penalty(skill: str, root: str) -> int:
        outcome = a_test(at, skill, 1, [0], {"roots": [root]}).outcome
        return int(outcome.obstacle.total) - 2  # the base, doubled

    assert penalty("Climbing", "Agility") == 1  # its own number, not that of Agility
    assert penalty("Climbing", "Speed") == 1 + 1
    assert penalty("Stealthy", "Speed") == 2 + 1
    assert penalty("Swimming", "Forte") == 2
