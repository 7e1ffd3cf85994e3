"""The state of a Duel of Wits between two volleys, and its outcome.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from astragal.play import GM, AskKind, Fact

from ...magic.sorcery.casting import DeclaredSpell
from ...sheet.scene import BurningTable
from ..scripting import CarriedEffect
from .actions import Debate

AS_AGREED = "as agreed at the table"
"""What stands for terms and concessions that are said and not written down."""


class DuelTerms(msgspec.Struct, frozen=True):
    """What a side gets if it wins, and what it will do if it loses."""

    wins: str
    loses: str


class SpellInDuel(msgspec.Struct, frozen=True, cache_hash=True):
    """A spell in the place of words: ``before`` are the volleys it takes before it is cast."""

    declared: DeclaredSpell
    before: int = 0
    done: int = 0

    @property
    def left(self) -> int:
        """How many volleys it still takes before that."""
        return self.before - self.done


class Duel(msgspec.Struct, frozen=True, cache_hash=True):
    """A duel under way: what is fixed, what is left of the bodies, and what is carried over."""

    debate: Debate
    terms: tuple[DuelTerms, DuelTerms]
    onlookers: tuple[str, ...]
    series: str
    """The series in which its tests are logged; empty in a rehearsal, where none are."""
    started: tuple[int, int]
    bodies: tuple[int, int]
    table: BurningTable
    carried: tuple[CarriedEffect, ...] = ()
    exchanges: int = 0
    volleys: int = 0
    ruled: int | None = None
    """The side that the audience takes, where the GM has ruled so."""
    castings: tuple[SpellInDuel | None, SpellInDuel | None] = (None, None)
    """The spells that the sides are casting instead of speaking."""
    lasting: tuple[tuple[str, str], ...] = ()
    """Spells that last for exchanges, by caster and name, and were there when this one began."""

    def on(self, table: BurningTable) -> Duel:
        """The duel with the table after something has happened on it."""
        return msgspec.structs.replace(self, table=table)

    def name(self, side: int) -> str:
        """A speaker's name."""
        return self.table.character(self.debate.speakers[side].character).name

    def seat(self, side: int) -> str:
        """The player of a speaker."""
        character = self.debate.speakers[side].character
        return self.table.character(character).seat(character)

    def kind(self, side: int) -> AskKind:
        """How a side is asked what it does when the duel is over.

        A player is waited for; the GM, who says most of this aloud, is not.
        """
        return "aside" if self.seat(side) == GM else "offered"


class DuelConclusion(Fact, frozen=True, tag="concluded"):
    """How a duel ended: who won, by how much, on which terms and at which price."""

    names: tuple[str, str]
    bodies: tuple[int, int]
    started: tuple[int, int]
    winner: int | None
    terms: str
    """What is agreed: the winner's terms, or the middle ground after a tie."""
    price: str
    """The concession, with its size; after a tie what becomes of the matter."""
    rule: str
    role = "conclusion"

    def sentence(self) -> str:
        """The verdict, then what is agreed, then the price."""
        if self.winner is None:
            left = ", ".join(f"{n} {b}" for n, b in zip(self.names, self.bodies, strict=True))
            verdict = f"A tie ({left}): nobody wins the duel."
        else:
            loser = 1 - self.winner
            mine = f"{self.bodies[self.winner]} of {self.started[self.winner]}"
            other = f"{self.bodies[loser]} of {self.started[loser]}"
            verdict = f"{self.names[self.winner]} wins the duel with {mine} left"
            verdict += f"; {self.names[loser]} ends at {other}."
        head = "Compromise" if self.winner is None else "Terms"
        agreed = f"{head}: {closed(self.terms)}" if self.terms else ""
        return " ".join(part for part in (verdict, agreed, self.price) if part)

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """What is left of both bodies in the end."""
        return bars(self.names, self.bodies, self.started)


def bars(
    names: tuple[str, str], bodies: tuple[int, int], started: tuple[int, int]
) -> tuple[tuple[str, int, int], ...]:
    """Both bodies of argument: whose, what is left, and of how much."""
    return tuple(zip(names, bodies, started, strict=True))


class DuelOutcome(msgspec.Struct, frozen=True):
    """The outcome of a challenge: how it was settled, who won, and at which price."""

    settled: str
    sides: tuple[str, str]
    winner: str | None = None
    loser: str | None = None
    terms: str = ""
    started: tuple[int, int] = (0, 0)
    bodies: tuple[int, int] = (0, 0)
    exchanges: int = 0
    volleys: int = 0
    concession: str = ""
    compromise: str = ""
    heartbeats: int = 0
    window: str = ""
    persuaded: bool = False
    satisfaction: str = ""
    escalated: str = ""


DuelResult: TypeAlias = tuple[DuelOutcome, BurningTable]
"""The outcome of a challenge, and the table after it."""


def closed(words: str) -> str:
    """Somebody's words as the end of a sentence.

    >>> closed("the bridge is built"), closed("Never!")
    ('the bridge is built.', 'Never!')
    """
    return words if words.endswith((".", "!", "?", "...")) else f"{words}."


def concluded(duel: Duel, winner: int | None, terms: str, price: str, rule: str) -> DuelConclusion:
    """The end of a duel as it is told."""
    names = (duel.name(0), duel.name(1))
    return DuelConclusion(names, duel.bodies, duel.started, winner, terms, price, rule)


def is_over(duel: Duel) -> bool:
    """Whether a body is at zero or less, or the GM has ruled (duel_of_wits.end.condition)."""
    return min(duel.bodies) <= 0 or duel.ruled is not None


def outcome(duel: Duel, settled: str, winner: int | None = None, **more: object) -> DuelOutcome:
    """The outcome of a duel in this state, with further fields."""
    sides = tuple(speaker.character for speaker in duel.debate.speakers)
    outcome = DuelOutcome(
        settled,
        (sides[0], sides[1]),
        winner=None if winner is None else sides[winner],
        loser=None if winner is None else sides[1 - winner],
        started=duel.started,
        bodies=duel.bodies,
        exchanges=duel.exchanges,
        volleys=duel.volleys,
    )
    return msgspec.structs.replace(outcome, **more)
