"""The casting test: who casts, with which dice, against which obstacle, in which order."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import play, table
from games.burning_wheel.spellcasting import (
    FOE,
    LIGHT,
    SUSTAINED,
    at_table,
    cast,
    han,
    wizard,
)

UP = {**LIGHT, "up": True}


def lines(tally: Any) -> dict[str, int]:
    return {line.label: line.amount for line in tally}


# --- Who casts -----------------------------------------------------------------------------


@pytest.mark.rules("sorcery.gifted.required_to_cast")
def test_only_the_gifted_cast():
    with pytest.raises(NotAllowed, match="Gifted") as refused:
        cast(at_table(LIGHT, traits=["Stubborn"]), "Glow", [3, 3])
    assert refused.value.rule == "sorcery.gifted.required_to_cast"
    touched = at_table(LIGHT, traits=[{"name": "Fey Blood", "situation": "Gifted"}])
    assert cast(touched, "Glow", [3, 3]).outcome.passed


@pytest.mark.rules("sorcery.gifted.required_to_cast", "sorcery.skill.uses")
def test_without_the_gift_sorcery_is_for_reading_and_research():
    at = at_table(traits=[])
    for purpose in ("decipher", "research"):
        said = {"character": "han", "purpose": purpose, "what": "a grimoire"}
        played = play("use_sorcery", said, at, {"obstacle": 2}, [2])
        assert played.outcome.passed
        assert played.outcome.dice.total == 5
        assert "ask_help" in played.asked  # an ordinary test, unlike a casting
    with pytest.raises(BadInput):
        play("use_sorcery", {"character": "han", "purpose": "casting", "what": "x"}, at)


@pytest.mark.rules("sorcery.scope.sibling_skills")
def test_summoning_and_enchanting_cast_in_the_same_way():
    at = at_table(LIGHT, skills={"Summoning": "B3"})
    assert cast(at, "Glow", [3, 3], skill="Summoning").outcome.dice.total == 8
    with pytest.raises(BadInput, match="Sorcery, Summoning, Enchanting"):
        cast(at, "Glow", [3, 3], skill="Alchemy")


def test_a_spell_that_is_not_on_the_sheet_is_refused():
    with pytest.raises(BadInput, match="a spell of Han: Glow"):
        cast(at_table(LIGHT), "Glowing", [3, 3])


@pytest.mark.rules("sorcery.idiom.choice")
def test_the_idiom_is_chosen_once():
    at = at_table(LIGHT, idiom="")
    first = cast(at, "Glow", [3, 3], {"idiom": "gesture"})
    assert first.asks["idiom"].seat == "han"
    assert first.asks["idiom"].kind == "needed"
    again = cast(first.table, "Glow", [3, 3])
    assert "idiom" not in again.asked
    assert han(again.table).idiom.value == "gesture"


@pytest.mark.rules("sorcery.idiom.not_concealable")
@pytest.mark.parametrize(("idiom", "said"), [("speech", "speaks"), ("gesture", "gestures")])
def test_a_casting_is_seen_or_heard_by_all(idiom: str, said: str):
    told = cast(at_table(LIGHT, idiom=idiom), "Glow", [3, 3]).told
    assert said in told
    assert "for all to see" in told


# --- The dice ------------------------------------------------------------------------------


@pytest.mark.rules("sorcery.cast.pool")
def test_sorcery_and_will_are_one_pool():
    played = cast(at_table(LIGHT), "Glow", [3, 3])
    assert lines(played.outcome.dice) == {"Sorcery": 5, "Will": 5}
    assert played.rolls[0].expression.notation.startswith("10")


@pytest.mark.rules("sorcery.cast.pool", "sorcery.amb.wound_dice_on_casting")
@pytest.mark.parametrize(("reading", "dice"), [("once", 9), ("each_ability", 8)])
def test_wound_dice_are_taken_off_once(reading: str, dice: int):
    options = {"injury_combined_pools": reading}
    at = at_table(LIGHT, wounds=["Light"], options=options)
    assert cast(at, "Glow", [3, 3]).outcome.dice.total == dice


@pytest.mark.rules("sorcery.amb.wound_dice_on_casting")
def test_a_superficial_wound_raises_casting_and_tax():
    outcome = cast(at_table(LIGHT, wounds=["Superficial"]), "Glow", [4, 4]).outcome
    assert (outcome.obstacle.total, outcome.tax.obstacle.total) == (4, 4)


@pytest.mark.rules("sorcery.cast.open_ended")
def test_every_die_of_a_casting_is_open_ended():
    played = cast(at_table(LIGHT), "Glow", [[6, 6, *[1] * 8, 6, 1, 4], 3])
    assert played.rolls[0].expression.open_ended is OpenEnded.SIXES
    assert played.outcome.successes == 4


@pytest.mark.rules("sorcery.amb.mixed_shades")
def test_each_die_has_the_shade_of_its_ability():
    at = at_table({**LIGHT, "impetus": "Destroy"}, skills={"Sorcery": "G5"}, stats={"Will": "B4"})
    played = cast(at, "Glow", [[3] * 9, 3], {}, targets=[])
    assert played.outcome.successes == 5  # only the gray dice succeed with a 3
    assert played.outcome.effect.ims.startswith("G")


@pytest.mark.rules("sorcery.amb.mixed_shades", "sorcery.sustain.will_die")
def test_the_dice_set_aside_are_those_of_will():
    """Of a gray Will of 5 with a spell sustained 4 dice are gray, beside 5 black ones."""
    veil = [{"name": "Veil", "obstacle": 2, "lasts": "Sustained"}]
    at = at_table(LIGHT, stats={"Will": "G5"}, active_spells=veil)
    played = cast(at, "Glow", [[3] * 9, 3], {})
    assert (played.outcome.dice.total, played.outcome.successes) == (9, 4)


@pytest.mark.rules("sorcery.cast.pool", "faith.prayer.blessing", "faith.prayer.aid_waits")
def test_what_adds_to_will_adds_to_a_casting():
    """5 and 5, one for a Blessing, two of Aid and one of a trait: 14D, of which 9 are gray."""
    prayers = [
        {"prayer": "blessing", "ability": "Will", "dice": 1},
        {"prayer": "aid", "ability": "Will", "dice": 2},
    ]
    calm = {"name": "Calm", "kind": "die", "dice": {"Will": 1}}
    at = at_table(LIGHT, traits=["Gifted", calm], prayers=prayers, stats={"Will": "G5"})
    played = cast(at, "Glow", [[3] * 14, 3], {})
    assert (played.outcome.dice.total, played.outcome.successes) == (14, 9)
    assert han(played.table).prayers == ()
    assert cast(played.table, "Glow", [3, 3]).outcome.dice.total == 11


@pytest.mark.rules("sorcery.cast.no_forks")
def test_no_forks_into_a_casting():
    at = at_table(LIGHT, skills={"Symbology": "B4", "Ancient Languages": "B4"})
    assert "forks" not in cast(at, "Glow", [3, 3]).asked


@pytest.mark.rules("sorcery.cast.help_discouraged")
def test_help_only_if_the_gm_allows_it():
    other = {**wizard(), "name": "Ann", "player": "ann"}
    at = table(han=wizard(LIGHT), ann=other)
    refused = cast(at, "Glow", [3, 3], helpers=["ann"])
    assert refused.asks["allow_casting_help"].seat == "gm"
    assert refused.outcome.dice.total == 10
    assert refused.asks["allow_casting_help"].question.default is False
    assert "help" not in refused.asked
    said = {"allow_casting_help": True, "ann/help": "Sorcery", "ann/help_how": "chants"}
    assert cast(at, "Glow", [3, 3], said, helpers=["ann"]).outcome.dice.total == 12


@pytest.mark.rules("artha.divine_inspiration.sorcery")
@pytest.mark.parametrize(("doubled", "dice"), [("Sorcery", 16), ("Will", 17), ("neither", 11)])
def test_deeds_double_one_of_the_two(doubled: str, dice: int):
    at = at_table(LIGHT, stats={"Will": "B6"}, artha={"deeds": 1})
    played = cast(at, "Glow", [4, 3], {"divine_inspiration#1": doubled})
    assert played.outcome.dice.total == dice
    assert played.rolls[0].expression.dice.total == dice


@pytest.mark.rules("artha.amb.divine_inspiration_and_penalties", "sorcery.cast.pool")
def test_deeds_double_what_is_left_of_will_and_of_forte():
    """Will 5 less two sustained spells is 3: 5 + 3, and 3 again. Forte 6 less two dice: 4 and 4."""
    kept = [{"name": name, "obstacle": 2, "lasts": "Sustained"} for name in ("Ward", "Haze")]
    at = at_table(LIGHT, active_spells=kept, artha={"deeds": 1})
    assert cast(at, "Glow", [4, 3], {"divine_inspiration#1": "Will"}).outcome.dice.total == 11
    taxed = at_table(LIGHT, forte_tax=[{"seconds": 3600}] * 2, artha={"deeds": 1})
    played = cast(taxed, "Glow", [4, 3], {"divine_inspiration#2": True})
    assert played.outcome.tax.dice.total == 8


@pytest.mark.rules("artha.amb.epiphany_accounting")
def test_the_deed_that_doubles_will_counts_for_will_and_the_persona_for_sorcery():
    said = {"boon#1": 2}
    for doubled, deeds in (("Will", {"Will": 1}), ("Sorcery", {"Sorcery": 1})):
        at = at_table(LIGHT, artha={"deeds": 1, "persona": 2})
        sheet = han(cast(at, "Glow", [4, 3], {"divine_inspiration#1": doubled, **said}).table)
        assert (sheet.artha.deeds, sheet.artha.persona) == (0, 0)
        for rated in (sheet.ability("Sorcery"), sheet.ability("Will")):
            assert rated.ability.spent.deeds == deeds.get(rated.name, 0)
            assert rated.ability.spent.persona == (2 if rated.name == "Sorcery" else 0)


@pytest.mark.rules("artha.luck.already_open_ended")
def test_fate_rerolls_one_failed_die():
    at = at_table(LIGHT, artha={"fate": 1})
    played = cast(at, "Glow", [2, 1, 3], {"after_roll": "luck"})
    assert played.outcome.passed
    assert [roll.expression.notation for roll in played.rolls[:2]][1].startswith("1")


# --- The obstacle --------------------------------------------------------------------------


@pytest.mark.rules("sorcery.obstacle.fixed", "sorcery.cast.success", "sorcery.cast.failure")
@pytest.mark.parametrize(("successes", "passed"), [(2, False), (3, True), (4, True)])
def test_meeting_the_obstacle_casts_the_spell(successes: int, passed: bool):
    rolls: list[Any] = [successes, 3] if passed else [successes, 3, [6]]
    outcome = cast(at_table(LIGHT), "Glow", rolls).outcome
    assert outcome.passed is passed
    assert (outcome.effect is None) is (outcome.failure is not None) is not passed
    with pytest.raises(BadInput, match="3 for this spell"):
        cast(at_table(LIGHT), "Glow", rolls, obstacle=4)


def test_a_spell_without_an_obstacle_says_where_to_write_it():
    with pytest.raises(BadInput, match="write it on the sheet"):
        cast(at_table("Binding"), "Binding", [3, 3])


@pytest.mark.rules("sorcery.obstacle.range")
def test_the_caster_picks_from_a_range():
    at = at_table({"name": "Mage Light", "obstacle": "2-5"})
    picked = cast(at, "Mage Light", [4, 4], {"spell_obstacle": "4"})
    assert picked.asks["spell_obstacle"].kind == "needed"
    assert (picked.outcome.obstacle.total, picked.outcome.tax.obstacle.total) == (4, 4)
    assert picked.outcome.actions == 16  # x4
    assert cast(at, "Mage Light", [2, 2], obstacle=2).outcome.obstacle.total == 2
    with pytest.raises(BadInput, match="2, 3, 4, 5"):
        cast(at, "Mage Light", [2, 2], obstacle=6)


@pytest.mark.rules("sorcery.obstacle.caster_stat", "sorcery.obstacle.target_stat")
def test_a_stat_may_be_the_obstacle():
    own = at_table({"name": "Self", "obstacle": "caster's Power"})
    assert cast(own, "Self", [4, 4]).outcome.obstacle.total == 4
    other = at_table({"name": "Grip", "obstacle": "target's Will"})
    assert cast(other, "Grip", [4, 4], targets=["foe"]).outcome.obstacle.total == 4
    simple = {"name": "Simple", "npc": True, "stats": {"Will": "B2"}}
    both = table(han=wizard({"name": "Grip", "obstacle": "target's Will"}), foe=FOE, simple=simple)
    for several in (["foe", "simple"], ["simple", "foe"]):  # the strongest of them
        assert cast(both, "Grip", [4, 4], targets=several).outcome.obstacle.total == 4
    with pytest.raises(BadInput, match="whose Will"):
        cast(other, "Grip", [4, 4])
    with pytest.raises(BadInput, match="whose Will"):
        cast(other, "Grip", [4, 4], obstacle=1)


@pytest.mark.rules("sorcery.obstacle.target_stat")
def test_the_gm_says_a_stat_that_is_not_on_the_sheet_of_the_target():
    other = at_table({"name": "Grip", "obstacle": "target's Perception"})
    assert other.character("foe").find("Perception") is None
    played = cast(other, "Grip", [4, 4], {"target_stat": 3}, targets=["foe"])
    assert (played.outcome.obstacle.total, played.outcome.tax.obstacle.total) == (3, 3)
    assert played.seats["target_stat"] == "gm"
    assert str(played.table.character("foe").ability("Perception", "").rating) == "B3"
    again = cast(played.table, "Grip", [4, 4], targets=["foe"])
    assert "target_stat" not in again.asked, "it stays on the sheet"
    assert again.outcome.obstacle.total == 3


@pytest.mark.rules("sorcery.cast.obstacle_sum", "sorcery.area.increase", "sorcery.method.hastily")
def test_the_casting_obstacle_is_a_sum_and_that_of_tax_is_not():
    spell = {**LIGHT, "area": "10s of Paces"}
    said = {"disadvantages": ("moving",)}
    more = {"wider": 2, "method": "hastily", "steps": 3, "avoided": True}
    outcome = cast(at_table(spell), "Glow", [10, 5], said, **more).outcome
    assert lines(outcome.obstacle) == {
        "Glow": 3,
        "larger area": 2,
        "hastily": 3,
        "Avoid in the same volley": 1,
        "moving": 1,
    }
    assert lines(outcome.tax.obstacle) == {"Glow": 3, "hastily": 2}


@pytest.mark.rules("sorcery.tax.obstacle_excludes_area")
def test_area_never_adds_to_tax():
    spell = {**LIGHT, "area": "10s of Paces"}
    assert cast(at_table(spell), "Glow", [8, 3], wider=5).outcome.tax.obstacle.total == 3


@pytest.mark.rules("sorcery.area.declare_before", "sorcery.area.base")
def test_the_area_is_declared_before_the_roll():
    magesense = at_table("Magesense")
    assert cast(magesense, "Magesense", [4, 4]).outcome.effect.paces == 10
    assert cast(magesense, "Magesense", [7, 4], wider=3).outcome.effect.paces == 40
    with pytest.raises(NotAllowed, match="no measured area"):
        cast(at_table(LIGHT), "Glow", [4, 4], wider=1)
    with pytest.raises(BadInput, match="0 to 30"):
        cast(magesense, "Magesense", [4, 4], wider=-1)


# --- Origin and area -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facets", "rule"),
    [
        pytest.param(
            {"origin": "Presence"},
            "sorcery.origin.presence",
            marks=pytest.mark.rules("sorcery.origin.presence"),
        ),
        pytest.param(
            {"origin": "Sight"},
            "sorcery.origin.sight",
            marks=pytest.mark.rules("sorcery.origin.sight"),
        ),
        pytest.param(
            {"origin": "Personal", "area": "Single Target"},
            "sorcery.area.touch",
            marks=pytest.mark.rules("sorcery.area.touch"),
        ),
        pytest.param(
            {"origin": "Personal", "area": "Presence"},
            "sorcery.origin.personal",
            marks=pytest.mark.rules("sorcery.origin.personal"),
        ),
    ],
)
def test_where_a_spell_may_begin(facets: dict[str, str], rule: str):
    at = at_table({**LIGHT, **facets})
    played = cast(at, "Glow", [3, 3], targets=["foe"])
    assert played.asks["in_reach"].because == rule
    assert played.asks["in_reach"].kind == "consent"
    with pytest.raises(NotAllowed) as refused:
        cast(at, "Glow", [3, 3], {"in_reach": False}, targets=["foe"])
    assert refused.value.rule == rule


@pytest.mark.rules("sorcery.origin.sight", "sorcery.spell.magesense")
def test_magesense_extends_sight():
    sense = {"name": "Magesense", "obstacle": 4, "lasts": "Sustained", "does": "sight"}
    shield = {"name": "Eldritch Shield", "obstacle": 3, "lasts": "Sustained"}
    at = at_table({**LIGHT, "origin": "Sight"}, active_spells=[shield, sense])
    prompt = cast(at, "Glow", [3, 3], targets=["foe"]).asks["in_reach"].prompt
    assert "(with Magesense)" in prompt  # a shield is nothing to see with
    seen = at_table({"name": "Magesense", "duration": "Sustained"}, LIGHT)
    sensed = cast(seen, "Magesense", [4, 4])
    assert sensed.behind("takes effect (10 paces)") == ["sorcery.spell.magesense"]
    assert cast(seen, "Glow", [3, 3]).behind("takes effect") == ["sorcery.facet.effect"]


@pytest.mark.rules("sorcery.area.kinds")
def test_an_area_takes_the_targets_it_can():
    more = table(han=wizard({**LIGHT, "area": "Single Target"}), foe=FOE, dog=FOE)
    with pytest.raises(BadInput, match="a single target"):
        cast(more, "Glow", [3, 3], targets=["foe", "dog"])
    own = at_table({**LIGHT, "area": "Caster"})
    with pytest.raises(BadInput, match="works on its caster"):
        cast(own, "Glow", [3, 3], targets=["foe"])
    with pytest.raises(BadInput, match="each target once"):
        cast(at_table(LIGHT), "Glow", [3, 3], targets=["foe", "foe"])


@pytest.mark.rules("sorcery.area.presence_measure")
def test_presence_is_as_wide_as_will_whatever_is_sustained():
    kept = [{"name": "Ward", "obstacle": 3, "lasts": "Sustained"}]
    at = at_table({**LIGHT, "area": "Presence"}, active_spells=kept)
    assert cast(at, "Glow", [3, 3]).outcome.effect.paces == 5


# --- Order ---------------------------------------------------------------------------------


@pytest.mark.rules("sorcery.sequence.declare", "sorcery.sequence.full_order")
def test_intent_and_spell_then_roll_tax_effect_recovery():
    at = at_table({**UP, "duration": "minutes"})
    played = cast(at, "Glow", [5, 2, 1], {"place_successes": (1, 1)}, intent="see the trap")
    said = played.told.splitlines()
    assert "Han's intent: see the trap. Task: casts Glow (Sorcery B5)." in said
    order = [
        said.index(next(s for s in said if part in s))
        for part in (
            "Task: casts Glow",
            "takes 12 actions",
            "Cast, 2 extra",
            "fails by 1",
            "takes effect",
            "recovers a die",
        )
    ]
    assert order == sorted(order)
    assert played.before_the_dice("disadvantages")
    assert not played.before_the_dice("place_successes")


@pytest.mark.rules("sorcery.cast.tax_always")
def test_a_failed_casting_is_taxed_before_the_die_of_fate():
    played = cast(at_table(LIGHT), "Glow", [0, 3, [4]])
    assert [roll.label for roll in played.rolls] == [
        "Han, Sorcery",
        "Han, Forte",
        "the Die of Fate, Failed Casting",
    ]


@pytest.mark.rules("sorcery.amb.casting_test_advances_what")
def test_casting_is_logged_for_sorcery_and_tax_for_forte():
    changed = cast(at_table({**LIGHT, "obstacle": 5}), "Glow", [5, 5]).changed
    assert changed["han.skills.Sorcery.log.routine"] == 1  # 10D against Ob 5
    assert changed["han.stats.Forte.log.difficult"] == 1  # 6D against Ob 5
    assert not any("stats.Will" in path for path in changed)


@pytest.mark.rules("sorcery.sustain.limit")
def test_one_will_die_must_remain():
    names = ("One", "Two", "Three", "Four")
    kept = [{"name": name, "obstacle": 2} for name in names]
    at = table(
        han={
            **wizard(SUSTAINED),
            "active_spells": [{**spell, "lasts": "Sustained"} for spell in kept],
        }
    )
    three = table(
        han={
            **wizard(SUSTAINED),
            "active_spells": [{**spell, "lasts": "Sustained"} for spell in kept[:3]],
        }
    )
    assert len(han(cast(three, "Ward", [3, 3]).table).sustained) == 4  # of Will 5 one is left
    with pytest.raises(NotAllowed, match="drop one first") as refused:
        cast(at, "Ward", [3, 3])
    assert refused.value.rule == "sorcery.sustain.limit"
    with pytest.raises(BadInput, match="at most 4 with Will 5"):
        table(
            han={
                **wizard(),
                "active_spells": [
                    {**spell, "lasts": "Sustained"}
                    for spell in (*kept, {"name": "Five", "obstacle": 1})
                ],
            }
        )
