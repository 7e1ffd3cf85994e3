"""The body of argument: how strong each side's position is when the duel begins.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from astragal.play import (
    GM,
    Fact,
    Line,
    Option,
    PickSeveral,
    Play,
    Step,
    Tally,
    ask,
    call,
    choose,
    consent,
    note,
    tell,
)
from astragal.rules import catalogue

from ...artha import on_a_roll as artha
from ...artha.aristeia import lightened
from ...conditions.enmity import enemy_body
from ...conditions.traits import trait_dice
from ...sheet.parts import TraitKind
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...tests.attempts import Attempt, prepare, throw_attempt
from ...tests.conclusions import after_test, pay_for
from ...tests.helping import known_roots, root_stat
from ...tests.intent import ALONE, Agreement
from ...tests.tests import open_result
from .actions import Debate, has_dice
from .matrix import Rolls

BODY = "Body of Argument"
"""The name by which a die trait adds to it."""


class BodyMethod(Enum):
    """How the bodies of argument are set, by the catalogue's names."""

    STANDARD = "standard"
    BIG_DEAL = "big deal"
    NOT_A_BIG_DEAL = "not a big deal"
    DOUBLED = "group, 4 or more a side (suggested)"

    @property
    def key(self) -> str:
        """As it is answered."""
        return self.name.casefold()


@cache
def methods() -> tuple[Option, ...]:
    """The methods as they are offered, with what the catalogue says of each."""
    rules = {
        BodyMethod.STANDARD: "duel_of_wits.body.standard",
        BodyMethod.BIG_DEAL: "duel_of_wits.body.big_deal",
        BodyMethod.NOT_A_BIG_DEAL: "duel_of_wits.body.not_a_big_deal",
        BodyMethod.DOUBLED: "duel_of_wits.group.body_large",
    }
    table = catalogue().table("duel_of_wits.table.body_methods")
    return tuple(
        Option(
            key=method.key,
            label=method.value.partition(" (")[0].capitalize(),
            rule=rule,
            note=str(table.where(case=method.value)["body of argument"]),
        )
        for method, rule in rules.items()
    )


class BodyOfArgument(Fact, frozen=True, tag="established"):
    """A body of argument, with what it is made of."""

    name: str
    body: Tally
    role = "aside"

    def sentence(self) -> str:
        """The sum, unfolded."""
        return f"{self.name}, {BODY}: {self.body}"

    @property
    def pattern(self) -> str:
        """The sum can be unfolded."""
        return f"{self.name}, {BODY}: {{body}}"

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """The whole of it."""
        return ((self.name, self.body.total, self.body.total),)


def choose_method(debate: Debate, table: BurningTable) -> Step[BodyMethod]:
    """One method for both sides, confirmed by the GM before any body is rolled.

    duel_of_wits.amb.body_method_both_sides. Big Deal is the GM's call
    (duel_of_wits.body.big_deal), and is recommended for two or three on a side
    (duel_of_wits.group.body_small), twice as much for four or more
    (duel_of_wits.group.body_large). A small point needs both players' consent
    (duel_of_wits.body.not_a_big_deal).
    """
    largest = max(1 + len(speaker.helpers) for speaker in debate.speakers)
    usual = (
        BodyMethod.STANDARD
        if largest < 2
        else BodyMethod.BIG_DEAL
        if largest < 4
        else BodyMethod.DOUBLED
    )
    said = yield from choose(
        GM,
        "body_method",
        "Body of Argument",
        methods(),
        default=usual.key,
        because="duel_of_wits.body.big_deal",
        kind="aside",
    )
    method = BodyMethod[said.upper()]
    if method is not BodyMethod.NOT_A_BIG_DEAL:
        return method
    for speaker in debate.speakers:
        sheet = table.character(speaker.character)
        quick = yield from consent(
            sheet.seat(speaker.character),
            "quickly",
            f"{sheet.name}: not a big deal, settle it quickly?",
            because="duel_of_wits.body.not_a_big_deal",
        )
        if not quick:
            return BodyMethod.STANDARD
    return method


def establish(
    debate: Debate, method: BodyMethod, series: str, room: BurningTable, table: BurningTable
) -> Step[tuple[tuple[int, int], BurningTable]]:
    """Each side's body of argument: the points that the other side has to remove.

    duel_of_wits.body.is_hit_points. Exponents and successes count, not shades
    (duel_of_wits.amb.body_and_shade).
    """
    bodies = [0, 0]
    for side, speaker in enumerate(debate.speakers):
        sheet = table.character(speaker.character)
        will = sheet.ability("Will", f"{speaker.character}.stats.Will")
        body = Tally.of(will.exponent, "Will", "duel_of_wits.body.standard")
        doubles = method is BodyMethod.DOUBLED
        doubles_roll = table.options["duel_of_wits_group_double"] == "standard_body"
        if method is BodyMethod.STANDARD or (doubles and doubles_roll):
            successes, table = yield from _tested(debate, side, series, room, table)
            body += Line(successes, f"{speaker.skill} successes", "duel_of_wits.body.standard")
        elif method is not BodyMethod.NOT_A_BIG_DEAL:
            skill = sheet.find(speaker.skill)
            exponent = 0 if skill is None else skill.exponent
            body += Line(exponent, speaker.skill, "duel_of_wits.body.big_deal")
        if doubles:
            body += Line(body.total, "large group, doubled", "duel_of_wits.group.body_large")
        body += yield from _by_traits(sheet)
        body += enemy_body(table, debate.speakers[1 - side].character, speaker.character)
        yield from tell(BodyOfArgument(sheet.name, body))
        bodies[side] = body.total
    return (bodies[0], bodies[1]), table


def _by_traits(sheet: Sheet) -> Step[tuple[Line, ...]]:
    """Traits are read before the duel begins (duel_of_wits.body.traits_checked_first).

    A die trait may name the body of argument; character traits that fit add a point each, if the
    GM allows (duel_of_wits.body.character_traits). Other die traits and call-ons count with the
    rolls they apply to.
    """
    lines = trait_dice(sheet, BODY)
    rule = "duel_of_wits.body.traits_checked_first"
    bearing = [t.name for t in sheet.traits if t.kind is not TraitKind.CHARACTER]
    if bearing:
        yield from note(f"{sheet.name}, traits to keep in mind: {', '.join(bearing)}.", rule)
    rule = "duel_of_wits.body.character_traits"
    options = tuple(
        Option(key=trait.name, label=trait.name, rule=rule)
        for trait in sheet.traits
        if trait.kind is TraitKind.CHARACTER
    )
    if not options:
        return lines
    fitting = yield from ask(
        GM,
        "body_traits",
        f"{sheet.name}: character traits that suit this argument (+1 each)",
        PickSeveral(options=options, default=()),
        because=rule,
        kind="aside",
    )
    return lines + tuple(Line(1, name, rule) for name in fitting)


def _tested(
    debate: Debate, side: int, series: str, room: BurningTable, table: BurningTable
) -> Step[tuple[int, BurningTable]]:
    """The successes of the test for a body; none of a skill that wounds have left no dice of."""
    speaker = debate.speakers[side]
    if not has_dice("point", Rolls.ONCE, speaker, room):
        text = f"{room.character(speaker.character).name} has no dice left of {speaker.skill}."
        yield from note(text, "tests.amb.zero_dice")
        return 0, table
    tested, successes = yield from call(body_test, debate, side, room)
    if series:
        table, _ = yield from after_test(*tested, 1, table, passed=True, is_open=True)
        return successes, table
    return successes, (yield from pay_for(*tested, table))


def body_test(
    debate: Debate, side: int, room: BurningTable
) -> Play[tuple[tuple[Attempt, artha.ThrownDice], int]]:
    """An ordinary test of the dueling skill, without an obstacle.

    duel_of_wits.body.standard, duel_of_wits.amb.body_test_modifiers.
    """
    speaker = debate.speakers[side]
    sheet = room.character(speaker.character)
    seat = sheet.seat(speaker.character)
    rated = sheet.find(speaker.skill)
    words = f"the body of argument: {debate.about}"
    if rated is not None and rated.exponent:
        rated = lightened(room, speaker.character, rated)
        agreed = Agreement(speaker.character, debate.about, words, rated)
    else:  # duel_of_wits.amb.beginners_luck
        roots = known_roots(speaker.skill, room)
        stat, roots = yield from root_stat(seat, sheet, speaker.skill, roots)
        stat = lightened(room, speaker.character, stat)
        agreed = Agreement(speaker.character, debate.about, words, stat, speaker.skill, roots)
    attempt = yield from prepare(agreed.declared(speaker.helpers), agreed, 0, ALONE, room)
    against = attempt.penalties if attempt.penalties.lines else None
    thrown = yield from throw_attempt(attempt, against, room, decides=False)
    return (attempt, thrown), open_result(thrown.successes, attempt)
