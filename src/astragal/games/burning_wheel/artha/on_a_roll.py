"""Artha on a roll: what may be bought before the dice are thrown and after they are seen.

Boon and Divine Inspiration come before the roll; Luck and Saving Grace after it, in any
order (artha.amb.after_roll_order). Only the roller spends on the roll
(artha.amb.helper_artha). The points are paid for when the test is over (``artha/spending``).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.dice import Count, OpenEnded, Pool, Shade, Shaded
from astragal.games.burning_wheel.sheet.editions import REVISED, Edition, edition
from astragal.games.burning_wheel.sheet.parts import Artha, CallOn, TraitKind
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Rated, Sheet
from astragal.play import (
    GM,
    Line,
    Number,
    Option,
    PickOne,
    Play,
    Roll,
    Seat,
    Step,
    Then,
    ask,
    choose,
    confirm,
    roll,
    then,
)

NO_DICE = Shaded()
NOTHING = Artha()
MOST_ON_A_ROLL = Artha(fate=1, persona=3, deeds=2)
"""artha.spend.limits_per_roll: three independent limits; of a whole test in the later edition
(gold.tests.artha_cap), an Aristeia aside (gold.tests.artha_cap_aristeia)."""


class ArthaAtHand(msgspec.Struct, frozen=True, cache_hash=True):
    """What may still be used on this roll: artha within the limits, and call-on traits."""

    artha: Artha = Artha()
    call_ons: tuple[str, ...] = ()
    grace_used: bool = False
    tie_breakers: tuple[str, ...] = ()
    situations: tuple[tuple[str, str], ...] = ()

    def may_buy(self, *, lucky: bool, failed: bool = True) -> bool:
        """Whether anything is left that could be used on the roll, if any dice have failed."""
        if self.artha.fate and not lucky:
            return True
        return failed and bool(self.call_ons or (self.artha.deeds and not self.grace_used))


class ThrownDice(msgspec.Struct, frozen=True, cache_hash=True):
    """Dice that were thrown: what counts, what could still be rolled on or rolled again."""

    successes: int
    sixes: Shaded
    traitors: Shaded
    open_ended: OpenEnded
    lucky: bool = False
    spent: Artha = Artha()
    called: tuple[str, ...] = ()

    def joined(self, more: Count) -> ThrownDice:
        """The dice with those of a further roll beside them.

        Only while the roll is not open-ended may its sixes still be rolled on.
        """
        closed = self.open_ended is OpenEnded.NO and not self.lucky
        return msgspec.structs.replace(
            self,
            successes=self.successes + more.successes,
            sixes=self.sixes + more.sixes if closed else NO_DICE,
            traitors=self.traitors + more.traitors,
        )

    def settled(self, more: int = 0) -> ThrownDice:
        """The dice once nothing more is done to them: only successes count, with ``more`` added."""
        return msgspec.structs.replace(
            self, successes=self.successes + more, sixes=NO_DICE, traitors=NO_DICE
        )


def hand(sheet: Sheet, tested: Rated) -> ArthaAtHand:
    """What a character brings to a roll: artha up to the limits, and call-on traits that apply.

    A call-on trait may be used once a session (beliefs.trait.call_on.once_per_session).
    """
    held = sheet.artha
    most = MOST_ON_A_ROLL
    artha = Artha(
        min(held.fate, most.fate), min(held.persona, most.persona), min(held.deeds, most.deeds)
    )
    applying = [
        trait
        for trait in sheet.traits
        if trait.kind is TraitKind.CALL_ON
        and not trait.called_this_session
        and (not trait.abilities or tested.name in trait.abilities)
    ]
    # A trait that names its effect has only that one (beliefs.amb.call_on_effect_choice).
    return ArthaAtHand(
        artha,
        call_ons=tuple(trait.name for trait in applying if CallOn.REROLL in trait.effects),
        tie_breakers=tuple(trait.name for trait in applying if CallOn.BREAK_TIE in trait.effects),
        situations=tuple((trait.name, trait.situation) for trait in applying if trait.situation),
    )


def without(held: ArthaAtHand, trait: str) -> ArthaAtHand:
    """The hand when a trait has been used, or does not apply here."""
    return msgspec.structs.replace(
        held,
        call_ons=tuple(name for name in held.call_ons if name != trait),
        tie_breakers=tuple(name for name in held.tie_breakers if name != trait),
    )


def tie_breaking(held: ArthaAtHand) -> ArthaAtHand:
    """What is left of a hand when no dice are rolled: only traits that break a tie."""
    return ArthaAtHand(tie_breakers=held.tie_breakers, situations=held.situations)


def applies(held: ArthaAtHand, trait: str) -> Step[bool]:
    """Whether this is the situation that a call-on trait names; the GM says.

    beliefs.trait.call_on.condition. Calling on it at all is its owner's decision alone
    (beliefs.trait.call_on.player_decides).
    """
    situation = dict(held.situations).get(trait)
    if situation is None:
        return True
    said: bool = yield from confirm(
        GM,
        "call_on_applies",
        f"Does the trait {trait} apply here? ({situation})",
        default=True,
        because="beliefs.trait.call_on.condition",
    )
    return said


class Boost(msgspec.Struct, frozen=True):
    """What was bought before the roll: dice, and what is left for afterwards."""

    lines: tuple[Line, ...]
    hand: ArthaAtHand
    spent: Artha


def before_roll(
    seat: Seat,
    tested: Rated,
    held: ArthaAtHand,
    *,
    beside: Rated | None = None,
    equipment: bool = False,
    played: Edition = REVISED,
) -> Step[Boost]:
    """Offer Divine Inspiration and a Boon, both declared ahead of the roll.

    artha.divine_inspiration.timing, artha.boon.timing; on any ability (artha.spend.any_ability).
    ``beside`` is a second ability rolled with the first, as Will is with Sorcery; ``equipment``
    marks the dice of armor and the like. The later edition doubles the exponent of whatever is
    tested, without exception (gold.tests.deeds_double, gold.diff.deeds_double_scope).
    """
    left, lines = held.artha, []
    if not played.inspiration_has_exceptions:
        beside, equipment = None, False
    if left.deeds and not equipment:  # artha.divine_inspiration.not_reflexes_or_equipment
        doubled = yield from _double(seat, tested, beside)
        if doubled is not None:
            # Only the written exponent is doubled; every other die is added as it is
            # (artha.divine_inspiration.base_only), and the second deeds point is for
            # Saving Grace alone (artha.spend.two_deeds).
            label = f"Divine Inspiration: {doubled.name}"
            lines.append(Line(doubled.exponent, label, "artha.divine_inspiration.effect"))
            left -= Artha(deeds=1)
    if left.persona:
        points = yield from ask(
            seat,
            "boon",
            f"Boon: spend persona for +1D each (up to {left.persona})?",
            Number(least=0, most=left.persona, default=0),
            because="artha.boon.effect",
        )
        if points:
            lines.append(Line(points, "Boon", "artha.boon.effect"))
            left -= Artha(persona=points)
    spent = held.artha - left
    # One Saving Grace at most: a second deeds point left over has no use on this roll.
    left = msgspec.structs.replace(left, deeds=min(left.deeds, 1))
    return Boost(tuple(lines), msgspec.structs.replace(held, artha=left), spent)


def _double(seat: Seat, tested: Rated, beside: Rated | None) -> Step[Rated | None]:
    """Which ability is doubled, if any: of two that are rolled together only one.

    artha.divine_inspiration.sorcery.
    """
    if beside is None:
        wanted = yield from confirm(
            seat,
            "divine_inspiration",
            f"Divine Inspiration: 1 deeds point to double {tested.name} (+{tested.exponent}D)?",
            default=False,
            because="artha.divine_inspiration.effect",
        )
        return tested if wanted else None
    rule = "artha.divine_inspiration.sorcery"
    neither = Option(key="neither", label="Neither", rule=rule)
    options = tuple(
        Option(key=each.name, label=f"Double {each}", rule=rule, cost="1 deeds")
        for each in (tested, beside)
    )
    chosen = yield from choose(
        seat,
        "divine_inspiration",
        "Divine Inspiration: 1 deeds point to double one ability?",
        (neither, *options),
        default="neither",
        because=rule,
    )
    return {tested.name: tested, beside.name: beside}.get(chosen)


def throw(
    pool: Pool, label: str, seat: Seat, held: ArthaAtHand, spent: Artha, enough: int | None
) -> Play[ThrownDice]:
    """Roll the dice once, then offer what may be bought now that they are seen."""
    thrown = yield from first_throw(pool, label, seat, held, spent, enough)
    return seen(thrown, held, label, seat, enough)


def first_throw(
    pool: Pool, label: str, seat: Seat, held: ArthaAtHand, spent: Artha, enough: int | None = None
) -> Step[ThrownDice]:
    """Roll the dice once; the result is final where there is nothing to use on them."""
    final = not held.may_buy(lucky=False)
    count = yield from roll(pool, label, seat, enough=enough, final=final)
    thrown = ThrownDice(count.successes, count.sixes, count.traitors, pool.open_ended, spent=spent)
    return thrown.settled() if final else thrown


def after_roll(
    thrown: ThrownDice, held: ArthaAtHand, label: str, seat: Seat, enough: int | None
) -> Play[ThrownDice]:
    """Let the roller buy after-roll effects, one at a time, until content."""
    prompt, question = _anything_else(thrown, held, label, enough)
    choice = yield from ask(
        seat, "after_roll", prompt, question, because="artha.luck.cost_and_timing"
    )
    if choice == CONTENT.key:
        return thrown.settled()
    trait = choice.removeprefix(CALL_ON)
    if trait != choice and not (yield from applies(held, trait)):
        return seen(thrown, without(held, trait), label, seat, enough)
    dice, thrown, held = buy(choice, thrown, held)
    return then(roll_again, dice, thrown, held, choice, label, seat, enough)


def roll_again(
    dice: Pool,
    thrown: ThrownDice,
    held: ArthaAtHand,
    choice: str,
    label: str,
    seat: Seat,
    enough: int | None,
) -> Play[ThrownDice]:
    """Roll what was bought, add it to the dice on the table, and ask what else is wanted."""
    final = not held.may_buy(lucky=thrown.lucky)
    more: Count = yield bought(dice, thrown, choice, label, seat, enough, final=final)
    if final:
        return thrown.settled(more.successes)
    return seen(thrown.joined(more), held, label, seat, enough)


def seen(
    thrown: ThrownDice, held: ArthaAtHand, label: str, seat: Seat, enough: int | None
) -> ThrownDice | Then[ThrownDice]:
    """Dice once they are seen: either they count as they are, or there is something to ask.

    Having enough is not the end: extra successes have their uses, and Luck may be bought even if
    it does nothing (artha.amb.luck_with_no_sixes).
    """
    if not held.may_buy(lucky=thrown.lucky, failed=bool(thrown.traitors)):
        return thrown.settled()
    return then(after_roll, thrown, held, label, seat, enough)


@lru_cache(1024)  # weighing every answer asks this once for each of them
def _anything_else(
    thrown: ThrownDice, held: ArthaAtHand, label: str, enough: int | None
) -> tuple[str, PickOne]:
    prompt = f"{label}: {_counts(thrown, enough)}. Spend artha or call on a trait?"
    return prompt, PickOne(options=(CONTENT, *offers(thrown, held)), default=CONTENT.key)


CALL_ON = "call_on:"
CONTENT = Option(key="nothing", label="Keep the roll", rule="artha.spend.on_a_roll")


def offers(thrown: ThrownDice, held: ArthaAtHand) -> tuple[Option, ...]:
    """What may be used now that the roll is seen, with what it would do.

    artha.luck.cost_and_timing, artha.saving_grace.timing; Saving Grace also for the dice of
    equipment (artha.saving_grace.equipment).

    A useless purchase is allowed but comes with a warning (artha.amb.luck_with_no_sixes).
    """
    found = []
    if held.artha.fate and not thrown.lucky:  # artha.luck.once
        if thrown.open_ended is OpenEnded.NO:
            sixes = thrown.sixes.total
            note = f"{sixes} more dice, open-ended" if sixes else "no sixes: no effect"
            label, rule = "Luck: reroll and add every six", "artha.luck.open_end"
        else:
            note = "" if thrown.traitors else "no failed dice: no effect"
            label, rule = "Luck: reroll one failed die", "artha.luck.already_open_ended"
        found.append(Option("luck", label, rule, cost="1 fate", note=note))
    if thrown.traitors:
        failed = f"{thrown.traitors.total} dice"
        if held.artha.deeds and not held.grace_used:
            label, rule = "Saving Grace: reroll all failed dice", "artha.saving_grace.effect"
            found.append(Option("saving_grace", label, rule, cost="1 deeds", note=failed))
        for trait in held.call_ons:
            label, rule = f"Call on {trait}: reroll all failed dice", "beliefs.trait.call_on.reroll"
            cost = "once a session"
            found.append(Option(f"{CALL_ON}{trait}", label, rule, cost=cost, note=failed))
    return tuple(found)


def use(
    choice: str, thrown: ThrownDice, held: ArthaAtHand, label: str, seat: Seat, enough: int | None
) -> Step[tuple[ThrownDice, ArthaAtHand]]:
    """Use one thing on a roll; a trait that does not apply here changes nothing."""
    trait = choice.removeprefix(CALL_ON)
    if not (yield from applies(held, trait)):
        return thrown, without(held, trait)
    dice, thrown, held = buy(choice, thrown, held)
    final = not held.may_buy(lucky=thrown.lucky)
    more: Count = yield bought(dice, thrown, choice, label, seat, enough, final=final)
    return thrown.settled(more.successes) if final else thrown.joined(more), held


def buy(choice: str, thrown: ThrownDice, held: ArthaAtHand) -> tuple[Pool, ThrownDice, ArthaAtHand]:
    """Use one thing on a roll: the dice it rolls, those that stay, and what is left to use."""
    if choice == "luck":
        point = Artha(fate=1)
        thrown = msgspec.structs.replace(thrown, lucky=True, spent=thrown.spent + point)
        held = msgspec.structs.replace(held, artha=held.artha - point)
        if thrown.open_ended is OpenEnded.NO:
            # Every six stays and brings a die; from now on the whole roll is open-ended
            # (artha.luck.open_end, artha.amb.luck_open_end_chain).
            on = Pool(thrown.sixes, OpenEnded.SIXES)
            return on, msgspec.structs.replace(thrown, sixes=NO_DICE), held
        # One failed die, of the lightest shade; a six on it gives nothing further, in either
        # edition (artha.luck.rerolled_traitor_not_open_ended, gold.diff.fate_reroll_detail).
        one = _lightest(thrown.traitors)
        return Pool(one), msgspec.structs.replace(thrown, traitors=thrown.traitors - one), held
    if choice == "saving_grace":
        point = Artha(deeds=1)
        held = msgspec.structs.replace(held, artha=held.artha - point, grace_used=True)
        thrown = msgspec.structs.replace(thrown, spent=thrown.spent + point)
    else:
        # One use has one effect (beliefs.trait.call_on.one_effect_per_use).
        trait = choice.removeprefix(CALL_ON)
        held = without(held, trait)
        thrown = msgspec.structs.replace(thrown, called=(*thrown.called, trait))
    # The failed dice are rerolled, successes are kept; sixes among them open-end if the roll
    # is open-ended, by nature or by Luck (artha.amb.after_roll_order).
    nature = thrown.open_ended
    if nature is OpenEnded.NO and thrown.lucky:
        nature = OpenEnded.SIXES
    again = Pool(thrown.traitors, nature)
    return again, msgspec.structs.replace(thrown, traitors=NO_DICE), held


def bought(
    dice: Pool,
    thrown: ThrownDice,
    choice: str,
    label: str,
    seat: Seat,
    enough: int | None,
    *,
    final: bool = False,
) -> Roll:
    """The roll of dice that were bought, for what is still missing."""
    missing = None if enough is None else max(0, enough - thrown.successes)
    what = "Luck" if choice == "luck" else "reroll"
    return Roll(dice, f"{label}: {what}", seat, missing, final)


def may_focus(table: BurningTable, character: str, thrown: ThrownDice) -> bool:
    """Whether a point of persona is there for Focus, within the limit of the roll.

    The limit covers all persona spent on the roll or only Boons, as the table reads it
    (artha.amb.persona_limit_scope); in the later edition it is always all that the test takes
    (gold.tests.artha_cap, gold.diff.artha_cap_unit).
    """
    held = table.character(character).artha.persona - thrown.spent.persona
    whole = edition(table.options).limits_cover_the_test
    if whole or table.options["artha_persona_limit"] == "all_persona_on_the_roll":
        return held > 0 and thrown.spent.persona < MOST_ON_A_ROLL.persona
    return held > 0


def focused(thrown: ThrownDice) -> ThrownDice:
    """The throw with one more point of persona spent on it (artha.focus.condition)."""
    return msgspec.structs.replace(thrown, spent=thrown.spent + Artha(persona=1))


def _lightest(dice: Shaded) -> Shaded:
    for shade in (Shade.WHITE, Shade.GRAY, Shade.BLACK):
        if dice[shade]:
            return Shaded.of(shade, 1)
    return NO_DICE


def _counts(thrown: ThrownDice, enough: int | None) -> str:
    text = f"{thrown.successes} success{'' if thrown.successes == 1 else 'es'}"
    if thrown.open_ended is OpenEnded.NO and thrown.sixes:
        text += f" ({thrown.sixes.total} sixes)"
    if enough is not None:
        short = enough - thrown.successes
        text += f", {short} short" if short > 0 else ", enough"
    return text
