"""Artha on a roll: what may be used on it, and what may be bought once the dice are seen.

Boon and Divine Inspiration come before the roll (``artha/before_the_roll``); Luck and Saving Grace
after it, in any order (artha.amb.after_roll_order). Dice of equipment are rolled here, too, with
the ones that damage it. Only the roller spends on the roll
(artha.amb.helper_artha). The points are paid for when the test is over (``artha/spending``).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.dice import Count, CountWithOnes, OpenEnded, Pool, PoolWithOnes, Shade, Shaded
from astragal.play import (
    GM,
    Option,
    PickOne,
    Play,
    Roll,
    Seat,
    Step,
    Then,
    ask,
    consent,
    roll,
    then,
)

from ..sheet.editions import edition
from ..sheet.parts import Artha, CallOn, TraitKind, is_named
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet
from ..sheet.words import counted

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
    """Dice that were thrown: what counts, what could still be rolled on or rolled again.

    For dice of equipment also what can damage it: the ``ones`` that count, at most ``most_ones``,
    and which of the failed dice are its ``own``, while anything can still be bought on them.
    ``late`` are the successes that came with what was bought when all dice lay there.
    """

    successes: int
    sixes: Shaded
    traitors: Shaded
    open_ended: OpenEnded
    lucky: bool = False
    spent: Artha = Artha()
    called: tuple[str, ...] = ()
    ones: int = 0
    most_ones: int = 0
    own: Shaded = NO_DICE
    late: int = 0

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
            self,
            successes=self.successes + more,
            sixes=NO_DICE,
            traitors=NO_DICE,
            own=NO_DICE,
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
        and (not trait.abilities or is_named(tested.name, trait.abilities))
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
    said: bool = yield from consent(
        GM,
        "call_on_applies",
        f"Does the trait {trait} apply here? ({situation})",
        because="beliefs.trait.call_on.condition",
    )
    return said


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


def throw_thing(
    own: Shaded,
    nature: OpenEnded,
    label: str,
    seat: Seat,
    held: ArthaAtHand,
    spent: Artha,
    most_ones: int,
    enough: int | None = None,
) -> Step[ThrownDice]:
    """Roll the dice of a thing once, with its ones: at most so many of them count."""
    final = not held.may_buy(lucky=False)
    pool = Pool(own, nature).with_ones()
    first = yield from roll(pool, label, seat, enough=enough, final=final)
    thrown = ThrownDice(
        first.successes,
        first.sixes,
        first.traitors,
        nature,
        spent=spent,
        ones=min(first.ones, most_ones),
        most_ones=most_ones,
        # Extra dice fail, too: of all that failed, at most the thing's own are its own.
        own=at_most(first.traitors, own),
    )
    return thrown.settled() if final else thrown


def after_roll(
    thrown: ThrownDice, held: ArthaAtHand, label: str, seat: Seat, enough: int | None
) -> Play[ThrownDice]:
    """Let the roller buy after-roll effects, one at a time, until content."""
    prompt, question = _anything_else(thrown, held, label, enough)
    missing = None if enough is None else max(0, enough - thrown.successes)
    choice = yield from ask(
        seat,
        "after_roll",
        prompt,
        question,
        because="artha.luck.cost_and_timing",
        kind="offered" if could_bring(missing, thrown, held) or thrown.ones else "aside",
    )
    if choice == CONTENT.key:
        return thrown.settled()
    trait = choice.removeprefix(CALL_ON)
    if trait != choice and not (yield from applies(held, trait)):
        return seen(thrown, without(held, trait), label, seat, enough)
    dice, thrown, held = buy(choice, thrown, held)
    if thrown.own and choice != LUCK:
        return then(reroll_own, dice, thrown, held, label, seat, enough)
    return then(roll_again, dice, _what(choice), thrown, held, label, seat, enough)


def roll_again(
    dice: Pool,
    what: str,
    thrown: ThrownDice,
    held: ArthaAtHand,
    label: str,
    seat: Seat,
    enough: int | None,
) -> Play[ThrownDice]:
    """Roll further dice, add them to those on the table, and ask what else is wanted."""
    final = not held.may_buy(lucky=thrown.lucky)
    more: Count = yield _further(dice, what, thrown, label, seat, enough, final=final)
    if final:
        return thrown.settled(more.successes)
    return seen(thrown.joined(more), held, label, seat, enough)


def reroll_own(
    again: Pool,
    thrown: ThrownDice,
    held: ArthaAtHand,
    label: str,
    seat: Seat,
    enough: int | None,
) -> Play[ThrownDice]:
    """Reroll all failed dice, a thing's own apart: only the ones of the reroll count.

    artha.saving_grace.equipment: a one that is rerolled does no harm, a new one does.
    """
    final = not held.may_buy(lucky=thrown.lucky)
    own, beside = _own_apart(again, thrown)
    anew = yield _further(own, "reroll", thrown, label, seat, enough, final=final)
    thrown = _own_rerolled(thrown, anew)
    thrown = thrown.settled() if final else thrown
    if beside.dice:
        what = "reroll of other dice"
        return then(roll_again, beside, what, thrown, held, label, seat, enough)
    return seen(thrown, held, label, seat, enough)


def _own_apart(again: Pool, thrown: ThrownDice) -> tuple[PoolWithOnes, Pool]:
    """The dice to be rerolled: a thing's own, and the rest."""
    own = Pool(thrown.own, again.open_ended).with_ones()
    return own, Pool(again.dice - thrown.own, again.open_ended)


def _own_rerolled(thrown: ThrownDice, anew: CountWithOnes) -> ThrownDice:
    """The throw after a thing's own failed dice were rerolled (artha.saving_grace.equipment)."""
    return msgspec.structs.replace(
        thrown.joined(Count(anew.successes, anew.sixes, anew.traitors)),
        ones=min(anew.ones, thrown.most_ones),
        own=at_most(anew.traitors, thrown.own),
    )


def at_most(failed: Shaded, own: Shaded) -> Shaded:
    """Those of some failed dice that can be a thing's own, shade by shade."""
    return Shaded(*(min(count, own[shade]) for shade, count in failed.items()))


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


LUCK = "luck"
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
            more = counted(sixes, "more die")
            note = f"{more}, open-ended" if sixes else "no sixes: no effect"
            label, rule = "Luck: reroll and add every six", "artha.luck.open_end"
        else:
            note = "" if thrown.traitors else "no failed dice: no effect"
            label, rule = "Luck: reroll one failed die", "artha.luck.already_open_ended"
        found.append(Option(LUCK, label, rule, cost="1 fate", note=note))
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


def could_bring(missing: int | None, thrown: ThrownDice, held: ArthaAtHand) -> bool:
    """Whether what may be used on a roll could bring as many successes as are missing.

    With nothing missing there is nothing to bring; where no number decides (None), one more will
    do. A six that is rolled on may bring any number; a failed die that is rolled again brings one.
    """
    if missing == 0:
        return False
    luck = bool(held.artha.fate) and not thrown.lucky
    again = bool(held.call_ons or (held.artha.deeds and not held.grace_used))
    rerolled = thrown.traitors.total if again else 0
    closed = thrown.open_ended is OpenEnded.NO
    if closed and luck and (thrown.sixes or rerolled):
        return True
    if rerolled and (not closed or thrown.lucky):
        return True
    if luck and not closed and thrown.traitors:
        rerolled = max(1, rerolled)
    return rerolled >= (missing or 1)


def use(
    choice: str, thrown: ThrownDice, held: ArthaAtHand, label: str, seat: Seat, enough: int | None
) -> Step[tuple[ThrownDice, ArthaAtHand]]:
    """Use one thing on a roll; a trait that does not apply here changes nothing."""
    trait = choice.removeprefix(CALL_ON)
    if not (yield from applies(held, trait)):
        return thrown, without(held, trait)
    dice, thrown, held = buy(choice, thrown, held)
    if thrown.own and choice != LUCK:
        again, rest = _own_apart(dice, thrown)
        anew = yield _further(again, "reroll", thrown, label, seat, enough, final=False)
        thrown = _own_rerolled(thrown, anew)
        if not rest.dice:
            return thrown, held
        dice = rest
    final = not held.may_buy(lucky=thrown.lucky)
    more: Count = yield _further(dice, _what(choice), thrown, label, seat, enough, final=final)
    return thrown.settled(more.successes) if final else thrown.joined(more), held


def buy(choice: str, thrown: ThrownDice, held: ArthaAtHand) -> tuple[Pool, ThrownDice, ArthaAtHand]:
    """Use one thing on a roll: the dice it rolls, those that stay, and what is left to use."""
    if choice == LUCK:
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
        left = thrown.traitors - one
        own = at_most(left, thrown.own)
        return Pool(one), msgspec.structs.replace(thrown, traitors=left, own=own), held
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


def _what(choice: str) -> str:
    return "Luck" if choice == LUCK else "reroll"


def _further(
    dice: Pool | PoolWithOnes,
    what: str,
    thrown: ThrownDice,
    label: str,
    seat: Seat,
    enough: int | None,
    *,
    final: bool,
) -> Roll:
    """The roll of further dice, for what is still missing."""
    missing = None if enough is None else max(0, enough - thrown.successes)
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
    text = counted(thrown.successes, "success")
    if thrown.open_ended is OpenEnded.NO and thrown.sixes:
        text += f" ({counted(thrown.sixes.total, 'six')})"
    if thrown.ones:
        text += f", {thrown.ones} of the 1s can damage it"
    if enough is not None:
        short = enough - thrown.successes
        text += f", {short} short" if short > 0 else ", enough"
    return text
