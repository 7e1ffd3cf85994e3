"""Around prayer: joining in, growing Faith, auras, and prayers in conflicts."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.magic.faith.prayer_tables import prayers
from astragal.rules import catalogue
from games.burning_wheel.editions_beside import both
from games.burning_wheel.playing import play, table
from games.burning_wheel.prayers import ANSELM, CREED, anselm, at_church, lines, pray

BRUNO = {**ANSELM, "name": "Bruno", "attributes": {"Faith": "B3"}}
CLARE = {**ANSELM, "name": "Clare", "attributes": {"Faith": "B6"}}
PRIESTS = {"bruno": BRUNO, "clare": CLARE}


# --- Joining in ----------------------------------------------------------------------------


@pytest.mark.rules("faith.help.faithful")
@pytest.mark.parametrize(("helper", "dice"), [("bruno", 1), ("clare", 2)])
def test_the_faithful_help_each_other_by_the_usual_rules(helper: str, dice: int):
    at = at_church(others=PRIESTS)
    run = pray(at, "guidance", [5], {"help": "Faith"}, helpers=[helper])
    assert run.outcome.dice.total == 5 + dice
    asked = pray(at, "guidance", [5], {"ask_priests": [helper], "help": "Faith"})
    assert asked.asks["ask_priests"].seat == "anselm"
    assert {option.key for option in asked.asks["ask_priests"].question.options} == set(PRIESTS)
    assert asked.outcome.dice.total == 5 + dice


@pytest.mark.rules("gold.result.helpers_share", "gold.diff.helpers_share_failure")
@both(revised=(), gold=("bruno",))
def test_in_the_later_edition_wrath_strikes_those_who_prayed_as_well(edition, expected):
    at = at_church({"edition": edition}, others=PRIESTS)
    said = {"help": "Faith", "who_answers": "wrath", "anger": "a plague of frogs"}
    struck = pray(at, "guidance", [4], said, helpers=["bruno"])
    assert struck.outcome.shared_by == expected
    assert ("The failure is shared by Bruno." in struck.told) is bool(expected)
    assert pray(at, "guidance", [4], {"help": "Faith"}, helpers=["bruno"]).outcome.shared_by == ()


@pytest.mark.rules("faith.help.faithful")
def test_who_is_not_faithful_does_not_help_as_a_priest():
    for name, at in (
        ("rolf", at_church()),
        ("bruno", at_church(others={"bruno": {**BRUNO, "traits": []}})),
        ("bruno", at_church(others={"bruno": {**BRUNO, "faith_lost": True}})),
    ):
        with pytest.raises(BadInput, match="a Faithful character") as refused:
            pray(at, "guidance", None, helpers=[name])
        assert refused.value.rule == "faith.help.faithful"
    with pytest.raises(BadInput, match="somebody else"):
        pray(at_church(), "guidance", None, helpers=["anselm"])
    assert "ask_priests" not in pray(at_church(), "guidance", [5]).asked


@pytest.mark.rules("faith.help.priest_limit")
def test_a_religion_limits_the_priests_of_a_rite_or_a_prayer():
    rites = [{"rite": "Great Mass", "priests": 2}, {"rite": "guidance", "priests": 1}]
    at = at_church(religion={"rites": rites}, others=PRIESTS)
    with pytest.raises(BadInput, match="at most 0: the Church allows 1 in Guidance") as refused:
        pray(at, "guidance", None, helpers=["bruno"])
    assert refused.value.rule == "faith.help.priest_limit"
    assert "ask_priests" not in pray(at, "guidance", [5]).asked
    mass = pray(at, "guidance", [5], {"help": "Faith"}, rite="great mass", helpers=["bruno"])
    assert mass.outcome.dice.total == 6
    with pytest.raises(BadInput, match="at most 1"):
        pray(at, "guidance", None, rite="great mass", helpers=["bruno", "clare"])
    with pytest.raises(BadInput, match="ask_priests"):
        pray(at, "guidance", None, {"ask_priests": ["bruno", "clare"]}, rite="great mass")
    free = pray(at, "boon", [5], {"ask_priests": ["bruno", "clare"]}, ability="Oratory", task="x")
    assert free.outcome.passed


def flock(*wills: int, **more: Any) -> dict[str, Any]:
    return {
        f"b{at}": {"name": f"B{at}", "stats": {"Will": f"B{will}"}, "beliefs": [CREED], **more}
        for at, will in enumerate(wills)
    }


@pytest.mark.rules("faith.help.believers")
@pytest.mark.parametrize(
    ("wills", "dice"), [((4, 5, 5, 5), 0), ((5, 5, 5, 5), 1), ((10, 10, 10, 9), 1), ((10,) * 4, 2)]
)
def test_believers_give_a_die_for_twenty_will_dice(wills: tuple[int, ...], dice: int):
    """faith.amb.believer_remainder."""
    people = flock(*wills)
    run = pray(at_church(others=people), "guidance", [5], believers=list(people))
    assert run.outcome.dice.total == 5 + dice
    crowd = [{"people": 1, "will": will} for will in wills]
    assert pray(at_church(), "guidance", [5], crowd=crowd).outcome.dice.total == 5 + dice


@pytest.mark.rules("faith.help.believers")
def test_believers_must_hold_a_belief_in_the_faith():
    infidels = flock(10, 10, beliefs=["Gold is god.", {"text": "x", "faith": "the Old Way"}])
    with pytest.raises(BadInput, match="a Belief in the Church") as refused:
        pray(at_church(others=infidels), "guidance", None, believers=["b0", "b1"])
    assert refused.value.rule == "faith.help.believers"
    crowd = [{"people": 100, "will": 4}]
    run = pray(at_church(), "guidance", [5], {"crowd_believes": False}, crowd=crowd)
    assert run.outcome.dice.total == 5
    assert pray(at_church(), "guidance", [5], crowd=crowd).outcome.dice.total == 25
    for bad in ({"people": 0, "will": 4}, {"people": 5, "will": 11}):
        with pytest.raises(BadInput, match=r"crowd\[0\]"):
            pray(at_church(), "guidance", None, crowd=[bad])
    people = flock(5, 5)
    for doubled in (["b0", "b0"], ["anselm"]):
        with pytest.raises(BadInput, match="each once, besides those who pray"):
            pray(at_church(others=people), "guidance", None, believers=doubled)


# --- Growing Faith -------------------------------------------------------------------------

LOG = {"routine": 0, "difficult": 9, "challenging": 9}


def about_to_reach(exponent: int, **more: Any) -> BurningTable:
    full = {"Faith": {"rating": f"B{exponent - 1}", "log": LOG}}
    return at_church(attributes=full, **more)


@pytest.mark.rules("faith.stigmata.7", "faith.stigmata.8", "faith.stigmata.9")
@pytest.mark.parametrize(
    ("exponent", "words"),
    [(7, "physical marks"), (8, "one physical feature distorted"), (9, "aura or halo")],
)
def test_faith_that_grows_leaves_marks(exponent: int, words: str):
    before = [{"exponent": each, "mark": "older"} for each in range(7, exponent)]
    at = about_to_reach(exponent, stigmata=before)
    run = pray(at, "guidance", [5], {"stigma": "a sign"})
    assert anselm(run.table).attributes["Faith"].rating.exponent == exponent
    assert words in run.asks["stigma"].prompt
    last = anselm(run.table).stigmata[-1]
    assert (last.exponent, last.mark) == (exponent, "a sign")
    assert run.asked.count("stigma") == 1


@pytest.mark.rules("faith.stigmata.who_chooses")
def test_player_and_gm_choose_the_sign_together():
    run = pray(about_to_reach(7), "guidance", [5], {"stigma": "six fingers"})
    assert (run.seats["stigma"], run.seats["stigma_fits"]) == ("anselm", "gm")
    answers = {"stigma": "wings", "stigma_fits": False, "other_stigma": "white hair"}
    other = pray(about_to_reach(7), "guidance", [5], answers)
    assert other.seats["other_stigma"] == "gm"
    assert anselm(other.table).stigmata[0].mark == "white hair"
    settled = {"stigmata": ["bleeding palms", "no hair", "a halo"]}
    planned = pray(about_to_reach(7, religion=settled), "guidance", [5])
    assert anselm(planned.table).stigmata[0].mark == "bleeding palms"


@pytest.mark.rules("faith.stigmata.6_or_less")
def test_a_lesser_faith_shows_odd_signs_now_and_then():
    shown = play("show_stigmata", {"character": "anselm"}, at_church(), {"stigma": "he weeps"})
    assert shown.outcome.sign == "he weeps"
    assert not shown.changed
    assert "Anselm: he weeps." in shown.told
    high = at_church(attributes={"Faith": "B8"})
    marked = play("show_stigmata", {"character": "anselm"}, high)
    assert len(marked.outcome.marks) == 2
    with pytest.raises(NotAllowed, match="Rolf does not have Faith"):
        play("show_stigmata", {"character": "rolf"}, high)


@pytest.mark.rules("faith.transcend.10")
def test_at_exponent_10_the_priest_leaves_the_world():
    run = pray(about_to_reach(10), "guidance", [5])
    assert anselm(run.table).transcended
    assert "Anselm leaves the world for good" in run.told
    with pytest.raises(NotAllowed, match="gone from the world") as refused:
        pray(run.table, "guidance", None, intent="more")
    assert refused.value.rule == "faith.transcend.10"
    said = {"character": "anselm", "ability": "Oratory", "intent": "speak", "task": "speaks"}
    with pytest.raises(NotAllowed):
        play("standard_test", said, run.table)
    assert not anselm(pray(about_to_reach(9), "guidance", [5]).table).transcended


# --- Aura and Faith ------------------------------------------------------------------------

SEER = {"name": "Seer", "stats": {"Perception": "B4"}, "traits": ["Second Sight"]}


def look(seer: dict[str, Any], rolls: Any, person: str = "anselm") -> Any:
    at = at_church(others={"seer": seer})
    return play("detect_faith", {"character": "seer", "person": person}, at, rolls=rolls)


@pytest.mark.rules("faith.aura.detect_with_skill", "faith.aura.detect_without_skill")
def test_faith_is_seen_with_second_sight_or_magesense():
    reader = {**SEER, "skills": {"Aura Reading": "B3"}}
    seen = look(reader, [1])
    assert (seen.outcome.test.ability, seen.outcome.test.obstacle.total) == ("Aura Reading", 1)
    assert seen.outcome.test.seconds == 0  # a glance
    assert seen.outcome.has_faith
    assert not look(reader, [1], "rolf").outcome.has_faith
    plain = look(SEER, [1])
    assert (plain.outcome.test.ability, plain.outcome.test.obstacle.total) == ("Perception", 2)
    assert not plain.outcome.passed
    assert look(SEER, [2]).outcome.has_faith
    spell = [{"name": "Magesense", "obstacle": 4, "lasts": "Sustained"}]
    wizard = {**SEER, "stats": {"Perception": "B4", "Will": "B4"}, "traits": []}
    assert look({**wizard, "active_spells": spell}, [2]).outcome.has_faith
    with pytest.raises(NotAllowed, match="needs Second Sight or Magesense"):
        look(wizard, None)


@pytest.mark.rules("faith.aura.detect_effect")
@pytest.mark.parametrize(
    ("prayer", "obstacle", "found"),
    [("blessing", 0, 7), ("hindrance", 0, 6), ("hindrance", 6, 4), ("intercession", 0, 2)],
)
def test_the_effect_of_a_prayer_is_noticed_at_ten_less_its_obstacle(
    prayer: str, obstacle: int, found: int
):
    at = at_church(others={"seer": SEER})
    said = {"character": "seer", "prayer": prayer, "obstacle": obstacle}
    run = play("detect_prayer", said, at, rolls=[2])
    assert run.outcome.obstacle == found
    assert run.outcome.test.obstacle.total == found
    assert run.outcome.test.ability == "Perception"
    assert run.outcome.passed is (found <= 2)


def test_a_miracle_is_noticed_without_a_roll():
    """faith.amb.faith_detect_negative."""
    at = at_church(others={"seer": SEER})
    run = play("detect_prayer", {"character": "seer", "prayer": "miracle"}, at, rolls=[])
    assert (run.outcome.passed, run.outcome.obstacle) == (True, 0)
    with pytest.raises(BadInput, match="obstacle"):
        play("detect_prayer", {"character": "seer", "prayer": "miracle", "obstacle": 3}, at)
    with pytest.raises(NotAllowed, match="needs Second Sight"):
        play("detect_prayer", {"character": "rolf", "prayer": "miracle"}, at)


# --- In conflicts --------------------------------------------------------------------------


def position(prayer: str = "blessing", conflict: str = "fight", **more: Any) -> Any:
    options = more.pop("options", None)
    said = {"character": "anselm", "prayer": prayer, "conflict": conflict, **more}
    return play("position_prayer", said, at_church(options)).outcome


@pytest.mark.rules("faith.conflict.fight_length")
@pytest.mark.parametrize(
    ("length", "distance", "dice"),
    [
        ("longest", "outside", 0),
        ("longer", "outside", 1),
        ("shortest", "lunging", 2),
        ("shortest", "inside", 0),
        ("missile", "outside", 1),
    ],
)
def test_faith_is_always_the_longest_weapon(length: str, distance: str, dice: int):
    """fight.table.length_dice; faith.amb.fight_length_vs_missiles."""
    outcome = position(length=length, distance=distance)
    assert outcome.length == "longest"
    assert outcome.dice.total == dice
    for bad in ({"length": "endless"}, {"distance": "far"}, {"syllables": -1}):
        with pytest.raises(BadInput):
            position(**bad)


@pytest.mark.parametrize(("syllables", "volleys"), [(0, 1), (8, 1), (9, 2), (17, 3)])
def test_a_long_prayer_takes_several_volleys(syllables: int, volleys: int):
    """faith.amb.prayer_timing_in_fight."""
    assert position(syllables=syllables).volleys == volleys


@pytest.mark.rules("faith.conflict.rc_dice", "faith.conflict.rc_no_cover")
@pytest.mark.parametrize(
    ("prayer", "dice"),
    [
        ("miracle", 6),
        ("intercession", 4),
        ("blessing", 1),
        ("hindrance", 1),
        ("minor_miracle", 1),
        ("purification", 1),
        ("aid", 0),
        ("guidance", 0),
    ],
)
def test_battle_prayers_give_dice_in_range_and_cover_and_bar_cover(prayer: str, dice: int):
    outcome = position(prayer, "range_and_cover")
    assert outcome.dice.total == dice
    assert outcome.cover is (not dice)


def test_each_prayer_names_the_rule_of_its_own():
    known = {rule.id for rule in catalogue().chapter("faith").rules}
    for code, kind in prayers().items():
        assert kind.rule in known
        assert kind.rule.removeprefix("faith.prayer.").removesuffix("_obstacle") == code


@pytest.mark.parametrize(("custom", "kept"), [("kept", True), ("barred", False)])
def test_fortifications_are_kept_or_not(custom: str, kept: bool):
    """faith.amb.rc_no_cover_scope."""
    options = {"faith_rc_fortification_dice": custom}
    outcome = position("miracle", "range_and_cover", options=options)
    assert (outcome.cover, outcome.fortifications) == (False, kept)


@pytest.mark.parametrize(
    ("conflict", "margin", "chance"),
    [
        ("range_and_cover", 3, (True, 1, 2)),
        ("range_and_cover", 0, (True, 0, 0)),
        ("range_and_cover", -1, (False, 0, 0)),
        ("fight", -2, (True, 0, 0)),
    ],
)
def test_who_may_pray_after_positioning(conflict: str, margin: int, chance: tuple[bool, int, int]):
    """faith.amb.rc_use."""
    said = {"character": "anselm", "conflict": conflict, "margin": margin}
    outcome = play("prayer_after_positioning", said, at_church()).outcome
    assert (outcome.may_pray, outcome.cost, outcome.left) == chance


def test_only_the_faithful_position_with_prayers():
    said = {"character": "rolf", "prayer": "blessing", "conflict": "fight"}
    with pytest.raises(NotAllowed, match="does not have Faith"):
        play("position_prayer", said, at_church())


def test_a_card_of_a_prayer_asks_little():
    """Of a plain prayer only the sign needs a thought, and nothing is needed."""
    run = pray(at_church(), "guidance", [5])
    kinds = {key: ask.kind for key, ask in run.asks.items()}
    assert "needed" not in kinds.values()
    assert kinds["outlandish"] == "aside"
    assert {key for key, kind in kinds.items() if kind == "offered"} <= {
        "disadvantages",
        "advantage",
        "gm_advantage",
        "played_well",
        "mystery",
        "revelation",
    }


def test_a_table_of_nobody_is_fine():
    assert lines(pray(table(anselm=ANSELM), "guidance", [5]).outcome.dice) == {"Faith": 5}
