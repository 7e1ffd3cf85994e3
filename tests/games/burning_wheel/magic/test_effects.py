"""What a spell does: successes and their uses, damage, throws, frights, shields, duration."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.magic.sorcery.damage import spell_ims, spell_power, stage_of
from astragal.rules import catalogue
from games.burning_wheel.playing import a_test, play, sheet, table
from games.burning_wheel.spellcasting import FOE, LIGHT, at_table, cast, han, wizard

UP = {**LIGHT, "up": True}
BOLT = {"name": "Bolt", "obstacle": 2, "impetus": "Destroy", "up": True}
WIND = {
    "name": "Gale",
    "obstacle": 2,
    "up": True,
    "element": "Air",
    "impetus": "Control",
    "area": "Natural Effect",
}
GUARDED = {**FOE, "attributes": {"Health": "B4"}}
"""Without Steel, so that a wound is only a wound."""


def room(spell: Any, options: dict[str, str] | None = None, **foe: Any) -> Any:
    return table(options=options, han=wizard(spell), foe={**GUARDED, **foe})


# --- Where successes go --------------------------------------------------------------------


@pytest.mark.rules("sorcery.obstacle.up_spell", "sorcery.obstacle.flat_spell")
def test_only_an_up_spell_keeps_its_extra_successes():
    assert cast(at_table(UP), "Glow", [6, 3]).outcome.effect.effect == 3
    flat = cast(at_table(LIGHT), "Glow", [6, 3])
    assert flat.outcome.effect.effect == 0
    assert "place_successes" not in flat.asked


@pytest.mark.rules("sorcery.effect.over_actual_obstacle")
def test_extra_successes_count_above_the_obstacle_faced():
    at = at_table({**UP, "area": "Paces"})
    said = {"disadvantages": ("moving",)}
    assert cast(at, "Glow", [9, 3], said, wider=2).outcome.effect.effect == 3


@pytest.mark.rules(
    "sorcery.effect.allocate_after_roll",
    "sorcery.effect.split_two_effects",
    "sorcery.effect.no_double_use",
)
def test_the_player_divides_them_after_the_roll():
    at = at_table({**UP, "duration": "minutes"})
    played = cast(at, "Glow", [7, 3], {"place_successes": (1, 3)})
    assert not played.before_the_dice("place_successes")
    assert (played.outcome.effect.effect, played.outcome.effect.duration) == (1, 3)
    with pytest.raises(BadInput, match="at most 4"):
        cast(at, "Glow", [7, 3], {"place_successes": (4, 4)})


@pytest.mark.rules("sorcery.effect.split_two_effects", "sorcery.effect.record_allocation")
def test_successes_are_divided_between_two_effects():
    """5 over: 2 hurt, 1 lengthens the blindness, 2 help the Die of Fate; Will B5 and 2 is B7."""
    glare = {**UP, "does": "damage", "second_effect": "blinds for so many heartbeats"}
    at = room({**glare, "duration": "minutes"})
    placed = {"place_successes": (2, 1, 0, 2)}
    played = cast(at, "Glow", [8, 3, [2]], placed, targets=["foe"])
    done = played.outcome.effect
    assert (done.effect, done.second_effect, done.die_of_fate) == (2, 1, 2)
    assert (done.ims, done.stage) == ("B4/B7/B10", "mark")
    assert "(effect 2, blinds for so many heartbeats 1)" in played.told
    (kept,) = han(played.table).active_spells
    assert (kept.effect, kept.second_effect, kept.duration) == (2, 1, 0)
    plain = cast(at_table(UP), "Glow", [8, 3])
    assert (plain.outcome.effect.effect, plain.outcome.effect.second_effect) == (5, 0)
    flat = cast(room({**glare, "up": False}), "Glow", [8, 3, [1]], targets=["foe"])
    assert (flat.outcome.effect.second_effect, flat.outcome.effect.die_of_fate) == (0, 3)


@pytest.mark.rules("sorcery.effect.record_allocation")
def test_what_went_where_is_kept_with_the_spell():
    at = at_table({**UP, "duration": "minutes"})
    (kept,) = han(cast(at, "Glow", [7, 3], {"place_successes": (1, 3)}).table).active_spells
    assert (kept.effect, kept.duration, kept.lasts) == (1, 3, "Elapsed Time")


@pytest.mark.rules("sorcery.effect.record_allocation", "sorcery.sustain.will_die")
def test_a_second_spell_stands_beside_the_first_and_the_same_one_replaces_it():
    """Will B5 has a die less for the one that is sustained: 10D, then 9D."""
    at = at_table({**UP, "duration": "Sustained"}, {**UP, "name": "Veil", "duration": "minutes"})
    first = cast(at, "Glow", [5, 3])
    second = cast(first.table, "Veil", [4, 3], {"place_successes": (1, 0)})
    third = cast(second.table, "Veil", [5, 3], {"place_successes": (0, 2)})
    assert [run.outcome.dice.total for run in (first, second, third)] == [10, 9, 9]
    kept = [(each.name, each.effect, each.duration) for each in han(second.table).active_spells]
    assert kept == [("Glow", 2, 0), ("Veil", 1, 0)]
    kept = [(each.name, each.effect, each.duration) for each in han(third.table).active_spells]
    assert kept == [("Glow", 2, 0), ("Veil", 0, 2)]


@pytest.mark.rules("sorcery.dof.bonus", "sorcery.dof.bonus_exclusive")
def test_up_to_three_successes_go_into_the_die_of_fate():
    at = room(BOLT)
    played = cast(at, "Bolt", [6, 2, [3]], {"place_successes": (1, 3)}, targets=["foe"])
    assert played.outcome.effect.stage == "superb"  # 3 + 3
    assert played.outcome.effect.ims == "B3/B6/B9"  # Will 5, and only one success
    with pytest.raises(BadInput, match="at most 3"):
        cast(at, "Bolt", [6, 2, [3]], {"place_successes": (0, 4)}, targets=["foe"])


@pytest.mark.rules("sorcery.amb.flat_spell_dof", "sorcery.dof.bonus")
def test_a_flat_spell_that_hurts_uses_at_most_three():
    at = room({**BOLT, "up": False})
    outcome = cast(at, "Bolt", [9, 2, [1]], targets=["foe"]).outcome.effect
    assert (outcome.effect, outcome.die_of_fate, outcome.stage) == (0, 3, "mark")


@pytest.mark.rules("sorcery.facet.effect")
def test_the_effect_is_told_in_the_spells_words():
    told = cast(at_table({**UP, "effect": "a soft light"}), "Glow", [5, 3]).told
    assert "Glow takes effect (effect 2): a soft light." in told


# --- Damage --------------------------------------------------------------------------------


@pytest.mark.rules("artha.aristeia.minor_epiphany_effects", "sorcery.amb.mixed_shades")
@pytest.mark.parametrize(("ability", "ims"), [("Sorcery", "G3/G5/G7"), ("Will", "B3/B5/B7")])
def test_in_a_minor_epiphany_of_sorcery_a_spell_does_gray_damage(ability: str, ims: str):
    """Will 5 is the Mark; the shade is that of the skill alone."""
    epiphany = {"character": "han", "form": "minor_epiphany", "ability": ability}
    at = table({"aristeias": [epiphany]}, han=wizard(BOLT), foe=GUARDED)
    outcome = cast(at, "Bolt", [2, 2, [3]], targets=["foe"]).outcome.effect
    assert outcome.ims == ims
    assert outcome.hits[0].damage.startswith(f"Mark, {ims.split('/')[1]}")


@pytest.mark.rules("sorcery.destroy.base_power", "sorcery.destroy.power_per_success")
def test_will_is_the_base_power():
    outcome = cast(room(BOLT), "Bolt", [5, 2, [3]], {"place_successes": (3, 0)}, targets=["foe"])
    assert outcome.outcome.effect.ims == "B4/B8/B12"


@pytest.mark.rules("sorcery.destroy.spell_modifies_base", "sorcery.amb.half_will_rounding")
@pytest.mark.parametrize(
    ("spell", "effect", "mark"),
    [({"half_will": True}, 0, 2), ({"power": 2}, 1, 8), ({"power": -1}, 0, 4), ({"per": 2}, 5, 7)],
)
def test_a_spell_may_alter_it(spell: dict[str, Any], effect: int, mark: int):
    caster = sheet(**wizard({**BOLT, **spell}))
    assert spell_power(caster.spells[0], caster, effect).total == mark


@pytest.mark.rules("sorcery.destroy.ims")
def test_three_stages_from_the_mark():
    caster = sheet(**wizard(BOLT))
    for effect in range(10):
        mark = 5 + effect
        found = spell_ims(spell_power(caster.spells[0], caster, effect), "B")
        assert (found.incidental, found.superb) == (-(-mark // 2), mark * 3 // 2)


@pytest.mark.rules("sorcery.dof.table")
def test_one_die_of_fate_decides_the_stage():
    stages = ["incidental", "incidental", "mark", "mark", "superb", "superb", "superb"]
    assert [stage_of(total).value for total in range(1, 8)] == stages


@pytest.mark.rules("sorcery.spell.firebreath", "sorcery.amb.firebreath_name")
def test_firebreath_has_two_names():
    for name in ("Firebreath", "Breath of Fire"):
        at = room({"name": name, "obstacle": 3})
        played = cast(at, name, [8, 3, [1]], {"place_successes": (3, 0)}, targets=["foe"], wider=2)
        assert played.outcome.effect.ims == "B4/B8/B12"
        assert (played.outcome.obstacle.total, played.outcome.effect.paces) == (5, 3)


@pytest.mark.rules("sorcery.spell.shards", "sorcery.amb.shards_margin")
@pytest.mark.parametrize(("successes", "ims"), [(2, "B1/B2/B3"), (3, "B1/B2/B3"), (9, "B3/B5/B7")])
def test_shards_is_half_will_and_one_for_every_two(successes: int, ims: str):
    rolls = [successes, 2, [3]]
    said = {} if successes == 2 else {"place_successes": (successes - 2, 0)}
    assert cast(room("Shards"), "Shards", rolls, said, targets=["foe"]).outcome.effect.ims == ims


@pytest.mark.rules("sorcery.spell.shards", "sorcery.destroy.power_per_success")
@pytest.mark.parametrize(
    ("name", "added", "rule"),
    [
        ("Shards", 2, "sorcery.spell.shards"),
        ("Firebreath", 4, "sorcery.destroy.power_per_success"),
    ],
)
def test_the_power_of_successes_has_its_rule(name: str, added: int, rule: str):
    caster = sheet(**wizard({"name": name, "obstacle": 2}))
    power = spell_power(caster.spells[0], caster, 4)
    assert (power.lines[-1].amount, power.lines[-1].rule) == (added, rule)


@pytest.mark.rules("sorcery.amb.destroy_hit_and_armor")
def test_a_spell_hits_the_torso_and_armor_protects():
    at = room(BOLT, armor={"torso": "plated_mail"})
    played = cast(at, "Bolt", [2, 2, [3], 2], targets=["foe"])
    (hit,) = played.outcome.effect.hits
    assert hit.damage == "Mark, B5 to the torso, VA 0"
    assert hit.level == ""  # the armor stopped it
    assert cast(room(BOLT), "Bolt", [2, 2, [3]], targets=["foe"]).outcome.effect.hits[0].level == (
        "Light"
    )


@pytest.mark.rules("sorcery.amb.destroy_hit_and_armor")
@pytest.mark.parametrize(("reading", "stopped"), [("no", 0), ("yes", 2)])
def test_avoid_defends_only_where_the_group_says_so(reading: str, stopped: int):
    at = room(BOLT, {"sorcery_avoid_against_spells": reading})
    avoids = [{"character": "foe", "successes": 2}]
    rolls: list[Any] = [3, 2, [3]]
    said = {"place_successes": (1, 0)}
    played = cast(at, "Bolt", rolls, said, targets=["foe"], avoids=avoids)
    (hit,) = played.outcome.effect.hits
    assert (hit.stopped, hit.affected) == (stopped, not stopped)
    with pytest.raises(BadInput, match="one of the targets"):
        cast(at, "Bolt", rolls, said, avoids=avoids)


@pytest.mark.rules("sorcery.area.equal_effect")
def test_all_in_the_area_are_hurt_alike():
    at = table(han=wizard({**BOLT, "area": "Paces"}), foe=GUARDED, dog=GUARDED)
    played = cast(at, "Bolt", [2, 2, [5]], targets=["foe", "dog"])
    first, second = played.outcome.effect.hits
    assert first.damage == second.damage == "Superb, B7 to the torso, VA 0"
    assert sum("Die of Fate" in roll.label for roll in played.rolls) == 1


# --- Natural effects -----------------------------------------------------------------------


@pytest.mark.rules("sorcery.natural_effect.scale", "sorcery.amb.natural_effect_zero_over")
def test_the_size_of_a_natural_effect():
    degrees = catalogue().table("sorcery.table.natural_effect_scale").column("degree")
    for over, degree in ((0, ""), (1, "cosmetic"), (5, "strong"), (10, "catastrophic")):
        played = cast(at_table(WIND), "Gale", [2 + over, 2])
        assert played.outcome.effect.degree == degree == (degrees[over - 1] if over else "")
    flat = at_table({**WIND, "up": False})  # a force grows with its successes, caret or not
    assert cast(flat, "Gale", [5, 2]).outcome.effect.degree == "minor"
    storm = cast(at_table(WIND, stats={"Will": "B9"}), "Gale", [14, 2])
    assert storm.outcome.effect.degree == "catastrophic"
    assert "topples most structures" in storm.told


@pytest.mark.rules("sorcery.natural_effect.scale")
@pytest.mark.parametrize(
    ("over", "told"),
    [
        (5, "strong: a bonfire"),
        (6, "powerful: a bonfire"),
        (7, "forceful: a raging fire"),
        (8, "disastrous: a raging fire"),
        (9, "devastating: an inferno"),
    ],
)
def test_a_fire_of_a_size_that_is_not_described_is_like_the_one_before(over: int, told: str):
    blaze = at_table({**WIND, "element": "Fire"}, stats={"Will": "B9"})
    assert f"The effect is {told}." in cast(blaze, "Gale", [2 + over, 2]).told


@pytest.mark.rules(
    "sorcery.natural_effect.control_throw",
    "sorcery.natural_effect.control_resist",
    "sorcery.amb.control_throw_resistance",
)
@pytest.mark.parametrize(("successes", "net"), [(0, 4), (3, 1), (4, 0)])
def test_a_controlled_force_throws_people_down(successes: int, net: int):
    said = {"resist_throw": "Speed"}
    played = cast(at_table(WIND), "Gale", [6, 2, successes], said, targets=["foe"])
    (hit,) = played.outcome.effect.hits
    assert (hit.thrown, hit.affected) == (net, net > 0)
    assert played.asks["resist_throw"].seat == "gm"
    assert [option.key for option in played.asks["resist_throw"].question.options] == [
        "Power",
        "Speed",
    ]
    avoids = [{"character": "foe", "successes": 1}]
    avoided = cast(at_table(WIND), "Gale", [6, 2, successes], said, targets=["foe"], avoids=avoids)
    assert avoided.outcome.effect.hits[0].thrown == max(0, net - 1)
    spared = cast(at_table(WIND), "Gale", [6, 2], {"throws": False}, targets=["foe"])
    assert spared.outcome.effect.hits[0].thrown == 0
    assert "throws" not in cast(at_table(WIND), "Gale", [6, 2]).asked  # nobody is there
    tame = at_table({**WIND, "area": "Single Target"})
    assert "throws" not in cast(tame, "Gale", [6, 2], targets=["foe"]).asked


@pytest.mark.rules("sorcery.natural_effect.control_resist", "injury.effect.superficial")
@pytest.mark.parametrize(("successes", "net"), [(0, 4), (3, 2), (4, 1), (5, 0)])
def test_a_superficial_wound_takes_a_success_from_who_keeps_his_feet(successes: int, net: int):
    """+1 Ob: 4 over the obstacle take five to withstand."""
    hurt = table(han=wizard(WIND), foe={**FOE, "stats": {"Speed": "B6"}, "wounds": ["Superficial"]})
    played = cast(hurt, "Gale", [6, 2, successes], targets=["foe"])
    assert played.outcome.effect.hits[0].thrown == net
    assert "against Ob 5 = 4 the spell + 1 Superficial wound" in played.told


@pytest.mark.rules("fight.nd.none_when_hesitating", "sorcery.natural_effect.control_resist")
def test_who_hesitates_does_not_keep_his_feet():
    scene = {"hesitating": [{"character": "foe", "heartbeats": 2, "reaction": "stand_and_drool"}]}
    at = table(scene, han=wizard(WIND), foe=FOE)
    played = cast(at, "Gale", [6, 2], targets=["foe"])
    assert played.outcome.effect.hits[0].thrown == 4
    assert "Foe has no Natural Defenses and is thrown down." in played.told
    assert "resist_throw" not in played.asked


@pytest.mark.rules("sorcery.natural_effect.destroy_damage")
def test_a_destructive_force_hurts_instead():
    at = room({**WIND, "impetus": "Destroy"})
    said = {"place_successes": (2, 0)}
    played = cast(at, "Gale", [4, 2, [3]], said, targets=["foe"])
    assert "throws" not in played.asked
    assert played.outcome.effect.hits[0].damage.startswith("Mark, B7")


@pytest.mark.rules("sorcery.area.caster_safe")
def test_a_caster_is_caught_only_by_a_force_out_of_control():
    wild = {**WIND, "impetus": "Destroy"}
    at = room(wild)
    said = {"place_successes": (2, 0), "caster_caught": True}
    caught = cast(at, "Gale", [4, 2, [1]], said, targets=["foe"])
    assert [hit.character for hit in caught.outcome.effect.hits] == ["foe", "han"]
    safe = cast(at, "Gale", [4, 2, [1]], {"place_successes": (2, 0)}, targets=["foe"])
    assert [hit.character for hit in safe.outcome.effect.hits] == ["foe"]
    bolt = cast(
        room({**BOLT, "area": "Paces"}),
        "Bolt",
        [3, 2, [1]],
        targets=["foe"],
        answers={"place_successes": (1, 0)},
    )
    assert "caster_caught" not in bolt.asked


# --- The spells of the book ----------------------------------------------------------------


@pytest.mark.rules("sorcery.spell.the_fear", "sorcery.amb.fear_steel_modifier")
@pytest.mark.parametrize(("reading", "obstacle"), [("plain_hesitation", 6), ("plus_1_ob", 7)])
def test_the_fear_forces_a_steel_test(reading: str, obstacle: int):
    at = at_table("The Fear", options={"steel_fear_spell_modifier": reading})
    played = cast(at, "The Fear", [5, 2, 2], {"reaction": "stand_and_drool"}, targets=["foe"])
    (hit,) = played.outcome.effect.hits
    assert hit.steel.obstacle.total == obstacle  # 10 less Will 4
    assert played.outcome.effect.effect == 0  # a flat spell
    assert (played.outcome.tax.obstacle.total, played.outcome.actions) == (2, 1)


@pytest.mark.rules("steel.amb.repeat_tests", "gold.steel.once_per_scene")
@pytest.mark.parametrize("edition", ["revised", "gold"])
def test_the_fear_shakes_nobody_twice_in_a_scene(edition: str):
    """The second casting is rolled and taxed, and the result of the first test stands."""
    at = at_table("The Fear", options={"edition": edition})
    reaction = {"reaction": "stand_and_drool"}
    once = cast(at, "The Fear", [5, 2, 2], reaction, targets=["foe"]).table
    again = cast(once, "The Fear", [5, 2], {}, targets=["foe"], intent="once more")
    (hit,) = again.outcome.effect.hits
    assert not hit.steel.tested
    assert "has already been tested for this in this scene" in again.told


@pytest.mark.rules("sorcery.spell.turn_aside_the_blade")
def test_turn_aside_the_blade_hinders_every_attack():
    at = table(
        han=wizard("Turn Aside the Blade"), foe={**FOE, "skills": {"Sword": "B5", "Oratory": "B5"}}
    )
    raised = cast(at, "Turn Aside the Blade", [7, 4]).table
    declared = {"character": "foe", "ability": "Sword", "task": "stabs", "intent": "hurt him"}
    said = {"obstacle": 1, "on_failure": "x"}
    hit = play("standard_test", {**declared, "target": "han"}, raised, said, [5])
    assert hit.outcome.obstacle.total == 4
    for other in ({**declared, "target": ""}, {**declared, "ability": "Oratory", "target": "han"}):
        assert play("standard_test", other, raised, said, [5]).outcome.obstacle.total == 1


@pytest.mark.rules("sorcery.spell.arcane_kindness")
def test_arcane_kindness_adds_dice_to_kind_words():
    at = at_table(
        "Arcane Kindness", skills={"Persuasion": "B3", "Intimidation": "B3"}, circles="B2"
    )
    raised = cast(at, "Arcane Kindness", [6, 4]).table
    assert a_test(raised, "Persuasion", 1, [1]).outcome.dice.total == 5
    assert a_test(raised, "Intimidation", 1, [1]).outcome.dice.total == 3
    dropped = play("drop_spell", {"character": "han", "spell": "Arcane Kindness"}, raised).table
    assert a_test(dropped, "Persuasion", 1, [1]).outcome.dice.total == 3


# --- Shields -------------------------------------------------------------------------------


def shielded(dice: int, *others: str, **more: Any) -> dict[str, Any]:
    shield = {"name": "Eldritch Shield", "does": "shield", "effect": dice}
    active = [shield, *({"name": name} for name in others)]
    return {
        **GUARDED,
        "active_spells": [{"obstacle": 3, "lasts": "Sustained", **spell} for spell in active],
        **more,
    }


@pytest.mark.rules("sorcery.shield.exchange", "sorcery.amb.shield_dice_meaning")
@pytest.mark.parametrize(
    ("dice", "damage", "left"), [(1, "Mark, B7", 0), (2, "Mark, B6", 0), (4, "", 0), (9, "", 4)]
)
def test_each_die_of_a_shield_cancels_a_success(dice: int, damage: str, left: int):
    at = table(han=wizard(BOLT), foe=shielded(dice))
    said = {"place_successes": (3, 0)}
    played = cast(at, "Bolt", [5, 2, [3]], said, targets=["foe"])
    (hit,) = played.outcome.effect.hits
    assert hit.damage.startswith(damage)
    assert hit.affected is bool(damage)
    kept = played.table.character("foe").active_spells
    assert [spell.effect for spell in kept] == ([left] if left else [])


@pytest.mark.rules("sorcery.shield.blocks")
def test_a_shield_stops_what_destroys_or_taxes():
    for impetus, stopped in (("Destroy", 3), ("Tax", 3), ("Influence", 0)):
        at = table(han=wizard({**LIGHT, "impetus": impetus}), foe=shielded(9))
        rolls: list[Any] = [3, 3, [3]] if impetus == "Destroy" else [3, 3]
        (hit,) = cast(at, "Glow", rolls, targets=["foe"]).outcome.effect.hits
        assert hit.stopped == stopped
    harmful = {**LIGHT, "impetus": "Control", "does": "damage"}  # whatever hurts is stopped
    at = table(han=wizard(harmful), foe=shielded(9))
    (hit,) = cast(at, "Glow", [3, 3, [3]], targets=["foe"]).outcome.effect.hits
    assert hit.stopped == 3


@pytest.mark.rules("sorcery.shield.blocks")
@pytest.mark.parametrize(
    "name",
    ["Choking Hand", "Emperor's Hand", "Fire Fan", "Lights of Simplex", "Storm of Lightning"],
)
def test_a_shield_stops_the_spells_that_the_book_names(name: str):
    at = table(han=wizard({"name": name, "obstacle": 3}), foe=shielded(9))
    (hit,) = cast(at, name, [3, 3], targets=["foe"]).outcome.effect.hits
    assert (hit.stopped, hit.affected) == (3, False)
    at = table(han=wizard({"name": name, "obstacle": 3, "impetus": "Influence"}), foe=shielded(9))
    (hit,) = cast(at, name, [3, 3], targets=["foe"]).outcome.effect.hits
    assert hit.stopped == 0  # the sheet says that it is of another kind


@pytest.mark.rules("sorcery.shield.exchange", "sorcery.amb.flat_spell_dof")
def test_a_shield_takes_the_successes_that_are_of_no_use_first():
    """A flat spell, 5 over: three go to the Die of Fate, two are of no use. 2 + 3 is Superb.

    Two dice of shield take these two; a third takes one from the Die of Fate: 2 + 2 is Mark.
    """
    flat = {**BOLT, "up": False}
    for dice, stage in ((2, "Superb"), (3, "Mark")):
        at = table(han=wizard(flat), foe=shielded(dice))
        (hit,) = cast(at, "Bolt", [7, 2, [2]], targets=["foe"]).outcome.effect.hits
        assert (hit.stopped, hit.damage.partition(",")[0]) == (dice, stage)


@pytest.mark.rules("sorcery.shield.blasted", "sorcery.shield.blasted_interrupts")
def test_a_shield_without_dice_is_gone_and_the_others_are_in_danger():
    at = table(han=wizard(BOLT), foe=shielded(2, "Ward", stats={**FOE["stats"], "Will": "B4"}))
    played = cast(at, "Bolt", [2, 2, [3], 0], targets=["foe"])
    assert played.rolls[-1].label == "Foe, Will"
    assert played.table.character("foe").active_spells == ()
    assert "If Foe is casting, that spell is interrupted." in played.told


@pytest.mark.rules("sorcery.amb.shield_partial_and_area")
def test_a_shield_protects_its_caster_alone():
    at = table(han=wizard({**BOLT, "area": "Paces"}), foe=shielded(9), dog=GUARDED)
    played = cast(at, "Bolt", [2, 2, [3]], targets=["foe", "dog"])
    assert [hit.affected for hit in played.outcome.effect.hits] == [False, True]


# --- Touch ---------------------------------------------------------------------------------

TOUCH = {**LIGHT, "origin": "Personal", "area": "Single Target"}


@pytest.mark.rules("sorcery.area.touch", "sorcery.amb.touch_in_fight")
def test_a_touch_needs_a_roll_only_where_the_group_wants_one():
    plain = at_table(TOUCH, options={"sorcery_touch_in_fight": "no_roll"})
    assert cast(plain, "Glow", [3, 3], targets=["foe"]).outcome.effect.hits[0].affected
    rolled = at_table(TOUCH, options={"sorcery_touch_in_fight": "versus_test"})
    for mine, theirs in ((2, 1), (1, 1), (1, 2)):
        played = cast(rolled, "Glow", [3, 3, mine, theirs], targets=["foe"])
        assert played.outcome.effect.hits[0].affected is (mine > theirs)
    willing = cast(rolled, "Glow", [3, 3], {"resists_touch": False}, targets=["foe"])
    assert willing.outcome.effect.hits[0].affected
    scratched = {**FOE, "wounds": ["Superficial"]}
    hurt = table(
        options={"sorcery_touch_in_fight": "versus_test"}, han=wizard(TOUCH), foe=scratched
    )
    touched = cast(hurt, "Glow", [3, 3, 2, 2], targets=["foe"])
    assert touched.outcome.effect.hits[0].affected
    assert touched.changed["foe.stats.Speed.log.difficult"] == 1  # 4D against two and the scratch


# --- Duration ------------------------------------------------------------------------------


@pytest.mark.rules("sorcery.duration.instantaneous")
def test_an_instantaneous_spell_leaves_nothing_but_what_it_did():
    played = cast(at_table({**LIGHT, "duration": "Instantaneous"}), "Glow", [3, 3])
    assert han(played.table).active_spells == ()
    assert "over in a moment" in played.told


@pytest.mark.rules("sorcery.duration.permanent")
def test_a_permanent_spell_never_fades():
    at = cast(at_table({**LIGHT, "duration": "Permanent"}), "Glow", [3, 3]).table
    later = play("let_time_pass", {"time": "90 years"}, at, rolls=[]).table
    assert [spell.name for spell in han(later).active_spells] == ["Glow"]


@pytest.mark.rules("sorcery.duration.elapsed_base", "sorcery.duration.elapsed_extend")
@pytest.mark.parametrize(
    ("unit", "last", "over"),
    [
        ("seconds", "2 seconds", "3 seconds"),
        ("minutes", "2 minutes", "3 minutes"),
        ("hours", "2 hours", "3 hours"),
        ("days", "2 days", "3 days"),
        ("months", "89 days", "90 days"),
        ("years", "1079 days", "1080 days"),
    ],
)
def test_elapsed_time_ends_after_its_increments(unit: str, last: str, over: str):
    at = cast(at_table({**LIGHT, "duration": unit}), "Glow", [5, 3]).table
    (kept,) = han(at).active_spells
    assert kept.duration == 2
    for time, left in ((last, 1), (over, 0)):
        later = play("let_time_pass", {"time": time}, at, rolls=[]).table
        assert len(han(later).active_spells) == left


@pytest.mark.rules("sorcery.amb.flat_elapsed_duration")
def test_a_flat_spell_may_last_longer_but_does_no_more():
    outcome = cast(at_table({**LIGHT, "duration": "minutes"}), "Glow", [5, 3]).outcome.effect
    assert (outcome.effect, outcome.duration, outcome.lasts) == (0, 2, 3)


@pytest.mark.rules("sorcery.duration.elapsed_base")
def test_exchanges_are_for_the_conflict_to_count_and_over_when_time_passes():
    at = cast(at_table({**LIGHT, "duration": "exchanges"}), "Glow", [5, 3]).table
    assert han(at).active_spells[0].ends == 0
    later = play("let_time_pass", {"time": "10 days"}, at, rolls=[]).table
    assert han(later).active_spells == ()
