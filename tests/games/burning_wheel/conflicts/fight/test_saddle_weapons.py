"""Blades, spears and lances from the saddle."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel.conflicts.fight.positioning import position
from astragal.games.burning_wheel.conflicts.fight.script import cards_of
from astragal.games.burning_wheel.conflicts.fight.state import (
    Fight,
    Positioning,
    Posture,
    Preparation,
)
from astragal.play import RollEvent
from games.burning_wheel.in_a_fight import FIGHTER
from games.burning_wheel.on_horseback import (
    BOWMAN,
    HORSE,
    KNIGHT,
    LANCER,
    RIDER,
    act,
    labels,
    mounted_fight,
    volley,
)

SET = Preparation(sets=1)
TOUGH = {**FIGHTER, "tolerances": ["B3", "B12", "B13", "B14", "B15", "B16"]}


LONG_SWORD = {"weapon": "sword", "name": "long sword", "length": "longer"}
SWORDSMAN = {"weapons": [LONG_SWORD], "skills": {"Sword": "B4", "Riding": "B3"}}
"""The lance is the longest; this one is the next shorter, and reaches it at lunging distance."""


def armed(who: dict[str, Any], *weapons: Any) -> dict[str, Any]:
    return {**who, "weapons": list(weapons)}


def strike(
    ann: dict[str, Any],
    moves: str = "stay",
    bobs: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
    **dice: int,
) -> Any:
    at = mounted_fight(ann, bob=TOUGH, bobs=bobs, options=options)
    shown = {"Ann, Strike": 2, "positioning": 0, **dice}
    return volley(at, (moves, "strike"), ("stay", "assess:longer"), dice=shown)


SABER = {"weapon": "sword", "name": "saber"}


@pytest.mark.rules(
    "riding.weapon.straight_blade", "riding.weapon.curved_blade", "riding.bowman.allowed_rules"
)
@pytest.mark.parametrize(
    ("ann", "said"),
    [
        (armed(KNIGHT, "sword"), "rolls 5D = 4 Sword + 1 weight from the saddle"),
        (armed(BOWMAN, "sword"), "rolls 5D = 4 Sword + 1 weight from the saddle"),
        (armed(KNIGHT, SABER), "rolls 6D = 4 Sword + 2 curved blade from the saddle"),
        (armed(RIDER, "sword"), "rolls 4D = 4 Sword against"),
        (armed(RIDER, SABER), "rolls 4D = 4 Sword against"),
    ],
)
def test_blades_from_the_saddle(ann: dict[str, Any], said: str):
    assert said in strike(ann).told


@pytest.mark.rules("riding.weapon.straight_blade", "riding.weapon.curved_blade")
@pytest.mark.parametrize(
    ("card", "rolls", "straight", "curved"),
    [
        ("counterstrike", ("Ann (Counterstrike)", "Ann (riposte)"), 5, 6),
        ("disarm", ("Ann, Disarm",), 5, 6),
        ("beat_and_bind", ("Ann, Beat and Bind",), 5, 6),
        ("block", ("Ann, Block",), 4, 4),
    ],
)
def test_the_dice_are_for_the_skill_and_not_for_strikes_alone(
    card: str, rolls: tuple[str, ...], straight: int, curved: int
):
    def dice(ann: dict[str, Any]) -> int:
        done = volley(mounted_fight(ann, bob=TOUGH), ("stay", card), ("stay", "strike"))
        thrown = [e.roll for e in done.played.events if isinstance(e, RollEvent)]
        return sum(roll.expression.dice.total for roll in thrown if roll.label in rolls)

    assert dice(KNIGHT) == straight  # Sword 4
    assert dice(armed(KNIGHT, SABER)) == curved


@pytest.mark.rules("riding.weapon.straight_blade")
def test_a_dirk_has_no_weight():
    ann = armed({**KNIGHT, "skills": {**KNIGHT["skills"], "Knives": "B4"}}, "dirk")
    at = mounted_fight(ann, bob=TOUGH, gap=0)
    done = volley(at, ("stay", "strike"), ("stay", "assess:longer"), dice={"Ann, Strike": 2})
    assert "rolls 4D = 4 Knives" in done.told


@pytest.mark.rules("riding.weapon.straight_blade")
@pytest.mark.parametrize(("choice", "dice"), [("yes", 5), ("no", 4)])
def test_against_another_rider_as_the_group_plays_it(choice: str, dice: int):
    options = {"riding_blade_bonus_against_riders": choice}
    done = strike(armed(KNIGHT, "sword"), bobs=HORSE, options=options)
    assert f"rolls {dice}D = 4 Sword" in done.told


@pytest.mark.rules("riding.weapon.spear", "riding.weapon.spear_dropped")
def test_a_spear_thrust_in_a_close_is_harder_and_is_left_behind():
    ann = armed(KNIGHT, "spear", "sword")
    at = mounted_fight(ann, bob=TOUGH, gap=5)
    plain = volley(at, ("stay", "strike"), ("stay", "assess:longer"), dice={"Ann, Strike": 2})
    done = volley(at, ("close", "strike"), ("stay", "assess:longer"), dice={"Ann, Strike": 2})
    assert "rolls 5D = 4 Spear + 1 spear from the saddle" in done.told
    assert "rolls 4D = 4 Spear" in plain.told
    assert (plain.who().weapon, done.who().weapon) == ("spear", "")
    assert "rides on without the spear" in done.told

    def damage(moment: Any) -> str:
        return str(moment.told.split("hits Bob. ")[1].split(".")[0])

    # Power 4 and the spear's 2, and one more of each.
    assert ("VA 1" in damage(plain), "VA 2" in damage(done)) == (True, True)
    deep = volley(at, ("close", "strike"), ("stay", "assess:longer"), dice={"Ann, Strike": 4})
    assert "Mark, B7" in damage(deep)
    missed = volley(at, ("close", "strike"), ("stay", "assess:longer"), dice={"Ann, Strike": 0})
    assert missed.who().weapon == ""


@pytest.mark.rules("riding.weapon.spear_dropped")
def test_who_does_without_the_bonus_keeps_the_spear():
    at = mounted_fight(armed(KNIGHT, "spear", "sword"), bob=TOUGH, gap=5)
    dice = {"Ann, Strike": 2}
    kept = volley(at, ("close", "strike:spear"), ("stay", "assess:longer"), dice=dice)
    assert "rolls 4D = 4 Spear" in kept.told
    assert "VA 1" in kept.told.split("hits Bob. ")[1].split(".")[0]
    assert kept.who().weapon == "spear"
    keys = {card.key for card in cards_of(at, "ann")}
    assert "strike:spear" in keys
    for other in (mounted_fight(armed(KNIGHT, "sword")), mounted_fight(armed(RIDER, "spear"))):
        assert "strike:spear" not in {card.key for card in cards_of(other, "ann")}


# --- Lances --------------------------------------------------------------------------------


def charge(
    bob: tuple[str, ...],
    bobs: dict[str, Any] | None = None,
    wins: bool = True,
    answers: dict[str, Any] | None = None,
    man: dict[str, Any] | None = None,
    **dice: int,
) -> Any:
    """Ann couches a lance against Bob, who has a sword; she wins the Close, or loses it."""
    at = mounted_fight(LANCER, bob={**(man or FIGHTER), **SWORDSMAN}, bobs=bobs, gap=5, exchange=1)
    at = at.change("ann", ready=SET).change("bob", ready=SET)
    shown = {"Horse, positioning": 4 if wins else 0, "Bob, positioning": 0 if wins else 4}
    shown |= {"Mare, positioning": 0 if wins else 4}
    shown |= {key.replace("_", ", "): many for key, many in dice.items()}
    shown["Bob (riposte)"] = dice.get("Bob_riposte", 0)
    cards = ("maintain", *bob) if wins else ("close", *bob)
    return volley(at, ("close", "strike"), cards, dice=shown, answers=answers)


@pytest.mark.rules("riding.lance.vs_shorter_first")
@pytest.mark.parametrize("card", ["strike", "disarm"])
def test_a_lance_that_won_its_close_comes_first(card: str):
    done = charge((card,), Ann_Strike=4)  # 4 + 4: two extra over Ob 2 is the Mark, B8: Severe
    said = {"strike": "Strike", "disarm": "Disarm"}[card]
    assert not any(f"Bob, {said}" in label for label in labels(done))
    slow = charge((card,), wins=False, Ann_Strike=4)
    assert any(f"Bob, {said}" in label for label in labels(slow)) or "out of reach" in slow.told


@pytest.mark.rules("riding.lance.vs_shorter_first", "riding.lance.lost_positioning")
@pytest.mark.parametrize(("horse", "wins"), [(4, True), (3, False), (2, False)])
def test_a_close_is_won_against_a_charge_as_well(horse: int, wins: bool):
    at = mounted_fight(LANCER, bob={**TOUGH, **SWORDSMAN}, gap=5, moves=Positioning.CLOSE)
    at = at.change(
        "bob", moves=Positioning.CLOSE, charges=True, announced=("charge_tackle",), targets=("ann",)
    )
    done = act(position, at, dice={"Horse, positioning": horse, "Bob, positioning": 3})
    assert done.who().outran == (("bob",) if wins else ())


@pytest.mark.rules("riding.lance.vs_shorter_first")
@pytest.mark.parametrize(("length", "first"), [("longer", True), ("longest", False)])
def test_a_lance_comes_first_only_against_a_shorter_weapon(length: str, first: bool):
    pike = {"weapon": "sword", "name": "pike", "length": length}
    at = mounted_fight(LANCER, bob=armed({**TOUGH, **SWORDSMAN}, pike), gap=5)
    at = at.change("ann", moves=Positioning.CLOSE).change("bob", moves=Positioning.MAINTAIN)
    done = act(position, at, dice={"Horse, positioning": 4, "Bob, positioning": 1})
    assert done.who().outran == (("bob",) if first else ())


@pytest.mark.rules("riding.lance.vs_shorter_first")
def test_who_survives_the_lance_strikes_back():
    done = charge(("strike",), man=TOUGH, Ann_Strike=4, Bob_Strike=3)
    rolled = labels(done)
    assert rolled.index("Ann, Strike") < rolled.index("Bob, Strike")


@pytest.mark.rules("riding.lance.lost_positioning", "riding.lance.vs_shorter_first")
def test_a_lost_close_leaves_the_usual_timing():
    done = charge(("strike",), wins=False, Ann_Strike=4, Bob_Strike=4)
    assert "Ann hits Bob" in done.told
    assert "Bob hits Ann" in done.told


@pytest.mark.rules("riding.lance.vs_block_avoid")
@pytest.mark.parametrize("card", ["block", "avoid"])
def test_block_and_avoid_are_in_time(card: str):
    label = {"block": "Bob_Block", "avoid": "Bob_Avoid"}[card]
    done = charge((card,), Ann_Strike=3, **{label: 3})
    assert "hits" not in done.told


@pytest.mark.rules("riding.lance.vs_counterstrike")
def test_the_counter_comes_after_the_lance_if_it_comes_at_all():
    felled = charge(("counterstrike",), Ann_Strike=4, Bob_riposte=2)
    assert "Ann hits Bob" in felled.told
    assert "cannot answer the lance any more" in felled.told
    assert "Ann takes" not in felled.told
    able = charge(("counterstrike",), man=TOUGH, Ann_Strike=4, Bob_riposte=2)
    assert able.told.index("Bob takes") < able.told.index("Ann takes")
    usual = charge(("counterstrike",), wins=False, Ann_Strike=4, Bob_riposte=2)
    assert "Ann takes" in usual.told  # at the same moment, even by one who is felled


@pytest.mark.rules("riding.lance.reposition")
def test_a_second_charge_needs_a_withdraw():
    at = mounted_fight(LANCER, bob=TOUGH, gap=5).change("ann", ready=SET, lanced=True)
    again = volley(at, ("close", "strike"), ("stay", "assess:longer"))
    assert "withdraw before the next charge; the action is lost" in again.told
    away = volley(at, ("withdraw", "assess:longer"), ("stay", "assess:longer"))
    assert not away.who().lanced
    first = mounted_fight(LANCER, bob=TOUGH, gap=5).change("ann", ready=SET)
    assert volley(first, ("close", "strike"), ("stay", "assess:longer")).who().lanced


@pytest.mark.rules("riding.lance.charge_requirements")
def test_a_lance_is_lost_without_a_close():
    at = mounted_fight(LANCER, bob=TOUGH, gap=3, moves=Positioning.STAY).change("ann", ready=SET)
    done = volley(at, ("stay", "strike"), ("stay", "assess:longer"))
    assert "a lance is couched in a Close" in done.told


@pytest.mark.rules(
    "riding.lance.unhorse_push",
    "riding.lance.unhorse_one_pace",
    "riding.lance.unhorse_two_paces",
)
@pytest.mark.parametrize(("resisted", "seat"), [(3, "keeps"), (2, "half out"), (1, "is unhorsed")])
def test_a_lance_pushes_another_rider_out_of_the_saddle(resisted: int, seat: str):
    done = charge(
        ("assess:longer",),
        bobs=HORSE,
        man=TOUGH,
        Ann_Strike=3,
        answers={"keeps_seat": "Riding"},
        Bob_Riding=resisted,
    )
    assert seat in done.told
    fight: Fight = done.fight
    assert bool(fight.mount("bob")) is (resisted > 1)
    if resisted == 1:
        assert done.who("bob").posture is Posture.DOWN
        assert done.who("mare").out == "riderless"


@pytest.mark.rules("riding.lance.unhorse_push", "riding.lance.charge_requirements")
def test_only_a_couched_lance_pushes():
    """Neither its hilt, nor a riposte with it while the mount stands."""
    at = mounted_fight(LANCER, bob=TOUGH, bobs=HORSE, gap=0)
    dice = {"Ann, Strike": 4, "Horse, positioning": 4}
    hilt = volley(at, ("close", "strike:hilt_or_pommel"), ("stay", "assess:longer"), dice=dice)
    assert "Ann hits Bob" in hilt.told
    assert "saddle" not in hilt.told
    at = mounted_fight(LANCER, bob={**TOUGH, **SWORDSMAN}, bobs=HORSE, gap=3)
    dice = {"Bob, Strike": 0, "Ann (riposte)": 2, "Ann, Counterstrike": 0}
    riposte = volley(at, ("stay", "counterstrike"), ("stay", "strike"), dice=dice)
    assert "Ann hits Bob" in riposte.told
    assert "saddle" not in riposte.told


@pytest.mark.rules("riding.lance.unhorse_fall_damage", "materials.throw.lands_on_back")
def test_who_is_unhorsed_says_on_what_he_lands():
    answers = {"keeps_seat": "Riding", "landing": "legs"}
    fallen = charge(
        ("assess:longer",), bobs=HORSE, man=TOUGH, Ann_Strike=3, answers=answers, Bob_Riding=1
    )
    assert "to the legs" in fallen.told.split("is unhorsed")[1]


@pytest.mark.rules("riding.lance.unhorse_push")
def test_on_foot_nobody_is_unhorsed():
    assert "saddle" not in charge(("assess:longer",), man=TOUGH, Ann_Strike=3).told
