"""Whether a character is ready for play: Beliefs, Instincts and traits are all there."""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, confirm, consent, note
from astragal.rules import catalogue

from ..sheet.parts import Belief
from ..sheet.scene import BurningTable
from .beliefs import Bit
from .instincts import parse_instinct
from .statements_of_faith import lacks_statement


class Readiness(Arguments, frozen=True):
    """The character to check."""

    character: str


class ReadinessOutcome(Outcome, frozen=True):
    """Whether a character may enter play, and what is wrong or unusual."""

    ready: bool
    faults: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def wanted_at_start(bit: Bit) -> int:
    """How many a new player character has: three Beliefs and three Instincts.

    beliefs.belief.count_three, beliefs.instinct.count_three.
    """
    table = catalogue().table("beliefs.table.bits_summary")
    return table.number("number_at_start", element=bit.value.capitalize())


def ready_for_play(arguments: Readiness, table: BurningTable) -> Play[ReadinessOutcome]:
    """No player character begins without Beliefs, Instincts and traits (beliefs.bits.mandatory).

    The GM's characters may have fewer. Whether each Belief is an explicit statement, tied to the
    situation in play, is the GM's yes or no (beliefs.amb.belief_definition). Looks need no trait:
    without a cosmetic one a character simply looks ordinary (beliefs.trait.cosmetic.not_required).
    """
    sheet = table.character(arguments.character)
    faults: list[str] = []
    warnings: list[str] = []
    if not sheet.npc:
        kinds = (
            ("Beliefs", sheet.beliefs),
            ("Instincts", sheet.instincts),
            ("traits", sheet.traits),
        )
        faults += [f"{sheet.name} has no {what}" for what, found in kinds if not found]
        if lacks_statement(sheet):  # faith.belief.required
            faults.append(f"{sheet.name} has Faith but no Belief that states it")
        for bit in Bit:
            found = len(getattr(sheet, bit.field))
            if found and found != wanted_at_start(bit):
                # beliefs.amb.number_of_beliefs_and_instincts: a warning, not a refusal.
                warnings.append(f"{found} {bit.field} instead of {wanted_at_start(bit)}")
        for index, belief in enumerate(sheet.beliefs):
            faults += yield from _judge(belief, index)
        for index, instinct in enumerate(sheet.instincts):
            warnings += _warn_of_form(instinct, index)
    for fault in faults:
        yield from note(fault, "beliefs.bits.mandatory")
    for warning in warnings:
        yield from note(f"Unusual: {warning}", "beliefs.bits.mandatory")
    answer = "is not ready for play yet" if faults else "is ready for play"
    yield from note(f"{sheet.name} {answer}.", "beliefs.bits.mandatory")
    return ReadinessOutcome(not faults, tuple(faults), tuple(warnings))


def _judge(belief: Belief, index: int) -> Step[tuple[str, ...]]:
    """A bare noun or abstraction is no Belief, nor is one without a tie to the situation."""
    explicit = yield from confirm(
        GM,
        "explicit",
        f"Belief: is this an explicit statement about the setting? {belief.text}",
        default=len(belief.text.split()) > 1,
        because="beliefs.belief.explicit_statement",
        kind="consent",
    )
    if not explicit:
        return (f"Belief {index + 1} is not an explicit statement: {belief.text}",)
    anchored = yield from consent(
        GM,
        "anchored",
        f"Belief: is it tied to the situation in play? {belief.text}",
        because="beliefs.belief.anchored",
    )
    return () if anchored else (f"Belief {index + 1} is not tied to the situation: {belief.text}",)


def _warn_of_form(instinct: Belief, index: int) -> tuple[str, ...]:
    """A warning for an Instinct without a condition and a reaction."""
    try:
        parse_instinct(instinct.text)
    except BadInput:
        return (
            f"Instinct {index + 1} does not begin with Always, Never, If or When: {instinct.text}",
        )
    return ()


PROCEDURES = (Procedure("ready_for_play", "Ready for play?", Readiness, ready_for_play),)
