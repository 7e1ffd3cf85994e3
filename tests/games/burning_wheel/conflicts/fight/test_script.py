"""The script of a fighter: spreads, cards, and what is refused when it is written."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.cards import MANEUVERS, action_of
from astragal.games.burning_wheel.conflicts.fight.exchange import writes
from astragal.games.burning_wheel.conflicts.fight.script import (
    actions_of,
    ask_script,
    cards_of,
    is_out_of_reach,
    openers,
    per_action,
    plan_of,
    spreads,
)
from astragal.games.burning_wheel.conflicts.fight.state import Lock, Positioning
from astragal.play import Script
from astragal.rules import catalogue
from games.burning_wheel.in_a_fight import FIGHTER, fight


def armed(weapon: str, **more):
    return {**FIGHTER, "weapons": [{"weapon": weapon}] if weapon else [], **more}


def quick(reflexes: str, weapon: str = "sword", **more):
    return armed(weapon, attributes={**FIGHTER["attributes"], "Reflexes": reflexes}, **more)


def script_question(at, who: str = "ann") -> Script:
    question = ask_script(at, who).question
    assert isinstance(question, Script)
    return question


def keys(at, who: str = "ann") -> set[str]:
    return {card.key for card in cards_of(at, who)}


def refusal(at, *script: str) -> str:
    """Why a script is not allowed; empty if it is."""
    try:
        script_question(at, "ann").check(script, "script")
    except BadInput as refused:
        return str(refused)
    return ""


# --- How many, and where -------------------------------------------------------------------


@pytest.mark.rules(
    "fight.reflexes.even_division",
    "fight.reflexes.player_chooses_spread",
    "fight.reflexes.volley_without_action",
    "fight.table.reflexes_division",
)
def test_the_spreads_are_those_of_the_table():
    table = catalogue().table("fight.table.reflexes_division")
    listed: dict[int, set[tuple[int, ...]]] = {}
    for row in table.records():
        volleys = tuple(row.number(f"volley_{at}") for at in (1, 2, 3))
        listed.setdefault(row.number("actions_per_exchange"), set()).add(volleys)
    assert {actions: set(spreads(actions)) for actions in listed} == listed


@pytest.mark.rules("fight.reflexes.even_division")
@pytest.mark.parametrize("actions", range(13))
def test_no_volley_has_two_more_than_another(actions):
    level = {
        spread
        for spread in product(range(actions + 1), repeat=3)
        if sum(spread) == actions and max(spread) - min(spread) <= 1
    }
    assert set(spreads(actions)) == level


@pytest.mark.rules("fight.reflexes.actions_per_exchange", "fight.xref.wounded_reflexes")
def test_reflexes_less_wounds_are_the_actions_of_an_exchange():
    assert actions_of(fight(ann=quick("B5")), "ann") == 5
    hurt = quick("B5", wounds=[{"level": "Midi"}])
    assert actions_of(fight(ann=hurt), "ann") == 3
    question = script_question(fight(ann=hurt), "ann")
    assert (question.slots, question.spreads) == (6, ((1, 1, 1),))


@pytest.mark.rules("armor.clumsy.leggings_reflexes", "fight.reflexes.actions_per_exchange")
def test_full_metal_leggings_cost_an_action():
    """Reflexes worked out with one Speed less: (4 + 4 + 3) / 3 in place of 4."""
    stats = {**FIGHTER["stats"], "Perception": "B4", "Agility": "B4", "Speed": "B4"}
    worn = quick("B4", stats=stats, armor={"legs": "chainmail"})
    assert actions_of(fight(ann=worn), "ann") == 3
    half = quick("B4", stats=stats, armor={"legs": "half chainmail"})
    assert actions_of(fight(ann=half), "ann") == 4


@pytest.mark.rules("fight.xref.gray_reflexes")
def test_gray_reflexes_put_two_maneuvers_into_an_action():
    at = fight(ann=quick("G3"))
    assert per_action(at, "ann") == 2
    question = script_question(at, "ann")
    assert question.spreads == ((2, 2, 2),)
    answer = ("close", "strike", "block", "maintain", "avoid", "push", "stay", "lock", "feint")
    plan = plan_of(question, question.check(answer), 2)
    assert [volley.slots for volley in plan] == [
        (("strike", "block"),),
        (("avoid", "push"),),
        (("lock", "feint"),),
    ]


@pytest.mark.rules("fight.script.definition", "fight.script.order_is_binding")
def test_a_script_is_a_secret_with_a_positioning_for_each_volley():
    at = fight()
    asked = ask_script(at, "ann")
    assert asked.secret
    assert asked.kind == "needed"
    question = script_question(at, "ann")
    answer = ("close", "block", "avoid", "maintain", "push", "withdraw", "strike")
    plan = plan_of(question, question.check(answer), 1)
    assert [volley.moves for volley in plan] == [
        Positioning.CLOSE,
        Positioning.MAINTAIN,
        Positioning.WITHDRAW,
    ]
    assert plan[0].slots == (("block",), ("avoid",))
    assert refusal(at, *answer[1:], "close").startswith("script: found")
    assert "2/1/1 or 1/2/1 or 1/1/2" in refusal(
        at, "close", "block", "avoid", "push", "maintain", "stay", "strike"
    )


@pytest.mark.rules("fight.position.choices", "fight.lock.inside")
def test_who_is_held_cannot_script_a_withdraw():
    at = fight(gap=-1)
    assert [each.key for each in openers(at, "ann")] == ["close", "maintain", "withdraw", "stay"]
    held = msgspec.structs.replace(at, locks=(Lock("bob", "ann", 1),))
    assert [each.key for each in openers(held, "ann")] == ["close", "maintain", "stay"]
    assert "escape_lock" in keys(held)
    assert "escape_lock" not in keys(at)


# --- Cards ---------------------------------------------------------------------------------


@pytest.mark.rules("fight.martial.one_action_each", "fight.action.list_is_open")
def test_every_actor_of_the_table_is_a_card():
    actors = {
        str(row["actor"]) for row in catalogue().table("fight.table.interactions").records()
    } - {"shoot_or_throw_object", "non_martial"}
    assert {action_of(card) for card in MANEUVERS} == actors
    shielded = quick("B4", shield="target", training=["Shield Training"])
    assert set(MANEUVERS) <= keys(fight(ann=shielded))
    assert set(MANEUVERS) - keys(fight()) == {"block_and_strike"}
    assert "physical_act" in keys(fight())


def test_a_card_is_what_the_table_calls_it():
    assert action_of("strike:hilt_or_pommel") == "strike"
    assert action_of("tackle") == action_of("charge_tackle") == "charge_tackle"
    assert action_of("change_stance:defensive") == "block"
    assert action_of("change_stance:aggressive") == "non_martial"
    assert action_of("release") == action_of("throw_object") == "shoot_or_throw_object"
    assert action_of("get_up") == action_of("stand_and_drool") == "non_martial"


def test_each_way_to_strike_has_its_card():
    assert {"strike", "strike:polearm_thrust", "strike:hilt_or_pommel"} <= keys(
        fight(ann=armed("polearm"))
    )


@pytest.mark.rules("fight.great_strike.weapon_allows", "fight.amb.great_strike_unarmed")
def test_great_strikes_are_for_marked_weapons_and_bare_hands():
    assert "great_strike" in keys(fight(ann=armed("sword")))
    assert "great_strike" not in keys(fight(ann=armed("knife or shiv")))
    assert "great_strike:hilt_or_pommel" not in keys(fight(ann=armed("sword")))
    allowed = {"fight_great_strike_unarmed": "allowed"}
    assert "great_strike" in keys(fight(allowed, ann=armed("")))
    marked = {"fight_great_strike_unarmed": "marked_weapons_only"}
    assert not {"great_strike", "great_strike_set"} & keys(fight(marked, ann=armed("")))


def test_one_can_leave_only_out_of_everybodys_reach():
    assert "leave" not in keys(fight(gap=2))
    far = fight(gap=4)
    assert is_out_of_reach(far, "ann")
    assert "leave" in keys(far)
    assert "leave" not in keys(fight(gap=4, bob=armed("spear"))), "the spear reaches Ann"


# --- What is refused -----------------------------------------------------------------------


@pytest.mark.rules("fight.great_strike.two_actions", "fight.amb.great_strike_set_gap")
def test_a_great_strike_needs_a_set_directly_before_it():
    at = fight(ann=quick("B3"))
    refused = refusal(at, "close", "great_strike", "stay", "block", "stay", "avoid")
    assert refused.endswith("(volley 1, action 1) [fight.great_strike.two_actions]")
    assert not refusal(at, "close", "great_strike_set", "stay", "great_strike", "stay", "avoid"), (
        "it may be in the volley before"
    )
    gap = refusal(at, "close", "great_strike_set", "stay", "block", "stay", "great_strike")
    assert "(volley 3, action 1)" in gap
    ready = msgspec.structs.replace(at.fighter("ann").ready, sets=1)
    set_before = at.change("ann", ready=ready)
    assert not refusal(set_before, "close", "great_strike", "stay", "block", "stay", "avoid")


@pytest.mark.rules("fight.xref.weapon_speed", "fight.great_strike.unwieldy")
def test_weapon_speed_limits_strikes():
    slow = fight(ann=quick("B3", "sword"))
    twice = refusal(slow, "close", "strike", "stay", "strike", "stay", "block")
    assert twice.endswith("the sword is slow (volley 2, action 1) [weapons.speed.slow]")
    assert not refusal(slow, "close", "strike", "stay", "strike:hilt_or_pommel", "stay", "strike")
    fast = fight(ann=quick("B3", "knife or shiv"))
    assert not refusal(fast, "close", "strike", "stay", "strike", "stay", "strike")
    heavy = fight(ann=quick("B3", "polearm"))
    assert "is unwieldy" in refusal(heavy, "close", "strike", "stay", "block", "stay", "block")
    assert not refusal(heavy, "close", "great_strike_set", "stay", "strike", "stay", "block")
    one_set = refusal(heavy, "close", "great_strike_set", "stay", "great_strike", "stay", "block")
    assert "fight.great_strike.unwieldy" in one_set
    two_sets = ("close", "great_strike_set", "stay", "great_strike_set", "stay", "great_strike")
    assert not refusal(heavy, *two_sets)


@pytest.mark.rules("fight.xref.weapon_speed", "weapons.speed.slow", "weapons.speed.unwieldy")
@pytest.mark.parametrize("weapon", ["sword", "polearm"])
def test_the_speed_of_a_weapon_ends_where_another_is_drawn(weapon):
    at = fight(ann=quick("B3", weapons=[{"weapon": weapon}, {"weapon": "dirk"}]))
    at = at.change("ann", readied=("dirk",))
    draw = "draw_weapon:dirk"
    assert not refusal(at, "close", draw, "stay", "strike", "stay", "strike")
    before = refusal(at, "close", "strike", "stay", "strike", "stay", draw)
    assert "weapons.speed" in before


@pytest.mark.rules("fight.charge.first_action_once", "fight.charge.is_close")
@pytest.mark.parametrize("card", ["charge_tackle", "tackle"])
def test_a_charge_is_the_first_action_of_a_volley_in_which_one_closes(card):
    at = fight()
    assert not refusal(at, "close", card, "block", "close", card, "stay", "block")
    second = refusal(at, "close", "block", card, "close", card, "stay", "block")
    assert second.endswith("(volley 1, action 2) [fight.charge.first_action_once]")
    staying = refusal(at, "stay", card, "block", "close", card, "stay", "block")
    assert "fight.charge.is_close" in staying


@pytest.mark.rules("fight.hesitation.longer_than_exchange", "fight.lock.immobilized")
def test_who_hesitates_longer_than_the_exchange_does_not_script():
    at = fight()
    assert writes(at, "ann")
    assert writes(at.change("ann", hesitates=3), "ann")
    assert not writes(at.change("ann", hesitates=4), "ann")
    helpless = msgspec.structs.replace(at, locks=(Lock("bob", "ann", 9),))
    assert not writes(helpless, "ann")


@pytest.mark.rules("fight.shoot.costs_only_in_melee", "fight.shoot.bow_total")
def test_shooting_is_scripted_action_by_action():
    archer = fight(ann=armed("hunting bow"))
    costs = {card.key: card.cost for card in cards_of(archer, "ann")}
    assert (costs["nock_arrow"], costs["draw_bow"]) == ("3 actions", "2 actions")
    assert "release" in costs
    assert not {"nock_arrow", "draw_bow", "release"} & keys(fight())
