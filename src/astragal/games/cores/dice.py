"""The dice of a test: Base Die, Core Die, and at most one d4 that is added or taken off.

Which dice a test has is settled here; what calls for them is in
:mod:`~astragal.games.cores.modifiers`, and rolling them in
:mod:`~astragal.games.cores.spending`.
"""

from __future__ import annotations

from typing import Final

import msgspec

from astragal.dice import Die, Each, Exploded, ExplodeOnce
from astragal.play import Line
from astragal.rules import Options, catalogue

BASE_DIE: Final = Die(6)
"""The same for everyone in every test, whatever else changes (cores.test.base_die)."""

D4: Final = Die(4)
"""A Bonus Die or a Penalty Die (cores.dice.bonus, cores.dice.penalty)."""


class Source(msgspec.Struct, frozen=True):
    """Something that brings a d4, by its name in cores.table.bonus_penalty_sources."""

    name: str
    label: str
    rule: str

    @property
    def sign(self) -> int:
        """1 for a Bonus Die, -1 for a Penalty Die."""
        table = catalogue().table("cores.table.bonus_penalty_sources")
        return 1 if table.value("die", source=self.name) == "Bonus" else -1

    def __str__(self) -> str:
        """As in "Bonus Die: Really Rocks at Lying"."""
        return f"{'Bonus' if self.sign > 0 else 'Penalty'} Die: {self.label}"


def d4_sign(sources: tuple[Source, ...], options: Options) -> int:
    """Whether a d4 is added (1), taken off (-1) or not rolled at all (0).

    There is never more than one (cores.dice.bonus, cores.dice.penalty), and a Bonus Die and a
    Penalty Die cancel (cores.dice.cancel). Where several sources are on one side, the limit of
    one comes first, unless the table counts them out (cores.amb.several_bonus_dice).
    """
    bonus = sum(source.sign > 0 for source in sources)
    penalty = len(sources) - bonus
    if options["cores_bonus_against_penalty"] == "cap_then_cancel":
        bonus, penalty = min(bonus, 1), min(penalty, 1)
    return (bonus > penalty) - (bonus < penalty)


def core_sides(die: str, rock: bool, suck: bool, options: Options) -> int:
    """The sides of the Core Die after Rock and Suck; 0 if there is none to roll.

    A Rock raises it one type (cores.mod.rock), a Suck lowers it one (cores.mod.suck), and both
    together leave it as it is (cores.mod.rock_and_suck). A d12 stays a d12, and a d4 a d4
    unless the table has it fall to no die (cores.amb.ladder_ends).
    """
    table = catalogue().table("cores.table.die_ladder")
    if rock and not suck:
        die = str(table.value("with_rock", die=die))
    elif suck and not rock:
        lowered = str(table.value("with_suck", die=die))
        if lowered == die and options["cores_suck_on_d4"] == "no_die":
            return 0
        die = lowered
    return int(die.removeprefix("d"))


class Dice(msgspec.Struct, frozen=True, cache_hash=True):
    """The dice of one test.

    >>> Dice(explosive=True, core=8, d4=-1).notation
    'd6! + d8 - d4'
    """

    explosive: bool
    core: int
    d4: int

    @property
    def names(self) -> tuple[str, ...]:
        """What each die is called, in the order in which they are thrown."""
        core = ("core",) if self.core else ()
        d4 = (("bonus",) if self.d4 > 0 else ("penalty",)) if self.d4 else ()
        return ("base", *core, *d4)

    def die(self, name: str, *, again: bool = False) -> Die | ExplodeOnce:
        """One of the dice; a Base Die is explosive for a Perk, and whenever it is rerolled.

        cores.explode.sources, cores.story.reroll_explosive.
        """
        if name == "base":
            return ExplodeOnce(BASE_DIE) if self.explosive or again else BASE_DIE
        return Die(self.core) if name == "core" else D4

    def thrown(self, names: tuple[str, ...], *, again: bool = False) -> Each:
        """Some of the dice, each to be looked at by itself."""
        return Each(tuple(self.die(name, again=again) for name in names))

    @property
    def notation(self) -> str:
        """As people write it."""
        parts = [self.die(name).notation for name in self.names]
        if self.d4:
            sign = "+" if self.d4 > 0 else "-"
            return f"{' + '.join(parts[:-1])} {sign} {parts[-1]}"
        return " + ".join(parts)


def line_of(name: str, value: int | Exploded, sides: int) -> Line:
    """A die that fell, as a line of the total: a Penalty Die is taken off.

    The 6 of an explosive Base Die counts and a second roll is added (cores.explode.six); the
    second roll never explodes (cores.explode.once).
    """
    if name == "base":
        if isinstance(value, Exploded):
            label = f"Base Die ({value.first} and {value.extra})" if value.extra else "Base Die"
            rule = "cores.explode.six" if value.extra else "cores.test.base_die"
            return Line(value.total, label, rule)
        return Line(value, "Base Die", "cores.test.base_die")
    assert isinstance(value, int)
    if name == "core":
        return Line(value, f"Core Die (d{sides})", "cores.test.core_die")
    if name == "bonus":
        return Line(value, "Bonus Die", "cores.dice.bonus")
    return Line(-value, "Penalty Die", "cores.dice.penalty")
