"""Scripts that a question allows, card by card: for play at random, and to fill one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from astragal.play import Script

LEAVING = ("give_up", "leave", "concede")
"""Cards that end somebody's part in a conflict."""


def random_script(question: Script, rng: Random, *, but: Sequence[str] = ()) -> tuple[str, ...]:
    """A script that is allowed, without cards that end everything."""
    keys = [card.key for card in question.cards if card.key not in (*LEAVING, *but)]
    if not question.openers:
        return tuple(
            rng.sample(keys, question.slots)
            if question.once
            else (rng.choices(keys, k=question.slots))
        )
    while True:
        answer, before = _volleys(question, keys, rng)
        if all(rule.is_met(before) for rule in question.rules):
            return tuple(answer)


def _volleys(question: Script, keys: list[str], rng: Random) -> tuple[list[str], list[str]]:
    """Cards that are allowed one by one, with and without what opens each volley."""
    answer: list[str] = []
    before: list[str] = []
    for many in rng.choice(question.spreads):
        opener = rng.choice(question.openers).key
        answer.append(opener)
        volley: list[str] = []
        for _ in range(many):
            able = [
                key
                for key in keys
                if all(rule.allows(opener, before, volley, key) for rule in question.rules)
            ]
            volley.append(rng.choice(able))
            before.append(volley[-1])
        answer += volley
    return answer, before


def filled(question: Script, card: str, opener: str = "stay") -> tuple[str, ...]:
    """A script with one card in every slot."""
    return tuple(part for many in question.spreads[0] for part in (opener, *(card,) * many))
