"""The prayers one by one: what each brings about, for how long, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from games.burning_wheel.playing import Played, a_test, play, sheet
from games.burning_wheel.prayers import anselm, at_church, lines, pray, rolf

STRONG = {"Faith": "B9"}


def tried(at: BurningTable, who: str, ability: str, rolls: Any, answers: Any = None) -> Played:
    said = {"character": who, "ability": ability, "intent": f"use {ability}", "task": "does it"}
    return play("standard_test", said, at, {"obstacle": 2, **(answers or {})}, rolls)


# --- Blessing ------------------------------------------------------------------------------


def blessed(ability: str = "Sword", **more: Any) -> BurningTable:
    return pray(at_church(**more), "blessing", [3], targets=["rolf"], ability=ability).table


@pytest.mark.rules("faith.prayer.blessing")
@pytest.mark.parametrize(
    ("ability", "exponent"), [("Sword", 4), ("Power", 4), ("Health", 4), ("Climbing", 3)]
)
def test_a_blessing_is_a_die_for_one_intent(ability: str, exponent: int):
    at = blessed(ability)
    first = tried(at, "rolf", ability, [2])
    assert lines(first.outcome.dice) == {ability: exponent, f"Blessing: {ability}": 1}
    assert first.seats["blessing_over"] == "gm"
    assert first.asks["blessing_over"].kind == "consent"
    assert "Rolf's Blessing" in first.told
    assert not rolf(first.table).prayers
    unfinished = tried(at, "rolf", ability, [2], {"blessing_over": False})
    assert len(rolf(unfinished.table).prayers) == 1


@pytest.mark.rules("faith.prayer.blessing")
def test_a_blessing_is_for_one_ability_and_costs_ob_3():
    played = pray(at_church(), "blessing", [3], targets=["rolf"], ability="Sword")
    assert lines(played.outcome.obstacle) == {"Blessing": 3}
    other = tried(played.table, "rolf", "Climbing", [2])
    assert other.outcome.dice.total == 3
    assert "blessing_over" not in other.asked
    assert len(rolf(other.table).prayers) == 1


@pytest.mark.rules("faith.prayer.blessing")
def test_in_a_conflict_a_blessing_lasts_until_the_conflict_is_over():
    at = play("begin_series", {"title": "duel", "characters": ["rolf"]}, blessed()).table
    for intent in ("first", "second"):
        said = {"character": "rolf", "ability": "Sword", "intent": intent, "task": "cuts"}
        run = play("standard_test", said, at, {"obstacle": 2}, [2])
        assert run.outcome.dice.total == 5
        assert "blessing_over" not in run.asked
        at = run.table
    assert not rolf(play("end_series", {"title": "duel"}, at).table).prayers


@pytest.mark.rules("faith.prayer.blessing")
def test_a_thing_can_be_blessed_and_works_for_who_has_it():
    at = pray(at_church(), "blessing", [3], targets=["rolf"], thing="sword", ability="Sword").table
    assert "Blessing: sword" in lines(tried(at, "rolf", "Sword", [2]).outcome.dice)
    lost = play("lose_gear", {"character": "rolf", "thing": "sword"}, at).table
    assert tried(lost, "rolf", "Sword", [2]).outcome.dice.total == 4
    with pytest.raises(BadInput, match="a weapon or a piece of gear of Rolf"):
        pray(at_church(), "blessing", None, targets=["rolf"], thing="spear", ability="Sword")


def test_a_prayer_written_onto_a_sheet_works_as_one_that_was_answered():
    """A Blessing is +1D unless more is said; names may be written in any case."""
    written = [
        {"prayer": "Blessing", "ability": "climbing"},
        {"prayer": "aid", "ability": "CLIMBING", "dice": 2},
        {"prayer": "boon", "ability": "sword"},
    ]
    at = at_church(rolf={"prayers": written})
    found = [(each.prayer, each.ability, each.dice) for each in rolf(at).prayers]
    assert found == [("blessing", "Climbing", 1), ("aid", "Climbing", 2), ("boon", "Sword", 0)]
    climbs = tried(at, "rolf", "Climbing", [2]).outcome
    assert climbs.dice.total == 6
    with pytest.raises(BadInput, match="one of blessing, aid, boon"):
        at_church(rolf={"prayers": [{"prayer": "guidance", "ability": "Sword"}]})


def test_a_priest_does_not_bless_himself():
    """faith.amb.blessing_self."""
    for targets in ([], ["anselm"]):
        with pytest.raises(BadInput, match="do not bless themselves"):
            pray(at_church(), "blessing", None, targets=targets, ability="Oratory")
    # Their tools they may bless.
    at = at_church(gear=["psalter"])
    run = pray(at, "blessing", [3], thing="psalter", ability="Oratory")
    assert tried(run.table, "anselm", "Oratory", [3]).outcome.dice.total == 4


@pytest.mark.parametrize("ability", ["", "Faith", "Circles", "Reflexes"])
def test_only_stats_skills_steel_and_health_are_helped(ability: str):
    at = at_church(rolf={"circles": "B2", "attributes": {"Faith": "B2", "Reflexes": "B4"}})
    with pytest.raises(BadInput, match="a stat, a skill, Steel or Health"):
        pray(at, "blessing", None, targets=["rolf"], ability=ability)


def test_blessings_do_not_stack_and_may_combine_with_aid():
    """faith.amb.blessing_stacking."""
    with pytest.raises(NotAllowed, match="already has Blessing on Sword") as refused:
        pray(blessed(), "blessing", None, targets=["rolf"], ability="Sword", intent="more")
    assert refused.value.rule == "faith.amb.blessing_stacking"
    both = [
        {"prayer": "blessing", "ability": "Sword", "dice": 1},
        {"prayer": "aid", "ability": "Sword", "dice": 2},
    ]
    for custom, dice in (("combine", 7), ("one_at_a_time", 6)):
        at = at_church({"faith_blessing_with_aid": custom}, rolf={"prayers": both})
        run = tried(at, "rolf", "Sword", [2])
        assert run.outcome.dice.total == dice
        left = [each.prayer for each in rolf(run.table).prayers]
        assert left == ([] if custom == "combine" else ["blessing"])  # what did not count stays


# --- Aid -----------------------------------------------------------------------------------


@pytest.mark.rules("faith.prayer.aid", "faith.prayer.aid_waits")
def test_aid_turns_extra_successes_into_dice_and_waits_for_its_test():
    prayed = pray(at_church(attributes=STRONG), "aid", [6], ability="Oratory")
    assert lines(prayed.outcome.obstacle) == {"Aid": 4}
    assert prayed.outcome.bonus == 2
    exactly = pray(at_church(attributes=STRONG), "aid", [4], ability="Oratory")
    assert "The prayer is heard, but no dice are left over." in exactly.told
    assert "left over" not in prayed.told
    other = tried(prayed.table, "anselm", "Doctrine", [2])
    assert other.outcome.dice.total == 4
    first = tried(other.table, "anselm", "Oratory", [2])
    assert lines(first.outcome.dice) == {"Oratory": 3, "Aid: Oratory": 2}
    assert not anselm(first.table).prayers
    said = {"character": "anselm", "ability": "Oratory", "intent": "again", "task": "speaks"}
    again = play("standard_test", said, first.table, {"obstacle": 1}, [1])
    assert again.outcome.dice.total == 3


@pytest.mark.rules("faith.prayer.aid")
def test_aid_helps_steel_too():
    at = pray(at_church(attributes=STRONG), "aid", [7], ability="Steel").table
    said = {"character": "anselm", "cause": "surprise", "source": "a shot"}
    run = play("steel_test", said, at, rolls=[9])
    assert lines(run.outcome.dice)["Aid: Steel"] == 3
    assert not anselm(run.table).prayers


@pytest.mark.rules("faith.prayer.aid_choose_at_prayer")
def test_what_aid_helps_is_named_with_the_prayer():
    with pytest.raises(BadInput, match="named with the prayer") as refused:
        pray(at_church(), "aid", None)
    assert refused.value.rule == "faith.prayer.aid_choose_at_prayer"


@pytest.mark.parametrize("custom", ["priest_only", "other_devotees_too"])
def test_aid_is_for_the_priest_or_for_others_too(custom: str):
    """faith.amb.aid_recipient."""
    at = at_church({"faith_aid_recipient": custom}, attributes=STRONG)
    if custom == "priest_only":
        with pytest.raises(BadInput, match="for the priest who prays"):
            pray(at, "aid", None, targets=["rolf"], ability="Sword")
        return
    run = pray(at, "aid", [5], targets=["rolf"], ability="Sword")
    assert rolf(run.table).prayers[0].dice == 1


def test_aid_that_is_just_met_succeeds_and_gives_nothing_and_only_one_waits():
    """faith.amb.aid_zero_extra."""
    met = pray(at_church(), "aid", [4], ability="Oratory")
    assert met.outcome.passed
    assert met.outcome.earned
    assert not anselm(met.table).prayers
    waiting = pray(at_church(), "aid", [5], ability="Oratory").table
    with pytest.raises(NotAllowed, match="already has Aid on Oratory"):
        pray(waiting, "aid", None, ability="Doctrine", intent="more")


# --- Hindrance -----------------------------------------------------------------------------

FOES = {key: {"name": key.title()} for key in ("ulf", "sven", "olaf")}


@pytest.mark.rules("faith.prayer.hindrance_obstacle")
@pytest.mark.parametrize(("foes", "obstacle"), [(1, 4), (2, 5), (3, 6)])
def test_the_obstacle_of_a_hindrance_goes_with_the_foes(foes: int, obstacle: int):
    at = at_church(others=FOES)
    targets = ["rolf", *FOES][:foes]
    assert pray(at, "hindrance", [1], targets=targets).outcome.obstacle.total == obstacle


@pytest.mark.parametrize("custom", ["three_at_most", "plus_1_ob_each"])
def test_more_than_three_foes(custom: str):
    """faith.amb.hindrance_more_than_three."""
    at = at_church({"faith_hindrance_foes": custom}, others=FOES)
    targets = ["rolf", *FOES]
    if custom == "three_at_most":
        with pytest.raises(BadInput, match="three foes at most"):
            pray(at, "hindrance", None, targets=targets)
        return
    assert lines(pray(at, "hindrance", [1], targets=targets).outcome.obstacle) == {
        "Hindrance, 3 foes": 6,
        "further foes": 1,
    }
    many = at_church({"faith_hindrance_foes": custom}, others={**FOES, "knut": {"name": "Knut"}})
    run = pray(many, "hindrance", [1], targets=[*targets, "knut"])
    assert run.outcome.obstacle.total == 8


@pytest.mark.rules("faith.prayer.hindrance_effect")
@pytest.mark.parametrize(
    ("faith", "faces", "actions"),
    [(1, [6, 6, 6, 6, 1], 1), (4, 4, 2), (5, 4, 2), (9, 4, 4)],
)
def test_a_hindrance_holds_for_half_of_faith_in_actions(faith: int, faces: Any, actions: int):
    """faith.amb.hindrance_rounding."""
    at = at_church(attributes={"Faith": f"B{faith}"}, others=FOES)
    run = pray(at, "hindrance", [faces], targets=["rolf"])
    assert run.outcome.actions == actions
    held = run.table.scene.hesitating[0]
    assert (held.character, held.heartbeats) == ("rolf", actions)
    with pytest.raises(NotAllowed, match="Rolf hesitates"):
        a_test(BurningTable({"rolf": rolf(run.table)}, run.table.scene, at.options), "Sword", 1)
    free = play("heartbeats", {"count": actions}, run.table).table
    assert not free.scene.hesitating


@pytest.mark.rules("faith.prayer.hindrance_effect")
@pytest.mark.parametrize(("left", "beats"), [(5, 5), (1, 2)])
def test_a_hindrance_does_not_shorten_a_hesitation(left: int, beats: int):
    """Faith B5 holds for 2; who runs screaming for longer goes on doing so."""
    lost = {"character": "rolf", "heartbeats": left, "reaction": "run_screaming"}
    run = pray(at_church(scene={"hesitating": [lost]}), "hindrance", [4], targets=["rolf"])
    (held,) = run.table.scene.hesitating
    assert (held.heartbeats, held.reaction) == (beats, "run_screaming")


def test_a_hindrance_is_no_failed_steel_test_and_threatens_no_spell():
    """faith.amb.hindrance_state."""
    active = [{"name": "Ward", "obstacle": 3, "lasts": "Sustained"}]
    at = at_church(rolf={"active_spells": active})
    run = pray(at, "hindrance", [4], targets=["rolf"])
    assert not rolf(run.table).distractions
    assert rolf(run.table).sustained


def test_a_hindrance_breaks_off_a_casting_whatever_the_idiom():
    """faith.amb.hindrance_state."""
    at = at_church(others={"han": {**WIZARD, "active_spells": []}})
    run = pray(at, "hindrance", [4, 2, [6]], targets=["han"], castings=[CASTING])
    assert "Han's Glow is interrupted." in run.told
    assert run.table.scene.hesitating[0].character == "han"


@pytest.mark.parametrize("targets", [[], ["anselm"], ["rolf", "rolf"]])
def test_a_hindrance_needs_foes(targets: list[str]):
    with pytest.raises(BadInput, match="targets"):
        pray(at_church(), "hindrance", None, targets=targets)


# --- Boon ----------------------------------------------------------------------------------


@pytest.mark.rules("faith.prayer.boon")
def test_a_boon_makes_an_ability_open_ended_until_the_scene_ends():
    at = at_church()
    assert tried(at, "anselm", "Oratory", [2]).rolls[0].expression.open_ended is OpenEnded.NO
    prayed = pray(at, "boon", [5], ability="Oratory", task="preaches")
    assert lines(prayed.outcome.obstacle) == {"Boon": 5}
    assert anselm(prayed.table).prayers[0].intent == "preaches"
    run = tried(prayed.table, "anselm", "Oratory", [2])
    assert run.rolls[0].expression.open_ended is OpenEnded.SIXES
    assert anselm(run.table).prayers  # still there
    assert not anselm(play("end_scene", {}, run.table).table).prayers


@pytest.mark.rules("faith.prayer.boon")
def test_ability_and_task_of_a_boon_are_named_with_the_prayer():
    with pytest.raises(BadInput, match="named with the prayer"):
        pray(at_church(), "boon", None, task="preaches")
    asked = pray(at_church(), "boon", [5], {"boon_task": "calms them"}, ability="Oratory")
    assert asked.before_the_dice("boon_task")
    assert asked.asks["boon_task"].question.required
    assert "boon_task" not in pray(at_church(), "guidance", [5]).asked
    assert anselm(asked.table).prayers[0].intent == "calms them"


# --- What is learned -----------------------------------------------------------------------


@pytest.mark.rules("faith.prayer.guidance", "faith.prayer.inspiration")
@pytest.mark.parametrize(("prayer", "obstacle"), [("guidance", 5), ("inspiration", 7)])
def test_the_gm_reveals_what_was_asked_for(prayer: str, obstacle: int):
    at = at_church(attributes=STRONG)
    run = pray(at, prayer, [obstacle], {"revelation": "your king is dead"})
    assert run.outcome.obstacle.total == obstacle
    assert run.seats["revelation"] == "gm"
    assert run.outcome.revealed == "your king is dead"
    assert "Your king is dead." in run.told
    more = "more" in run.asks["revelation"].prompt
    assert more is (prayer == "inspiration")


# --- Wonders -------------------------------------------------------------------------------


@pytest.mark.rules("faith.prayer.minor_miracle")
def test_a_minor_miracle_closes_a_bleeding_wound():
    at = at_church(rolf={"wounds": ["Severe"], "tolerances": "B4"})
    run = pray(at, "minor_miracle", [5], targets=["rolf"], wound=1)
    assert run.outcome.obstacle.total == 5
    assert rolf(run.table).wounds[0].clotted
    assert "bleeds no more" in run.told
    later = play("let_time_pass", {"time": "2 days"}, run.table).table
    assert rolf(later).wounds[0].level.value == "Severe"
    light = at_church(rolf={"wounds": ["Light"], "tolerances": "B4"})
    with pytest.raises(BadInput, match="a wound that bleeds"):
        pray(light, "minor_miracle", None, targets=["rolf"], wound=1)


@pytest.mark.rules("faith.prayer.minor_miracle")
def test_a_minor_miracle_makes_a_broken_blade_whole():
    at = at_church(rolf={"weapons": [{"weapon": "sword", "broken": True}]})
    run = pray(at, "minor_miracle", [5], targets=["rolf"], thing="sword")
    assert not rolf(run.table).weapons[0].broken
    assert "Rolf's sword is whole again." in run.told
    with pytest.raises(BadInput, match="a broken weapon of Rolf: none"):
        pray(run.table, "minor_miracle", None, targets=["rolf"], thing="sword", intent="more")


@pytest.mark.rules("faith.prayer.purification")
def test_purification_drives_out_rot_and_lesser_spirits_by_touch():
    at = at_church(others={"imp": {"name": "Imp", "stats": {"Will": "B5"}}})
    run = pray(at, "purification", [5], targets=["imp"])
    assert run.outcome.obstacle.total == 5
    assert run.seats["touches"] == "gm"
    assert "Imp is driven out." in run.told
    assert "The rot is driven out" in pray(at, "purification", [5]).told
    with pytest.raises(NotAllowed, match="must touch"):
        pray(at, "purification", None, {"touches": False}, targets=["imp"])


@pytest.mark.rules("faith.prayer.purification")
@pytest.mark.parametrize(
    ("raw", "lesser"),
    [
        ({"stats": {"Will": "B5"}}, True),
        ({"stats": {"Will": "B6"}}, False),
        ({"stats": {"Will": "G2"}}, False),
        ({"attributes": {"Strength": "B4"}}, True),
        ({"stats": {"Will": "B3"}, "attributes": {"Strength": "B6"}}, False),
        ({}, False),
    ],
)
def test_which_spirits_are_lesser(raw: dict[str, Any], lesser: bool):
    """faith.amb.purification_or."""
    at = at_church(others={"imp": {"name": "Imp", **raw}})
    if lesser:
        assert pray(at, "purification", [5], targets=["imp"]).outcome.passed
        return
    with pytest.raises(NotAllowed, match="no lesser spirit"):
        pray(at, "purification", None, targets=["imp"])


@pytest.mark.rules("faith.prayer.consecration")
def test_a_holy_place_keeps_weaker_spirits_out_until_it_is_desecrated():
    spirits = {
        key: {"name": key.title(), "stats": {"Will": f"B{will}"}}
        for key, will in (("imp", 6), ("fiend", 7))
    }
    at = at_church(attributes={"Faith": "B7"}, others=spirits)
    run = pray(at, "consecration", [6], place="the chapel")
    assert run.outcome.obstacle.total == 6
    assert run.table.scene.holy_places[0].faith == 7
    for key, barred in (("imp", True), ("fiend", False)):
        said = {"spirit": key, "place": "The Chapel"}
        assert play("enter_holy_place", said, run.table).outcome.barred is barred
    said = {"spirit": "imp", "place": "the chapel"}
    assert not play("enter_holy_place", said, run.table, {"is_spirit": False}).outcome.barred
    gone = play("desecrate", {"place": "the chapel"}, run.table)
    assert gone.outcome.holy == ()
    with pytest.raises(BadInput, match="a holy place: none"):
        play("enter_holy_place", said, gone.table)
    for place in ("", "the chapel"):
        with pytest.raises(BadInput, match="place"):
            pray(run.table, "consecration", None, place=place, intent="more")


@pytest.mark.rules("tests.record.gm_characters", "faith.prayer.blessing")
def test_what_a_sheet_of_the_gms_lacks_for_a_prayer_is_filled_in():
    bare = {"name": "The hound", "npc": True, "skills": {"Savage Attack": "B4"}}
    at = at_church(others={"hound": bare})
    blessed = pray(at, "blessing", [3], {"missing_stats": 5}, targets=["hound"], ability="power")
    hound = blessed.table.character("hound")
    assert (str(hound.stats["Power"].rating), hound.prayers[0].ability) == ("B5", "Power")
    steel = pray(at, "blessing", [3], {"missing_steel": 3}, targets=["hound"], ability="Steel")
    assert str(steel.table.character("hound").attributes["Steel"].rating) == "B3"
    holy = at_church(
        others={"hound": bare}, scene={"holy_places": [{"place": "the well", "faith": 5}]}
    )
    said = {"spirit": "hound", "place": "the well"}
    for will, barred in ((4, True), (5, False)):
        met = play("enter_holy_place", said, holy, {"missing_stats": will}).outcome
        assert (met.will, met.barred) == (will, barred)


@pytest.mark.rules("faith.prayer.consecration", "faith.pray.success")
def test_a_careful_consecration_takes_half_as_long_again_and_can_run_out_of_time():
    at = at_church(attributes=STRONG)
    plain = pray(at, "consecration", [5], place="the chapel")
    assert (plain.outcome.passed, "time_complication" in plain.asked) == (False, False)
    careful = pray(at, "consecration", [6], {"carefully": True}, place="the chapel").outcome
    assert careful.dice.total == plain.outcome.dice.total + 1
    assert (careful.seconds, careful.complication) == (5400, "")
    said = {"carefully": True, "time_complication": "night falls"}
    late = pray(at, "consecration", [5], said, place="the chapel").outcome
    assert (late.passed, late.complication) == (False, "night falls")


@pytest.mark.parametrize(("custom", "seconds"), [("one_hour", 3600), ("gm_sets", 7200)])
def test_how_long_a_consecration_takes(custom: str, seconds: int):
    """faith.amb.consecration_time_and_end."""
    at = at_church({"faith_consecration_time": custom}, attributes=STRONG)
    answers = {"consecration_time": "2 hours"} if custom == "gm_sets" else {}
    run = pray(at, "consecration", [6], answers, place="the chapel")
    assert run.outcome.seconds == seconds
    if custom == "gm_sets":
        assert run.asks["consecration_time"].question.required


@pytest.mark.rules("faith.prayer.intercession", "faith.prayer.miracle")
@pytest.mark.parametrize(("prayer", "obstacle"), [("intercession", 8), ("miracle", 10)])
def test_great_wonders_are_what_was_prayed_for(prayer: str, obstacle: int):
    at = at_church(attributes=STRONG)
    run = pray(at, prayer, [[6] * 9 + [4] + [1] * 8], intent="the sea parts")
    assert run.outcome.obstacle.total == obstacle
    assert run.outcome.passed
    assert f"{prayer.capitalize()}: the sea parts." in run.told
    assert "the sea parts" in run.told
    assert not pray(at, prayer, [obstacle - 1] if prayer == "intercession" else [9]).outcome.passed


# --- Against sorcery -----------------------------------------------------------------------

WIZARD: dict[str, Any] = {
    "name": "Han",
    "stats": {"Will": "B5", "Perception": "B4", "Forte": "B6"},
    "attributes": {"Reflexes": "B4", "Health": "B5"},
    "skills": {"Sorcery": "B5"},
    "traits": ["Gifted"],
    "idiom": "speech",
    "spells": [{"name": "Glow", "obstacle": 3, "actions": 12}],
    "active_spells": [
        {"name": "Ward", "obstacle": 3, "lasts": "Sustained"},
        {"name": "Veil", "obstacle": 2, "lasts": "Sustained"},
    ],
}
CASTING = {"casting": {"character": "han", "spell": "Glow"}, "cause": "prayer", "done": 6}


@pytest.mark.rules("faith.conflict.spellbreaker")
def test_a_minor_miracle_strips_one_sustained_spell_without_backlash():
    """faith.amb.spellbreaker_backlash."""
    at = at_church(others={"han": WIZARD})
    run = pray(at, "minor_miracle", [5], targets=["han"], spell="veil")
    assert [each.name for each in run.table.character("han").sustained] == ["Ward"]
    assert len(run.rolls) == 1
    with pytest.raises(NotAllowed, match="breaks no spells") as refused:
        pray(at, "minor_miracle", None, {"spellbreaker": False}, targets=["han"], spell="Veil")
    assert refused.value.rule == "faith.conflict.spellbreaker"
    failed = pray(at, "minor_miracle", [4], targets=["han"], spell="Veil")
    assert len(failed.table.character("han").sustained) == 2


@pytest.mark.rules("faith.conflict.spellbreaker")
def test_a_minor_miracle_interrupts_a_casting_or_only_neutralises_it():
    """faith.amb.spellbreaker_backlash: half of Ob 3 is Tax 2, then the failed casting."""
    at = at_church(others={"han": {**WIZARD, "active_spells": []}})
    run = pray(at, "minor_miracle", [5, 2, [6]], targets=["han"], castings=[CASTING])
    assert "Han's Glow is interrupted." in run.told
    assert [roll.owner for roll in run.rolls] == ["anselm", "han", "han"]
    assert "against Ob 2 = 2 part of Glow" in run.told
    assert "Failed Casting" in run.rolls[2].label
    still = pray(at, "minor_miracle", [5], targets=["han"], castings=[CASTING], neutral=True)
    assert "Han's Glow comes to nothing." in still.told
    assert len(still.rolls) == 1


@pytest.mark.parametrize(
    ("prayer", "more", "place"),
    [
        ("guidance", {"spell": "Veil", "targets": ["han"]}, "spell"),
        ("guidance", {"castings": [CASTING], "targets": ["han"]}, "castings"),
        ("minor_miracle", {"castings": [CASTING], "spell": "Veil", "targets": ["han"]}, "castings"),
        ("minor_miracle", {"spell": "Veil"}, "targets"),
        ("minor_miracle", {"spell": "Glow", "targets": ["han"]}, "spell"),
        ("minor_miracle", {"castings": [CASTING], "targets": ["rolf"]}, "castings"),
        ("minor_miracle", {"targets": ["han", "rolf"]}, "targets"),
    ],
)
def test_spells_that_cannot_be_broken_are_refused(prayer: str, more: dict[str, Any], place: str):
    with pytest.raises(BadInput, match=place):
        pray(at_church(others={"han": WIZARD}), prayer, None, **more)


def test_a_sheet_refuses_prayers_that_cannot_be():
    with pytest.raises(BadInput, match=r"prayers\[0\].dice"):
        sheet(prayers=[{"prayer": "aid", "ability": "Sword", "dice": 99}])
    with pytest.raises(BadInput, match="stigmata"):
        sheet(stigmata=[{"exponent": 7, "mark": "bald"}])
