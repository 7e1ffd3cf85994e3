"""Advice for one side of a Duel of Wits, from what that side may know of the other.

Both bodies of argument and what is carried over lie open. A sheet that a side may not read is not
looked at: the other speaker is taken to have the abilities of one's own, except for those that have
been shown since.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from astragal.dice import Shade
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate, Speaker
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Duel
from astragal.games.burning_wheel.sheet.parts import Ability
from astragal.games.burning_wheel.sheet.ratings import Rating
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.game import Table
from astragal.lab.duel_game import Bodies
from astragal.lab.solved_duel import SolvedDuel, WeightedScript
from astragal.lab.sparring import place_of

A = TypeVar("A", bound=Ability)


class ShownExponents(NamedTuple):
    """What has been shown of a speaker whose sheet may not be read; None where nothing has."""

    will: int | None = None
    skill: int | None = None


class DuelAsKnown(NamedTuple):
    """A duel as far as one side may know it, to be solved."""

    debate: Debate
    table: BurningTable
    bodies: Bodies
    """As they were at its beginning."""


def as_known(
    duel: Duel, side: int, table: BurningTable, shown: ShownExponents | None
) -> DuelAsKnown:
    """The duel as one side knows it; ``table`` has the sheets that this side may read.

    Where the other speaker's is not among them, ``shown`` says what there is instead. Help is
    left out.
    """
    speakers = [Speaker(each.character, each.skill) for each in duel.debate.speakers]
    rival = 1 - side
    if shown is not None:
        mine, key = speakers[side], speakers[rival].character
        speakers[rival] = Speaker(key, mine.skill)
        assumed = assumed_sheet(
            table.character(mine.character), duel.name(rival), mine.skill, shown
        )
        there = {**table.characters, key: assumed}
        table = Table(there, table.scene, table.options)
    debate = Debate(duel.debate.about, (speakers[0], speakers[1]))
    return DuelAsKnown(debate, table, duel.started)


def assumed_sheet(like: Sheet, name: str, skill: str, shown: ShownExponents) -> Sheet:
    """A sheet with another's abilities, but for what has been shown; unhurt, without traits."""
    return Sheet(
        name=name,
        stats=_with(like.stats, "Will", shown.will),
        attributes=like.attributes,
        hesitation=like.hesitation,
        skills=_with(like.skills, skill, shown.skill),
    )


def _with(abilities: Mapping[str, A], name: str, exponent: int | None) -> dict[str, A]:
    if exponent is None:
        return dict(abilities)
    return {
        key: replace(each, rating=Rating(Shade.BLACK, exponent))
        if key.casefold() == name.casefold()
        else each
        for key, each in abilities.items()
    }


def best_mix(
    solved: SolvedDuel, side: int, duel: Duel, owed: tuple[int, ...]
) -> tuple[float, list[WeightedScript]]:
    """What a duel is worth to a side as it stands, and its best mix, likeliest first."""
    bodies, position = place_of(solved, duel, owed)
    value = float(solved.values[(*bodies, position)])
    shares: dict[tuple[str, ...], float] = {}
    for script, share in solved.scripts(side, bodies, position):
        shares[script] = shares.get(script, 0.0) + share
    mix = sorted(shares.items(), key=lambda each: (-each[1], each[0]))
    return (value if side == 0 else 1.0 - value), mix
