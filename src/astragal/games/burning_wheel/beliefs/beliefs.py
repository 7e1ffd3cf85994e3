"""Beliefs and Instincts: what a character stands for and always does, and rewriting them.

Beliefs, Instincts and traits act differently (beliefs.bits.distinct_roles): Beliefs feed artha,
Instincts guarantee a behaviour, traits have effects by their kind. All of it is the player's to
write and choose (beliefs.bits.chosen_by_player); the GM only has a say about the moment. The
artha that all of this earns is in ``artha/awards`` (beliefs.belief.artha_link,
beliefs.instinct.artha_link, beliefs.trait.artha_link).
"""

from __future__ import annotations

from enum import Enum

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Option, Play, Step, choose, note

from ..sheet.parts import Belief
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .statements_of_faith import after_rewording


class Bit(Enum):
    """A Belief or an Instinct."""

    BELIEF = "belief"
    INSTINCT = "instinct"

    @property
    def field(self) -> str:
        """Its field on the sheet."""
        return f"{self.value}s"


class BitSlot(Arguments, frozen=True):
    """A Belief or Instinct of a character, by its number, counted from 1."""

    character: str
    bit: Bit
    number: int


class BitText(BitSlot, frozen=True):
    """Which Belief or Instinct, counted from 1, and its new wording."""

    text: str


class BitOutcome(Outcome, frozen=True):
    """The wording now, and a new one that the GM has delayed."""

    text: str
    pending: str


def change_bit(arguments: BitText, table: BurningTable) -> Play[BitOutcome]:
    """The player rewrites a Belief or Instinct at will: no roll, no cost, no vote.

    beliefs.bits.chosen_by_player, beliefs.belief.change_any, beliefs.instinct.change_any. It
    may change outright or in part, right after the event that caused it or when all is over
    (beliefs.belief.change_forms). The slot stays: the number does not change. Beliefs are known
    to everybody at the table (beliefs.belief.public_to_players), though no character learns of
    them by that (beliefs.belief.hidden_from_characters), and nothing becomes true by being
    believed (beliefs.belief.not_fact): only the owner's sheet changes.
    """
    sheet = table.character(arguments.character)
    bit_in(sheet, arguments)
    text = arguments.text.strip()
    if not text:
        rule = f"beliefs.{arguments.bit.value}.change_any"
        raise BadInput("text", arguments.text, "the new wording", rule)
    path = f"{arguments.bit.field}.{arguments.number - 1}"
    because = f"beliefs.{arguments.bit.value}.change_any"
    table = yield from table.amend(arguments.character, f"{path}.pending", text, because=because)
    return (yield from _at_the_gms_moment(arguments, table))


def release_change(arguments: BitSlot, table: BurningTable) -> Play[BitOutcome]:
    """Ask the GM again about a delayed change, who may delay it further.

    beliefs.amb.gm_delay_vs_veto.
    """
    _delayed(table.character(arguments.character), arguments)
    return (yield from _at_the_gms_moment(arguments, table))


def withdraw_change(arguments: BitSlot, table: BurningTable) -> Play[BitOutcome]:
    """The player withdraws a delayed change (beliefs.amb.gm_delay_vs_veto)."""
    slot = _delayed(table.character(arguments.character), arguments)
    path = f"{arguments.bit.field}.{arguments.number - 1}.pending"
    because = "beliefs.amb.gm_delay_vs_veto"
    yield from table.amend(arguments.character, path, "", because=because)
    return BitOutcome(slot.text, "")


def _at_the_gms_moment(arguments: BitSlot, table: BurningTable) -> Step[BitOutcome]:
    """The GM says when, and only when; the wording is the player's.

    beliefs.belief.change_gm_timing, beliefs.instinct.change_gm_timing; a change made to escape a
    tight spot or for advantage may be delayed (beliefs.belief.change_gm_delay,
    beliefs.instinct.change_gm_delay), never rewritten or refused for good.
    """
    bit = arguments.bit.value
    path = f"{arguments.bit.field}.{arguments.number - 1}"
    sheet = table.character(arguments.character)
    slot = bit_in(sheet, arguments)
    now = Option(key="now", label="Now", rule=f"beliefs.{bit}.change_gm_timing")
    later = Option(key="later", label="Later", rule=f"beliefs.{bit}.change_gm_delay")
    when = yield from choose(
        GM,
        "when",
        f'When does {sheet.name} change "{slot.text}" to "{slot.pending}"?',
        (now, later),
        default="now",
        because=f"beliefs.{bit}.change_gm_timing",
    )
    if when == "later":
        return BitOutcome(slot.text, slot.pending)
    because = f"beliefs.{bit}.change_gm_timing"
    table = yield from table.amend(arguments.character, path, Belief(slot.pending), because=because)
    yield from note(
        f"{sheet.name}'s new {bit.capitalize()}: {slot.pending}", f"beliefs.{bit}.change_any"
    )
    if arguments.bit is Bit.BELIEF:
        yield from after_rewording(arguments.character, arguments.number, slot.pending, table)
    return BitOutcome(slot.pending, "")


def _has_bits(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not (sheet.beliefs or sheet.instincts):
        what = f"{sheet.name} has neither Beliefs nor Instincts: write them on the sheet"
        raise NotAllowed(what, "beliefs.bits.chosen_by_player")


def _has_delayed(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not any(bit.pending for bit in (*sheet.beliefs, *sheet.instincts)):
        what = f"{sheet.name} has no delayed change of a Belief or an Instinct"
        raise NotAllowed(what, "beliefs.amb.gm_delay_vs_veto")


def bit_in(sheet: Sheet, which: BitSlot) -> Belief:
    """The Belief or Instinct in a slot."""
    slots: tuple[Belief, ...] = getattr(sheet, which.bit.field)
    if not 1 <= which.number <= len(slots):
        raise BadInput(
            "number", which.number, f"1 to {len(slots)}, one of {sheet.name}'s {which.bit.field}"
        )
    return slots[which.number - 1]


def _delayed(sheet: Sheet, which: BitSlot) -> Belief:
    slot = bit_in(sheet, which)
    if not slot.pending:
        raise BadInput(
            "number", which.number, f"a slot with a delayed change ({slot.text} has none)"
        )
    return slot


PROCEDURES = (
    Procedure("change_bit", "Change a Belief or Instinct", BitText, change_bit, check=_has_bits),
    Procedure(
        "release_change",
        "Decide on a delayed change",
        BitSlot,
        release_change,
        gm_only=True,
        check=_has_delayed,
    ),
    Procedure(
        "withdraw_change",
        "Withdraw a delayed change",
        BitSlot,
        withdraw_change,
        check=_has_delayed,
    ),
)
