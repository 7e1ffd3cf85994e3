"""Failed Casting: a Die of Fate decides between nothing, a garbled spell and an unwanted guest."""

from __future__ import annotations

from astragal.dice import Die
from astragal.games.game import Outcome
from astragal.play import GM, Fact, Play, Seat, Step, Text, ask, call, choose, note, roll, then
from astragal.rules import catalogue

from ...sheet.scene import BurningTable
from ...tests.die_of_fate import throw_openly
from .casting import DeclaredSpell
from .garbled import GarbledSpell, garble

GARBLED, SUMMONING = "Garbled Transmission", "Unwanted Summoning"


class FailedCasting(Fact, frozen=True, tag="failed_casting"):
    """What the Die of Fate of a Failed Casting can bring, said before it is thrown."""

    what: str
    results: tuple[tuple[str, str], ...]

    def sentence(self) -> str:
        """Every face and what it means."""
        said = ", ".join(f"{faces} {result}" for faces, result in self.results)
        return f"{self.what}, the Die of Fate: {said}."


class SpellFailure(Outcome, frozen=True):
    """What a Failed Casting came to: the face, the result, the new spell or the creature."""

    die: int
    result: str
    garbled: GarbledSpell | None = None
    summoned: str = ""


def fail_casting(
    declared: DeclaredSpell, shortfall: int, table: BurningTable
) -> Play[tuple[SpellFailure, BurningTable]]:
    """The casting player rolls one Die of Fate (sorcery.fail.dof)."""
    arguments = declared.arguments
    seat = table.character(arguments.character).seat(arguments.character)
    rows = catalogue().table("sorcery.table.failed_casting")
    results = tuple((row.text("die_of_fate"), row.text("result")) for row in rows.records())
    said = FailedCasting(f"Failed Casting of {declared.spell.name}", results)
    face = yield from throw_openly(said, "the Die of Fate, Failed Casting", seat)
    result = str(rows.band(face, "die_of_fate", "result"))
    return then(read_failure, declared, shortfall, face, result, table)


def read_failure(
    declared: DeclaredSpell, shortfall: int, face: int, result: str, table: BurningTable
) -> Play[tuple[SpellFailure, BurningTable]]:
    """What the die says happens."""
    yield from note(f"{result}.", "sorcery.fail.dof")
    if result == GARBLED:
        garbled, table = yield from call(garble, declared, shortfall, table)
        return SpellFailure(face, result, garbled), table
    if result == SUMMONING:
        seat = table.character(declared.arguments.character).seat(declared.arguments.character)
        creature = yield from summon_unwanted(seat)
        return SpellFailure(face, result, summoned=creature), table
    yield from note("The spell ends without any effect.", "sorcery.fail.harmless")
    return SpellFailure(face, result), table


def summon_unwanted(seat: Seat) -> Step[str]:
    """What comes through: what the GM has in store, or what dice decide.

    sorcery.summon.gm_plan_first.
    """
    own = yield from ask(
        GM,
        "summoned",
        "What comes through? (empty: roll for it)",
        Text(default=""),
        because="sorcery.summon.gm_plan_first",
    )
    if own:
        yield from note(f"Summoned: {own}.", "sorcery.summon.gm_plan_first")
        return own
    ways = {"simple": "One Die of Fate", "offering_wheel": "By ring and side (two dice)"}
    way = yield from choose(
        GM,
        "summoning",
        "Unwanted Summoning by",
        ways,
        default="simple",
        because="sorcery.summon.offering_wheel",
        kind="aside",
    )
    creature = yield from (_simple(seat) if way == "simple" else _by_wheel(seat))
    return creature


def _simple(seat: Seat) -> Step[str]:
    """On a 1 a great demon, else something strange (sorcery.summon.simple)."""
    rows = catalogue().table("sorcery.table.unwanted_summoning_simple")
    results = tuple((row.text("die_of_fate"), row.text("result")) for row in rows.records())
    said = FailedCasting(SUMMONING, results)
    face = yield from throw_openly(said, "the Die of Fate, Unwanted Summoning", seat)
    creature = str(rows.band(face, "die_of_fate", "result"))
    yield from note(f"Summoned: {creature}.", "sorcery.summon.simple")
    return creature


def _by_wheel(seat: Seat) -> Step[str]:
    """Parity and size of one die give side and ring, a second die the creature.

    sorcery.summon.offering_wheel.
    """
    rule = "sorcery.summon.offering_wheel"
    first = yield from roll(Die(6), "side and ring of the creature", seat)
    calling = catalogue().table("sorcery.table.unwanted_summoning_calling").where(first_d6=first)
    second = yield from roll(Die(6), "the creature", seat)
    row = (
        catalogue()
        .table("sorcery.table.unwanted_summoning_creature")
        .where(side=calling["side"], ring=calling["ring"])
    )
    columns = ("d6_1_2", "d6_3_4", "d6_5_6")
    creature = row.text(columns[(second - 1) // 2])
    yield from note(f"Summoned, {calling['side']}, {calling['ring']}: {creature}.", rule)
    return creature
