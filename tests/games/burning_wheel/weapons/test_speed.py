"""How often a weapon may Strike."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import play, table

SOLDIER = {
    "stats": {"Power": "B4"},
    "weapons": [
        "sword",
        "dirk",
        {"weapon": "hammer"},
        "poor sword",
        {"weapon": "sword", "name": "Twin"},
    ],
}


def script(*actions: str | tuple[str, ...], shield: bool = False) -> int:
    """Try a script; actions are names, or a Strike with its weapon and way."""
    written: list[dict[str, Any]] = []
    for action in actions:
        parts = (action,) if isinstance(action, str) else action
        written.append(dict(zip(("action", "weapon", "way"), parts, strict=False)))
    arguments = {"character": "a", "actions": written, "shield": shield}
    strikes: int = play("strike_script", arguments, table(a=SOLDIER)).outcome.strikes
    return strikes


SWORD, DIRK, HAMMER = ("Strike", "sword"), ("Strike", "dirk"), ("Strike", "hammer")


@pytest.mark.rules("weapons.speed.fast")
def test_a_fast_weapon_strikes_on_every_action() -> None:
    assert script(DIRK, DIRK, DIRK, DIRK) == 4
    assert script(("Strike",), ("Strike",)) == 2  # fists


@pytest.mark.rules("weapons.speed.slow")
def test_a_slow_weapon_never_strikes_twice_in_a_row() -> None:
    assert script(SWORD, "Block", SWORD) == 2
    with pytest.raises(NotAllowed, match=r"Action 2: the sword is slow.*weapons\.speed\.slow"):
        script(SWORD, SWORD)
    with pytest.raises(NotAllowed, match="Action 4"):
        script("Avoid", "Block", SWORD, SWORD)


@pytest.mark.rules("weapons.speed.slow", "armor.block_and_strike.script")
def test_a_block_and_strike_is_a_strike_of_its_weapon() -> None:
    both = ("Block and Strike", "sword")
    assert script(SWORD, "Block", both, shield=True) == 2
    with pytest.raises(NotAllowed, match=r"Action 2: the sword is slow"):
        script(SWORD, both, shield=True)
    with pytest.raises(NotAllowed, match=r"Action 2: the sword is slow"):
        script(("block_and_strike", "sword"), SWORD, shield=True)


@pytest.mark.rules("weapons.speed.slow", "weapons.speed.unwieldy_great_strike")
def test_actions_may_be_written_in_small_letters_or_as_the_cards_of_a_fight():
    with pytest.raises(NotAllowed, match=r"Action 2.*weapons\.speed\.slow"):
        script(("strike", "sword"), ("STRIKE", "sword"))
    with pytest.raises(NotAllowed, match=r"unwieldy, so script Set, Set, Great Strike"):
        script("set", ("great_strike", "hammer"))
    assert script("set", "set", ("great_strike", "hammer")) == 1


@pytest.mark.rules("weapons.speed.slow_filler")
@pytest.mark.parametrize(
    "between",
    [
        ("Strike", "sword", "hilt or pommel"),
        ("Strike", "dirk"),
        "Feint",
        "Disarm",
        "Push",
        ("Counterstrike", "sword"),
        ("Strike", "Twin"),  # a second sword, in the other hand
    ],
)
def test_anything_may_stand_between_two_strikes_of_a_slow_weapon(
    between: str | tuple[str, ...],
) -> None:
    is_strike = between[0] == "Strike"
    assert script(SWORD, between, SWORD) == 2 + is_strike


@pytest.mark.rules("weapons.speed.unwieldy")
def test_an_unwieldy_weapon_is_set_before_each_strike() -> None:
    assert script("Set", HAMMER, "Set", HAMMER) == 2
    for wrong in ((HAMMER,), ("Set", "Block", HAMMER), ("Set", HAMMER, HAMMER)):
        with pytest.raises(NotAllowed, match=r"script Set, Strike \[weapons\.speed\.unwieldy\]"):
            script(*wrong)


@pytest.mark.rules("weapons.speed.unwieldy_great_strike", "weapons.melee.note_great_strike")
def test_a_great_strike_takes_a_weapon_that_is_marked_for_it() -> None:
    great = ("Great Strike", "hammer")
    assert script("Set", "Set", great) == 1
    with pytest.raises(NotAllowed, match="Set, Set, Great Strike"):
        script("Block", "Set", great)
    assert script(("Great Strike", "sword")) == 1
    for weapon in ("dirk", "poor sword"):
        with pytest.raises(NotAllowed, match=r"weapons\.melee\.note_great_strike"):
            script(("Great Strike", weapon))
    assert script(("Great Strike",)) == 1  # bare hands are decided in Fight!


@pytest.mark.rules("weapons.melee.note_two_handed")
def test_no_shield_with_a_two_handed_weapon() -> None:
    assert script(SWORD, shield=True) == 1
    with pytest.raises(NotAllowed, match=r"both hands.*weapons\.melee\.note_two_handed"):
        script("Set", HAMMER, shield=True)


def test_a_script_has_actions() -> None:
    with pytest.raises(BadInput, match="actions: found 0"):
        script()
