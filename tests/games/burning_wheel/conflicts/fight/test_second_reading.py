"""Two actions at random, in any stance, posture and distance, as two readings see them."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from astragal.dice import Rolled
from astragal.games.burning_wheel import GAME
from astragal.play import Roll, Session, Tell, rolled_from
from games.burning_wheel.conflicts.fight.second_reading import (
    ARMS,
    ATTACKS,
    DISTANCES,
    DOWN,
    KNEELING,
    SKILLS,
    STANDING,
    STOPS,
    Combatant,
    Dice,
    Slot,
)
from games.burning_wheel.playing import somehow, table

MAY_MEET = (*ATTACKS, *STOPS, "no_action", "hesitating")


def somebody(rng: Random, name: str) -> Combatant:
    return Combatant(
        name,
        rng.choice(MAY_MEET),
        rng.choice(tuple(ARMS)),
        rng.choice(["neutral", "neutral", "aggressive", "defensive"]),
        rng.choice([STANDING, STANDING, DOWN, KNEELING]),
        rng.choice(["", "close", "maintain", "withdraw", "stay"]),
        {each: rng.randint(2, 6) for each in ("Agility", "Speed", "Power", *SKILLS)},
    )


def sheet_of(who: Combatant) -> dict[str, Any]:
    rated = {each: f"B{rating}" for each, rating in who.ratings.items()}
    stats = {each: rated[each] for each in ("Agility", "Speed", "Power")}
    return {
        "stats": {"Will": "B4", "Perception": "B4", "Forte": "B4", **stats},
        "attributes": {"Health": "B4", "Reflexes": "B4", "Steel": "B4"},
        "tolerances": ["B3", "B5", "B7", "B8", "B9", "B10"],
        "skills": {each: rated[each] for each in SKILLS},
        "weapons": [{"weapon": weapon} for weapon in ARMS if weapon],
    }


def played(both: tuple[Combatant, Combatant], at: str, rng: Random) -> Any:
    """What the procedure rolls (by what is told), and what comes of it."""
    sides = [
        {
            "character": who.name.lower(),
            **{key: getattr(who, key) for key in ("action", "weapon", "stance", "posture")},
            **({"moves": who.moves} if who.moves else {}),
        }
        for who in both
    ]
    procedure = GAME.procedure("fight_action")
    said = GAME.read({"sides": sides, "distance": at}, procedure.arguments, "arguments")
    successes: dict[str, int] = {}

    def throw(roll: Roll) -> Rolled[Any]:
        many = sum(count for _, count in roll.expression.dice.items())  # type: ignore[attr-defined]
        named = re.sub(r"^(\w+) \((.*)\)$", r"\1, \2", roll.label)  # several of one fighter
        successes[named] = rng.randint(0, many)
        return rolled_from(roll, roll.expression.faces_for(successes[named]))  # type: ignore[attr-defined]

    sheets = {who.name.lower(): sheet_of(who) for who in both}
    session = Session(procedure.start(said, table(None, None, **sheets)), throw)
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, somehow(ask))
    rolls = {}
    for event in session.events:
        if not isinstance(event, Tell):
            continue
        told = re.match(r"(\w+, .+?), rolls (\d+)D(?:.*?against Ob (\d+))?", event.fact.sentence())
        if told:
            rolls[told[1]] = Dice(int(told[2]), int(told[3] or 0))
    return rolls, successes, session.result


def undivided(rolls: dict[str, Dice], known: dict[str, Dice]) -> dict[str, Dice]:
    """The two parts of a Counterstrike with the dice that were divided between them."""
    whole = dict(rolls)
    for name, roll in rolls.items():
        other = name.replace("riposte", "Counterstrike")
        if name.endswith("riposte"):
            dice = roll.dice + rolls[other].dice
            whole[name], whole[other] = Dice(dice, roll.against), Dice(dice, rolls[other].against)
        elif name.endswith("Counterstrike") and f"{name[:3]}, riposte" not in rolls:
            whole[name] = Dice(known[name].dice, roll.against)  # the rest reaches nobody
    return whole


def happened(result: Any, falls: set[str]) -> list[tuple[str, str, object]]:
    """What came of it, but for what a fall to the ground does, which is not of this chapter."""
    return [
        (each.character.title(), each.effect, each.stage if each.effect == "hit" else each.amount)
        for each in result.effects
        if each.effect != "drools" and not (each.effect == "hit" and each.character in falls)
    ]


@pytest.mark.slow
@pytest.mark.rules(
    "fight.table.interactions",
    "fight.table.natural_defenses",
    "fight.table.stance_effects",
    "fight.table.inside_penalties",
    "fight.table.fighting_distances",
    "fight.roll.obstacle_penalty_on_versus",
    "fight.nd.by_maneuver",
    "fight.push.natural_defense",
    "fight.get_up.prone_attack",
    "fight.get_up.prone_defense",
    "fight.position.moving_quickly",
    "fight.amb.lock_base",
    "fight.amb.outside_beat_disarm",
    "fight.amb.outside_riposte",
    "fight.amb.counterstrike_penalties",
    "fight.amb.feint_free_strike",
)
@pytest.mark.parametrize("seed", range(40))
def test_both_readings_roll_the_same_dice_and_come_to_the_same(seed: int) -> None:
    for number in range(6):
        rng = Random(f"{seed} {number}")
        both, at = (somebody(rng, "Ann"), somebody(rng, "Bob")), rng.choice(DISTANCES)
        slot = Slot(*both, at)
        rolls, successes, result = played(both, at, rng)
        assert undivided(rolls, slot.rolls) == slot.rolls, (both, at)
        wanted = slot.comes_to(successes)
        falls = {
            both[1 - n].name.lower()
            for n in (0, 1)
            if slot.does[n] == "throw_opponent" and (both[1 - n].name, "down", 1) in wanted
        }
        wanted = [each for each in wanted if each[1] != "hit" or each[0].lower() not in falls]
        assert sorted(happened(result, falls), key=str) == sorted(wanted, key=str), (both, at)
