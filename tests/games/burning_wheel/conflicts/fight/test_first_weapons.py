"""What helped in the first positioning test has to be in the script that is written next."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.play import CardLimit
from games.burning_wheel.fighting import fight, fighter, ring

FEAR = {"name": "The Fear", "origin": "Presence", "duration": "Instantaneous"}
FIRST = [2, 1]
"""The first positioning test, which Ann wins."""
PUSHES = ("maintain", "push", "maintain", "push", "maintain", "push")
BLOCKS = ("stay", "block", "stay", "block", "stay", "block")
RULE = "extended_example.position.starting_weapon_binds"


def mage(**more: Any) -> dict[str, Any]:
    sheet = fighter(**more)
    skills = {**sheet["skills"], "Sorcery": "B4"}
    return {"idiom": "speech", "traits": ["Gifted"], **sheet, "skills": skills, "spells": [FEAR]}


def refusal(script: tuple[str, ...], answers: dict[str, Any], at: Any) -> str:
    try:
        fight({"ann": [script], "bob": [BLOCKS]}, None, answers, at)
    except BadInput as refused:
        return str(refused)
    return ""


@pytest.mark.rules(RULE)
def test_a_spell_may_be_what_one_positions_with_first_and_has_to_be_cast_then():
    at = ring(ann=mage(weapon=""))
    with_it = {"ann/positions_with": "the_fear"}
    assert refusal(PUSHES, with_it, at).endswith(
        f"expected the spell that helped in the first positioning test [{RULE}]"
    )
    cast = (*PUSHES[:3], "incant:the_fear", *PUSHES[4:])
    assert not refusal(cast, with_it, at)
    assert not refusal(PUSHES, {}, at), "with bare hands nothing has helped"


@pytest.mark.rules(RULE, "fight.amb.length_outside_two")
@pytest.mark.parametrize(("option", "dice"), [("plus_1d", 5), ("plus_2d", 6)])
def test_from_outside_the_longest_spell_is_worth_a_die_or_two_as_the_group_plays(option, dice):
    at = ring({"fight_length_dice_at_start": option}, ann=mage(weapon=""), bob=fighter(""))
    cast = (*PUSHES[:3], "incant:the_fear", *PUSHES[4:])
    said = {"ann/positions_with": "the_fear"}
    played = fight({"ann": [cast], "bob": [BLOCKS]}, None, said, at)
    assert f"Ann, first positioning, rolls {dice}D" in played.told


@pytest.mark.rules(RULE)
def test_a_longer_weapon_that_helped_has_to_be_used_too():
    at = ring(ann=fighter("spear"), bob=fighter("knife or shiv"))
    assert refusal(PUSHES, {}, at).endswith(
        f"expected an action with the weapon that helped in the first positioning test [{RULE}]"
    )
    assert not refusal((*PUSHES[:5], "strike"), {}, at)
    assert not refusal((*PUSHES[:5], "give_up"), {}, at), "giving up is always possible"
    assert not refusal(PUSHES, {}, ring()), "two swords: none has helped"


@pytest.mark.rules(RULE)
def test_a_great_bow_that_helped_is_used_by_who_draws_it():
    """Four actions to draw it and one to shoot are more than an exchange of three has."""
    at = ring(ann=fighter("great bow"), bob=fighter("knife or shiv"))
    held = {"character": "ann", "ready": "ready"}
    both = [{"fighters": [held]}, {"fighters": [{"character": "bob"}]}]
    draws = ("maintain", "draw_bow", "maintain", "draw_bow", "maintain", "draw_bow")
    fight({"ann": [draws], "bob": [BLOCKS]}, None, {}, at, sides=both)
    with pytest.raises(BadInput) as refused:
        fight({"ann": [PUSHES], "bob": [BLOCKS]}, None, {}, at, sides=both)
    assert refused.value.rule == RULE


@pytest.mark.rules(RULE)
def test_it_binds_the_first_script_only_and_no_change_of_it():
    at = ring(ann=fighter("spear"), bob=fighter("knife or shiv"))
    first = (*PUSHES[:5], "strike")
    said = {"ann/forfeit#1": ["maintain", "push", "maintain", "stand_and_drool"]}
    played = fight({"ann": [first, PUSHES], "bob": [BLOCKS, BLOCKS]}, None, said, at)
    scripts = [event.ask.question for event in played.events if _is_script(event, "ann")]
    required = [
        [rule.rule for rule in script.rules if rule.limit is CardLimit.REQUIRED]
        for script in scripts
    ]
    assert required[0] == [RULE]
    assert not any(required[1:])


def _is_script(event: Any, seat: str) -> bool:
    ask = getattr(event, "ask", None)
    return ask is not None and ask.seat == seat and ask.key in ("script", "forfeit")
