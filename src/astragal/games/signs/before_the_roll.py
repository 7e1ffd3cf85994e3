"""Up to the roll: the two dice, what aids and hinders, help, Boons and Banes.

Tests, group Tests and attack rolls all go through here. What differs between them is a
:class:`Manner`: an attack roll is made in the same way but is no Test (signs.attack.like_tests).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.play import GM, Option, PickSeveral, Seat, Step, Tally, ask, choose, tell
from astragal.rules import Options

from .boons import bane_lines, banes_now, boon_before, boon_line, boons_now
from .facts import DiceGathered
from .helping import check_helper, gather_help, help_line, offers_ahead
from .modifiers import DieToRoll, by_net, dice_left, outside_factors
from .scene import Offer, SignsTable
from .sheet import Sheet
from .successes import die_named, name_of


class Approach(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who rolls, with which Score, and what the player thinks counts.

    ``tags`` are the Tags that the player finds helpful, ``helpers`` the characters who are
    asked for help, ``advantages`` and ``disadvantages`` outside factors that somebody has
    pointed out, ``circumstances`` what applies, in the words of the conditions of Boons and Banes.
    """

    character: str
    score: str
    tags: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    advantages: tuple[str, ...] = ()
    disadvantages: tuple[str, ...] = ()
    circumstances: tuple[str, ...] = ()


class Declaration(Approach, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An approach to a goal, which can be tried only once; left out, it is asked for."""

    goal: str = ""


class Manner(msgspec.Struct, frozen=True):
    """Which of the rules for Tests go for a roll.

    Only a Test can be failed by choice, and only for a Test is help declared ahead.
    """

    is_test: bool
    help: bool
    every_boon_and_bane: bool


TEST = Manner(is_test=True, help=True, every_boon_and_bane=True)


def attack_manner(options: Options) -> Manner:
    """An attack roll: help, Boons and Banes go for it only where the table says so.

    signs.amb.attack_modifiers.
    """
    carried = options["signs_help_and_boons_on_attacks"] == "yes"
    return Manner(is_test=False, help=carried, every_boon_and_bane=carried)


class PreparedRoll(msgspec.Struct, frozen=True, cache_hash=True):
    """Everything about a roll when the dice are about to be thrown."""

    character: str
    name: str
    seat: Seat
    score: str
    dice: tuple[DieToRoll, ...]
    modifiers: Tally
    rerolls: int
    boons_after: tuple[str, ...] = ()
    boon: str = ""
    banes: tuple[str, ...] = ()
    helper: str = ""
    keep_the_better: bool = False

    @property
    def dice_names(self) -> tuple[str, ...]:
        """The dice rolled, as the game writes them."""
        return tuple(name_of(each.die) for each in self.dice)


def may_test(character: str, table: SignsTable) -> Sheet:
    """The sheet of somebody who makes Tests: by default only player characters do.

    signs.amb.npc_tests.
    """
    sheet = table.character(character)
    if sheet.npc and table.options["signs_others_make_tests"] == "no":
        what = f"Only player characters make Tests; the GM decides what {sheet.name} does"
        raise NotAllowed(what, "signs.amb.npc_tests")
    return sheet


def check_goal(goal: str) -> None:
    """A group must state its goal: what a Success reaches, and what can be tried only once."""
    if not goal.strip():
        raise BadInput("goal", goal, "what the character wants to achieve", "signs.attempt.once")


def check_approach(approach: Approach, manner: Manner, table: SignsTable) -> Sheet:
    """Refuse at once whatever does not fit, before anybody is asked or any die is thrown."""
    sheet = table.character(approach.character)
    sheet.score(approach.score)
    for place, named in (
        ("tags", tuple(sheet.tag(tag).name for tag in approach.tags)),
        ("helpers", approach.helpers),
        ("advantages", approach.advantages),
        ("disadvantages", approach.disadvantages),
    ):
        if len(set(named)) < len(named) or not all(each.strip() for each in named):
            raise BadInput(place, list(named), "a list of names without gaps or repeats")
    if approach.helpers and not manner.help:
        raise NotAllowed("Nobody can help with an attack roll", "signs.amb.attack_modifiers")
    for helper in approach.helpers:
        check_helper(helper, approach.character, table)
    return sheet


def prepare(
    approach: Approach, what: str, manner: Manner, table: SignsTable, barred: tuple[str, ...] = ()
) -> Step[PreparedRoll | None]:
    """Gather dice and modifiers; None if the player chooses to fail without rolling."""
    character = approach.character
    sheet = table.character(character)
    seat = sheet.seat(character)
    score, die = sheet.score(approach.score)
    two = (
        DieToRoll("score", f"{score} {name_of(die)}", die),
        (yield from _tag_die(approach, sheet)),
    )

    lines = yield from outside_factors(approach.advantages, approach.disadvantages)
    every_one = manner.every_boon_and_bane
    banes = yield from banes_now(sheet, approach.circumstances, every_one=every_one)
    lines += bane_lines(banes)
    helper = ""
    if manner.help:
        offers: tuple[Offer, ...] = ()
        if manner.is_test:
            offers = yield from offers_ahead(character, what, barred, table)
        offer = yield from gather_help(seat, character, what, offers, approach.helpers, table)
        if offer is not None:
            lines += (help_line(offer, table),)
            helper = offer.helper
    if manner.is_test and (yield from _chooses_to_fail(seat)):
        return None

    boons = yield from boons_now(sheet, approach.circumstances, every_one=every_one)
    boon = yield from boon_before(seat, boons)
    if boon is not None:
        lines += (boon_line(boon),)
    modifiers = Tally(lines)
    dice = yield from dice_left(seat, two, modifiers, table.options)
    _, rerolls = by_net(modifiers.total)
    # One Boon in all (signs.boon.one_per_test, signs.amb.boon_one_per_test_conditional), and
    # after the roll only one without conditions (signs.boon.retroactive).
    after = () if boon is not None else tuple(b.name for b in boons if not b.condition)
    ready = PreparedRoll(
        character=character,
        name=sheet.name,
        seat=seat,
        score=score,
        dice=dice,
        modifiers=modifiers,
        rerolls=rerolls.count,
        boons_after=after,
        boon="" if boon is None else boon.name,
        banes=tuple(bane.name for bane in banes),
        helper=helper,
        keep_the_better=table.options["signs_reroll"] == "keep_the_better",
    )
    labels = tuple(each.label for each in dice)
    yield from tell(DiceGathered(sheet.name, labels, modifiers, ready.rerolls))
    return ready


def _tag_die(approach: Approach, sheet: Sheet) -> Step[DieToRoll]:
    """The second die: that of the best Tag which player and GM agree on, or a D4.

    signs.roll.two_dice, signs.roll.tag_agreed, signs.roll.tag_die, signs.roll.no_tag. A second
    helpful Tag adds nothing (signs.amb.two_tags).
    """
    proposed = tuple(sheet.tag(name) for name in approach.tags)
    if proposed:
        options = tuple(
            Option(
                key=t.name, label=f"{t.name} ({t.sign} {name_of(t.die)})", rule="signs.roll.tag_die"
            )
            for t in proposed
        )
        helpful = yield from ask(
            GM,
            "helpful",
            "Which Tags help?",
            PickSeveral(options=options, default=tuple(tag.name for tag in proposed)),
            because="signs.roll.tag_agreed",
            kind="consent",
        )
        agreed = [tag for tag in proposed if tag.name in helpful]
        if agreed:
            best = max(agreed, key=lambda tag: tag.die)
            return DieToRoll("tag", f"{best.name} {name_of(best.die)}", best.die)
    return DieToRoll("tag", "D4 (no Tag)", die_named("D4"))


def _chooses_to_fail(seat: Seat) -> Step[bool]:
    """A player may fail a Test by choice, without rolling (signs.success.downgrade)."""
    roll = Option(key="roll", label="Roll", rule="signs.roll.two_dice")
    fail = Option(key="fail", label="Fail without rolling", rule="signs.success.downgrade")
    chosen = yield from choose(
        seat,
        "roll_or_fail",
        "Roll, or choose to fail?",
        (roll, fail),
        default="roll",
        because="signs.success.downgrade",
        kind="aside",
    )
    return chosen == "fail"
