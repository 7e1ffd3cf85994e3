"""How the tests of Fight! fight: fighters who can do everything, and scripts for them.

Ann and Bob have Reflexes B3, so that each volley holds one action, stats of B4 and a sword with
skill B4; whoever comes beside them likewise. A script that is not given is to stand and drool;
when the scripts of a fight are over, all but Ann give up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from astragal.games.burning_wheel import BurningTable
from astragal.play import Answer, Ask, Number, Script
from games.burning_wheel.playing import AnyRolls, Played, play, somehow, table
from scripts_at_random import filled, random_script

SKILLS = ("Sword", "Spear", "Knives", "Brawling", "Boxing", "Throwing", "Bow", "Crossbow")

FIGHTER: dict[str, Any] = {
    "stats": dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4"),
    "attributes": {"Steel": "B4", "Reflexes": "B3", "Health": "B4"},
    "tolerances": ["B3", "B5", "B7", "B8", "B9", "B10"],
    "skills": {name: {"rating": "B4", "roots": ["Agility"]} for name in SKILLS},
    "weapons": [{"weapon": "sword"}],
}


def fighter(weapon: str = "sword", **more: Any) -> dict[str, Any]:
    """A fighter with another weapon; stats and attributes by name, and whatever else."""
    sheet = {**FIGHTER, "weapons": [{"weapon": weapon}] if weapon else []}
    for name in list(more):
        for part in ("stats", "attributes"):
            if name.replace("_", " ") in FIGHTER[part]:
                sheet[part] = {**sheet[part], name.replace("_", " "): more.pop(name)}
    return {**sheet, **more}


def ring(
    options: Mapping[str, str] | None = None,
    scene: Mapping[str, Any] | None = None,
    **fighters: Mapping[str, Any],
) -> BurningTable:
    """A table with Ann, Bob and whoever else is named."""
    there = {"ann": FIGHTER, "bob": FIGHTER, **fighters}
    return table(scene, options, **there)


def sides(*those: str, weapons: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Sides of fighters, as "ann" or "bob cid"."""
    armed = weapons or {}
    return [
        {
            "fighters": [
                {"character": name, **({"weapon": armed[name]} if name in armed else {})}
                for name in side.split()
            ]
        }
        for side in those
    ]


def fight(
    scripts: Mapping[str, Sequence[Sequence[str]]],
    rolls: AnyRolls | None = None,
    answers: Mapping[str, Any] | None = None,
    at: BurningTable | None = None,
    **more: Any,
) -> Played:
    """A whole fight: the scripts of each exchange by name, the dice, and whatever is answered.

    Those who have no script left stand and drool; all but Ann give up when all scripts are over.
    """
    said: dict[str, Any] = {}
    for name, written in scripts.items():
        for number, script in enumerate(written, 1):
            said[f"{name}/script#{number}"] = list(script)
    said |= answers or {}
    most = max((len(written) for written in scripts.values()), default=0)
    asked: dict[str, int] = {}

    def otherwise(ask: Ask) -> Answer:
        question = ask.question
        if not isinstance(question, Script) or question.default is not None:
            return somehow(ask)
        asked[ask.seat] = asked.get(ask.seat, len(scripts.get(ask.seat, ()))) + 1
        over = ask.seat != "ann" and asked[ask.seat] > most
        return filled(question, "give_up" if over else "stand_and_drool")

    arguments = {"sides": sides("ann", "bob"), **more}
    return play("fight", arguments, at or ring(), said, rolls, otherwise)


def at_random(rng: Random) -> Any:
    """Answers for a fight in which everybody scripts anything that is allowed."""

    def answer(ask: Ask) -> Answer:
        question = ask.question
        if isinstance(question, Script) and question.default is None:
            return random_script(question, rng)
        if isinstance(question, Number) and question.default is None:
            return max(question.least, min(2, question.most))
        return somehow(ask)

    return answer
