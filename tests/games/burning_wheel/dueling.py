"""How the tests of the Duel of Wits argue: two speakers who can do everything, and their scripts.

Ann and Bob have Will B5, Steel B4 and every skill that any action tests; a duel between them is a
Big Deal unless said otherwise, so that their bodies are 5 + 5 without a roll.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astragal.games.burning_wheel import BurningTable
from astragal.play import Answer, Ask, Script
from games.burning_wheel.playing import AnyRolls, Played, play, somehow, table

SKILLS = (
    "Oratory", "Rhetoric", "Persuasion", "Interrogation", "Stentorious Debate", "Haggling",
    "Falsehood", "Ugly Truth", "Soothing Platitudes", "Command", "Intimidation", "Seduction",
)  # fmt: skip

SPEAKER: dict[str, Any] = {
    "stats": {"Will": "B5", "Perception": "B4"},
    "attributes": {"Steel": "B4"},
    "skills": {name: {"rating": "B5", "roots": ["Will"]} for name in SKILLS},
}


def speaker(*skills: str, will: str = "B5", **more: Any) -> dict[str, Any]:
    """A speaker with only these skills, as "Oratory B5"."""
    known = {}
    for text in skills:
        name, _, rating = text.rpartition(" ")
        known[name] = {"rating": rating, "roots": ["Will"]}
    return {**SPEAKER, "stats": {"Will": will, "Perception": "B4"}, "skills": known, **more}


def hall(
    ann: Mapping[str, Any] | None = None,
    bob: Mapping[str, Any] | None = None,
    options: Mapping[str, str] | None = None,
    scene: Mapping[str, Any] | None = None,
    **others: Mapping[str, Any],
) -> BurningTable:
    return table(scene, options, ann=dict(ann or SPEAKER), bob=dict(bob or SPEAKER), **others)


def duel_arguments(**more: Any) -> dict[str, Any]:
    terms = {"case": "so it is", "wins": "the bridge is built", "loses": "I hold my tongue"}
    sides = [
        {"character": "ann", "skill": "Oratory", **terms, **more.pop("side_a", {})},
        {
            "character": "bob",
            "skill": "Oratory",
            **terms,
            "wins": "no bridge",
            **more.pop("side_b", {}),
        },
    ]
    return {"about": "the bridge", "sides": sides, **more}


def argue(
    ann: Sequence[Sequence[str]] = (),
    bob: Sequence[Sequence[str]] = (),
    rolls: AnyRolls | None = None,
    answers: Mapping[str, Any] | None = None,
    at: BurningTable | None = None,
    **more: Any,
) -> Played:
    """A whole duel: the scripts of each exchange, the dice, and whatever else is answered.

    With ``ann/concede`` among the answers Ann concedes when her scripts are over.
    """
    said: dict[str, Any] = {"body_method": "big_deal"}
    for name, scripts in (("ann", ann), ("bob", bob)):
        for number, script in enumerate(scripts, 1):
            said[f"{name}/script#{number}"] = list(script)
    said |= answers or {}
    leaving = [name for name in ("ann", "bob") if said.pop(f"{name}/concede", False)]

    def otherwise(ask: Ask) -> Answer:
        if isinstance(ask.question, Script) and leaving:
            card = "concede" if ask.seat in leaving else "avoid"
            return (card,) * ask.question.slots
        return somehow(ask)

    return play("duel_of_wits", duel_arguments(**more), at or hall(), said, rolls, otherwise)


def one_exchange(
    ann: Sequence[str],
    bob: Sequence[str],
    rolls: Sequence[Any],
    answers: Mapping[str, Any] | None = None,
    at: BurningTable | None = None,
    **more: Any,
) -> Played:
    """One exchange with bodies of 20, after which Ann concedes and keeps her nerve."""
    said = {"body_method": "doubled", "ann/concede": True, **(answers or {})}
    return argue([ann], [bob], [*rolls, 5], said, at, **more)


def try_volley(
    a: str,
    b: str,
    rolls: AnyRolls | None = None,
    answers: Mapping[str, Any] | None = None,
    at: BurningTable | None = None,
    skills: tuple[str, str] = ("Oratory", "Oratory"),
) -> Played:
    """One volley by itself, Ann's action against Bob's."""
    sides = [
        {"character": "ann", "skill": skills[0], "action": a},
        {"character": "bob", "skill": skills[1], "action": b},
    ]
    return play("rehearse_volley", {"sides": sides}, at or hall(), answers, rolls)
