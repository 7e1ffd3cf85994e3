"""Natural magic: an ability that works as a skill, always open-ended, with no Tax and no failure.

The book has the rules that all of it shares, and two samples, in ``air_of_gates`` and
``black_metal``.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Outcome, Procedure
from astragal.play import Option, Play, Split, Step, Text, ask, call, note

from ...sheet.durations import say_duration
from ...sheet.faiths import NATURAL_MAGIC
from ...sheet.lookups import Entries, LookUp, look_up
from ...sheet.parts import SkillAbility
from ...sheet.scene import BurningTable
from ...sheet.sheet import Rated, Sheet
from ...sheet.words import as_sentence
from ...tests.intent import Declaration
from ...tests.results import StandardOutcome
from ...tests.tests import BY_ITSELF, standard
from ..sorcery.casting_time import seconds_of
from .emotional_attributes import stock_of

STOCKS = {
    "Elf": "songs of the Elves",
    "Dwarf": "arts of the Dwarves",
    "Orc": "magic of the Orcs, fed by their Hatred",
}
"""Whose natural magic there is (faith.natural.what)."""


def look_up_natural_magic(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Look up which stocks have natural magic (faith.natural.what)."""
    said = {
        stock: f"{what}; single abilities are in another book" for stock, what in STOCKS.items()
    }
    return (yield from look_up(said, arguments.entry, "faith.natural.what"))


class NaturalMagic(Declaration, frozen=True, kw_only=True):
    """A natural magic ability at work.

    One with a spell-like effect names its ``functions``, such as effect or area, which extra
    successes are divided between, and the ``actions`` that performing it takes, if they are fixed.
    """

    functions: tuple[str, ...] = ()
    actions: int = 0


class NaturalOutcome(Outcome, frozen=True):
    """How it came out: the test, how extra successes were divided, and the time it took."""

    passed: bool
    test: StandardOutcome
    shares: tuple[tuple[str, int], ...] = ()
    wonder: str = ""
    actions: int = 0
    seconds: int = 0


def natural_ability(sheet: Sheet, name: str) -> Rated:
    """A natural magic ability on a sheet, of a stock that has natural magic.

    faith.natural.what.
    """
    rule = "faith.natural.what"
    rated = sheet.ability(name)
    if not _is_natural(rated):
        raise BadInput("ability", rated.name, "a natural magic ability (magical = true)", rule)
    _check_any_stock(sheet)
    return rated


def _is_natural(rated: Rated) -> bool:
    skill = rated.ability
    natural = isinstance(skill, SkillAbility) and skill.magical and rated.name != "Sorcery"
    return natural or rated.name.casefold() in NATURAL_MAGIC


def _check_any_stock(sheet: Sheet) -> None:
    stock = stock_of(sheet)
    if stock and stock not in STOCKS:
        has = ", ".join(STOCKS)
        what = f"{sheet.name} is {stock}: natural magic belongs to {has}"
        raise NotAllowed(what, "faith.natural.what")


def _has_natural_magic(character: str, table: BurningTable) -> None:
    """Refuse somebody who has no natural magic at all."""
    sheet = table.character(character)
    _check_any_stock(sheet)
    if not any(_is_natural(rated) for rated in sheet.abilities()):
        raise NotAllowed(f"{sheet.name} has no natural magic", "faith.natural.what")


def natural_magic(arguments: NaturalMagic, table: BurningTable) -> Play[NaturalOutcome]:
    """Work natural magic: a test of the ability, in every way as of a skill.

    faith.natural.as_skill: artha, help, FoRKs and wounds count, and it is logged. Its own dice
    alone are rolled, without Will (faith.natural.no_will); there is no Tax and no Failed Casting
    (faith.natural.no_tax_no_failure).
    """
    sheet = table.character(arguments.character)
    rated = natural_ability(sheet, arguments.ability)
    check_between("actions", arguments.actions, 0, 1000, "faith.natural.cast_time", unit="actions")
    fields = {field: getattr(arguments, field) for field in Declaration.__struct_fields__}
    performing = performing_seconds(arguments.actions, sheet)
    if performing:  # the time of the test, which careful and quick work change as any other
        fields["time"] = say_duration(performing)
    said = Declaration(**{**fields, "ability": rated.name})
    test, table = yield from call(standard, said, BY_ITSELF, table)
    shares: tuple[tuple[str, int], ...] = ()
    wonder = ""
    if test.passed:
        extra = test.margin - test.patiently - test.quickly
        shares = yield from divide_extra(arguments.character, arguments.functions, extra, table)
        if arguments.functions:
            wonder = yield from narrate_wonder(arguments.character, rated.name, table)
    seconds = test.seconds or performing
    return NaturalOutcome(test.passed, test, shares, wonder, arguments.actions, seconds)


def divide_extra(
    character: str, functions: tuple[str, ...], extra: int, table: BurningTable
) -> Step[tuple[tuple[str, int], ...]]:
    """Divide extra successes between the functions of a spell-like effect.

    faith.natural.spell_like.
    """
    if extra < 1 or not functions:
        return ()
    if len(functions) == 1:
        return ((functions[0], extra),)
    rule = "faith.natural.spell_like"
    pools = tuple(Option(each, each.capitalize(), rule) for each in functions)
    split = yield from ask(
        table.character(character).seat(character),
        "divide",
        f"Divide {extra} extra between {', '.join(functions)}",
        Split(amount=extra, pools=pools, default=(extra, *(0 for _ in functions[1:]))),
        because=rule,
    )
    return tuple(zip(functions, split, strict=True))


def narrate_wonder(character: str, ability: str, table: BurningTable) -> Step[str]:
    """The wondrous result is narrated (faith.natural.spell_like)."""
    rule = "faith.natural.spell_like"
    seat = table.character(character).seat(character)
    wonder: str = yield from ask(
        seat, "wonder", f"What wonder does {ability} work?", Text(default=""), because=rule
    )
    if wonder:
        yield from note(as_sentence(wonder), rule)
    return wonder


def performing_seconds(actions: int, sheet: Sheet) -> int:
    """How long a fixed performing time is, counted as for spells (faith.natural.cast_time)."""
    return seconds_of(actions, sheet) if actions else 0


def song_exchanges(actions: int, reflexes: int) -> int:
    """Over how many exchanges of a Fight! a song lasts, while the singer acts as usual.

    faith.amb.song_tandem_vs_actions: its actions are counted at the singer's Reflexes, and not
    taken from them.

    >>> song_exchanges(50, 4), song_exchanges(0, 4)
    (13, 0)
    """
    return ceil(Fraction(actions, reflexes)) if reflexes else 0


PROCEDURES = (
    Procedure(
        "natural_magic", "Natural magic", NaturalMagic, natural_magic, check=_has_natural_magic
    ),
    Procedure("look_up_natural_magic", "Who has natural magic", LookUp, look_up_natural_magic),
)
