"""Artha on a roll: what may be bought before the dice are thrown and after they are seen.

Boon and Divine Inspiration come before the roll; Luck and Saving Grace after it, in any
order (artha.amb.after_roll_order). Only whoever rolls spends on the roll
(artha.amb.helper_artha). So far this is the part of the chapter that a test needs: earning
artha, Aristeia and epiphanies are not here yet.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.dice import Count, OpenEnded, Pool, Shade, Shaded
from astragal.games.burning_wheel.artha.aristeia import credit
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
    PickSeveral,
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


class Hand(msgspec.Struct, frozen=True, cache_hash=True):
    """What the roller may still use on this roll: artha within the limits, and call-on traits."""

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


class Throw(msgspec.Struct, frozen=True, cache_hash=True):
    """The dice as they lie: what counts, what could still be rolled on or rolled again."""

    successes: int
    sixes: Shaded
    traitors: Shaded
    open_ended: OpenEnded
    lucky: bool = False
    spent: Artha = Artha()
    called: tuple[str, ...] = ()

    def joined(self, more: Count) -> Throw:
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

    def settled(self, more: int = 0) -> Throw:
        """The dice once nobody will touch them again: only successes count, with so many more."""
        return msgspec.structs.replace(
            self, successes=self.successes + more, sixes=NO_DICE, traitors=NO_DICE
        )


def hand(sheet: Sheet, tested: Rated) -> Hand:
    """What a character brings to a roll: artha up to the limits, and the traits that speak for it.

    A call-on trait may be used once a session (beliefs.trait.call_on.once_per_session).
    """
    held = sheet.artha
    most = MOST_ON_A_ROLL
    artha = Artha(
        min(held.fate, most.fate), min(held.persona, most.persona), min(held.deeds, most.deeds)
    )
    speaking = [
        trait
        for trait in sheet.traits
        if trait.kind is TraitKind.CALL_ON
        and not trait.called_this_session
        and (not trait.abilities or tested.name in trait.abilities)
    ]
    # A trait that names its effect has only that one (beliefs.amb.call_on_effect_choice).
    return Hand(
        artha,
        call_ons=tuple(trait.name for trait in speaking if CallOn.REROLL in trait.effects),
        tie_breakers=tuple(trait.name for trait in speaking if CallOn.BREAK_TIE in trait.effects),
        situations=tuple((trait.name, trait.situation) for trait in speaking if trait.situation),
    )


def without(held: Hand, trait: str) -> Hand:
    """The hand when a trait has been used, or does not apply here."""
    return msgspec.structs.replace(
        held,
        call_ons=tuple(name for name in held.call_ons if name != trait),
        tie_breakers=tuple(name for name in held.tie_breakers if name != trait),
    )


def tie_breaking(held: Hand) -> Hand:
    """What is left of a hand when no dice are rolled: only traits that break a tie."""
    return Hand(tie_breakers=held.tie_breakers, situations=held.situations)


def applies(held: Hand, trait: str) -> Step[bool]:
    """Whether the situation a call-on trait names is at hand; the GM says so.

    beliefs.trait.call_on.condition. That it is called on at all is its owner's decision alone
    (beliefs.trait.call_on.player_decides).
    """
    situation = dict(held.situations).get(trait)
    if situation is None:
        return True
    said: bool = yield from confirm(
        GM,
        "call_on_applies",
        f"{trait} speaks {situation}. Is that so here?",
        default=True,
        because="beliefs.trait.call_on.condition",
    )
    return said


class Boost(msgspec.Struct, frozen=True):
    """What was bought before the roll: dice, and the hand that is left."""

    lines: tuple[Line, ...]
    hand: Hand
    spent: Artha


def before_roll(
    seat: Seat,
    tested: Rated,
    held: Hand,
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
            left = msgspec.structs.replace(left, deeds=left.deeds - 1)
    if left.persona:
        points = yield from ask(
            seat,
            "boon",
            f"Spend persona for a die each (up to {left.persona})?",
            Number(least=0, most=left.persona, default=0),
            because="artha.boon.effect",
        )
        if points:
            lines.append(Line(points, "Boon", "artha.boon.effect"))
            left = msgspec.structs.replace(left, persona=left.persona - points)
    spent = Artha(0, held.artha.persona - left.persona, held.artha.deeds - left.deeds)
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
            f"Spend 1 deeds to double {tested.name} ({tested.exponent} more dice)?",
            default=False,
            because="artha.divine_inspiration.effect",
        )
        return tested if wanted else None
    rule = "artha.divine_inspiration.sorcery"
    neither = Option(key="neither", label="neither", rule=rule)
    options = tuple(
        Option(key=each.name, label=f"double {each}", rule=rule, cost="1 deeds")
        for each in (tested, beside)
    )
    chosen = yield from choose(
        seat,
        "divine_inspiration",
        f"Spend 1 deeds to double {tested.name} or {beside.name}?",
        (neither, *options),
        default="neither",
        because=rule,
    )
    return {tested.name: tested, beside.name: beside}.get(chosen)


def throw(
    pool: Pool, label: str, seat: Seat, held: Hand, spent: Artha, enough: int | None
) -> Play[Throw]:
    """Roll the dice once, then offer what may be bought now that they are seen."""
    lying = yield from first_throw(pool, label, seat, held, spent, enough)
    return seen(lying, held, label, seat, enough)


def first_throw(
    pool: Pool, label: str, seat: Seat, held: Hand, spent: Artha, enough: int | None = None
) -> Step[Throw]:
    """Roll the dice once and leave them lying; for good, where there is nothing to use on them."""
    final = not held.may_buy(lucky=False)
    count = yield from roll(pool, label, seat, enough=enough, final=final)
    lying = Throw(count.successes, count.sixes, count.traitors, pool.open_ended, spent=spent)
    return lying.settled() if final else lying


def after_roll(lying: Throw, held: Hand, label: str, seat: Seat, enough: int | None) -> Play[Throw]:
    """Let the roller buy after-roll effects, one at a time, until content."""
    prompt, question = _anything_else(lying, held, label, enough)
    choice = yield from ask(
        seat, "after_roll", prompt, question, because="artha.luck.cost_and_timing"
    )
    if choice == CONTENT.key:
        return lying.settled()
    trait = choice.removeprefix(CALL_ON)
    if trait != choice and not (yield from applies(held, trait)):
        return seen(lying, without(held, trait), label, seat, enough)
    dice, lying, held = buy(choice, lying, held)
    return then(roll_again, dice, lying, held, choice, label, seat, enough)


def roll_again(
    dice: Pool, lying: Throw, held: Hand, choice: str, label: str, seat: Seat, enough: int | None
) -> Play[Throw]:
    """Roll what was bought, lay it beside the dice that lie, and see what else is wanted."""
    final = not held.may_buy(lucky=lying.lucky)
    more: Count = yield bought(dice, lying, choice, label, seat, enough, final=final)
    if final:
        return lying.settled(more.successes)
    return seen(lying.joined(more), held, label, seat, enough)


def seen(
    lying: Throw, held: Hand, label: str, seat: Seat, enough: int | None
) -> Throw | Then[Throw]:
    """What becomes of dice once they are seen: there they lie, or there is something to ask.

    Enough is no end while a six could still be rolled on or a failed die rolled again: extra
    successes have their uses.
    """
    left = lying.traitors or lying.sixes
    done = enough is not None and lying.successes >= enough and not left
    if done or not held.may_buy(lucky=lying.lucky, failed=bool(lying.traitors)):
        return lying.settled()
    return then(after_roll, lying, held, label, seat, enough)


@lru_cache(1024)  # whoever weighs each answer comes by here once for each
def _anything_else(lying: Throw, held: Hand, label: str, enough: int | None) -> tuple[str, PickOne]:
    prompt = f"{label}: {_lying(lying, enough)}. Use anything on the roll?"
    return prompt, PickOne(options=(CONTENT, *offers(lying, held)), default=CONTENT.key)


CALL_ON = "call_on:"
CONTENT = Option(key="nothing", label="Let it stand", rule="artha.spend.on_a_roll")


def offers(lying: Throw, held: Hand) -> tuple[Option, ...]:
    """What may be bought now that the roll is seen, with what it would do.

    artha.luck.cost_and_timing, artha.saving_grace.timing; Saving Grace also for the dice of
    equipment (artha.saving_grace.equipment).

    A useless purchase is allowed but comes with a warning (artha.amb.luck_with_no_sixes).
    """
    found = []
    if held.artha.fate and not lying.lucky:  # artha.luck.once
        if lying.open_ended is OpenEnded.NO:
            sixes = lying.sixes.total
            note = f"rolls {sixes} more, open-ended" if sixes else "no six shows: no effect"
            label = "Luck: roll on for every six"
            found.append(
                Option(
                    key="luck", label=label, rule="artha.luck.open_end", cost="1 fate", note=note
                )
            )
        else:
            note = "" if lying.traitors else "nothing failed: no effect"
            label, rule = "Luck: reroll one failed die", "artha.luck.already_open_ended"
            found.append(Option(key="luck", label=label, rule=rule, cost="1 fate", note=note))
    if lying.traitors:
        failed = f"rerolls {lying.traitors.total}"
        if held.artha.deeds and not held.grace_used:
            label, rule = "Saving Grace: reroll all failed dice", "artha.saving_grace.effect"
            found.append(
                Option(key="saving_grace", label=label, rule=rule, cost="1 deeds", note=failed)
            )
        for trait in held.call_ons:
            label, rule = f"Call on {trait}: reroll all failed dice", "beliefs.trait.call_on.reroll"
            found.append(
                Option(
                    key=f"{CALL_ON}{trait}",
                    label=label,
                    rule=rule,
                    cost="the trait's one use this session",
                    note=failed,
                )
            )
    return tuple(found)


def use(
    choice: str, lying: Throw, held: Hand, label: str, seat: Seat, enough: int | None
) -> Step[tuple[Throw, Hand]]:
    """Carry out one after-roll purchase; a trait that does not apply here changes nothing."""
    trait = choice.removeprefix(CALL_ON)
    if not (yield from applies(held, trait)):
        return lying, without(held, trait)
    dice, lying, held = buy(choice, lying, held)
    final = not held.may_buy(lucky=lying.lucky)
    more: Count = yield bought(dice, lying, choice, label, seat, enough, final=final)
    return lying.settled(more.successes) if final else lying.joined(more), held


def buy(choice: str, lying: Throw, held: Hand) -> tuple[Pool, Throw, Hand]:
    """Pay for one after-roll purchase: the dice it rolls, those that stay, and what is left."""
    artha, spent = held.artha, lying.spent
    if choice == "luck":
        artha = Artha(artha.fate - 1, artha.persona, artha.deeds)
        spent = Artha(spent.fate + 1, spent.persona, spent.deeds)
        lying = msgspec.structs.replace(lying, lucky=True, spent=spent)
        held = msgspec.structs.replace(held, artha=artha)
        if lying.open_ended is OpenEnded.NO:
            # Every six stays and brings a die; from now on the whole roll is open-ended
            # (artha.luck.open_end, artha.amb.luck_open_end_chain).
            on = Pool(lying.sixes, OpenEnded.SIXES)
            return on, msgspec.structs.replace(lying, sixes=Shaded()), held
        # One failed die, of the lightest shade; a six on it gives nothing further, in either
        # edition (artha.luck.rerolled_traitor_not_open_ended, gold.diff.fate_reroll_detail).
        one = _lightest(lying.traitors)
        return Pool(one), msgspec.structs.replace(lying, traitors=lying.traitors - one), held
    if choice == "saving_grace":
        artha = Artha(artha.fate, artha.persona, artha.deeds - 1)
        spent = Artha(spent.fate, spent.persona, spent.deeds + 1)
        held = msgspec.structs.replace(held, artha=artha, grace_used=True)
        lying = msgspec.structs.replace(lying, spent=spent)
    else:
        # One use has one effect (beliefs.trait.call_on.one_effect_per_use).
        trait = choice.removeprefix(CALL_ON)
        called = (*lying.called, trait)
        held = without(held, trait)
        lying = msgspec.structs.replace(lying, called=called)
    # The failed dice are rerolled, successes are kept; sixes among them open-end if the roll
    # is open-ended, by nature or by Luck (artha.amb.after_roll_order).
    nature = lying.open_ended
    if nature is OpenEnded.NO and lying.lucky:
        nature = OpenEnded.SIXES
    again = Pool(lying.traitors, nature)
    return again, msgspec.structs.replace(lying, traitors=Shaded()), held


def bought(
    dice: Pool,
    lying: Throw,
    choice: str,
    label: str,
    seat: Seat,
    enough: int | None,
    *,
    final: bool = False,
) -> Roll:
    """The roll of dice that were bought, for what is still missing."""
    missing = None if enough is None else max(0, enough - lying.successes)
    what = "Luck" if choice == "luck" else "reroll"
    return Roll(dice, f"{label}: {what}", seat, missing, final)


def pay(
    table: BurningTable, character: str, tested: Rated, lying: Throw, borne: Artha = NOTHING
) -> Step[BurningTable]:
    """Take what was spent off the sheet, and credit it to the ability.

    Points are gone whether or not the test succeeds (artha.spend.points_are_consumed), and
    count toward a shade shift of what was tested (artha.basics.steps_toward_epiphany,
    gold.artha.tally); but what of them was spent on pain ``borne`` counts for Health
    (gold.amb.health_epiphany_double_count).
    """
    if lying.spent == Artha() and not lying.called:
        return table
    for field in ("fate", "persona", "deeds"):
        points = getattr(lying.spent, field)
        because = "artha.spend.points_are_consumed"
        table = yield from table.add(character, f"artha.{field}", -points, because=because)
    on_test = Artha(
        lying.spent.fate - borne.fate,
        lying.spent.persona - borne.persona,
        lying.spent.deeds - borne.deeds,
    )
    table = yield from credit(table, character, tested.path, tested.kind, on_test)
    health = table.character(character).find("Health")
    if health is not None:
        table = yield from credit(table, character, health.path, health.kind, borne)
    table = yield from _mark_bits(table, character, lying.spent)
    for index, trait in enumerate(table.character(character).traits):
        if trait.name in lying.called:
            because = "beliefs.trait.call_on.once_per_session"
            used = f"traits.{index}.called_this_session"
            table = yield from table.amend(character, used, True, because=because)
    return table


def pay_for_equipment(table: BurningTable, character: str, spent: Artha) -> Step[BurningTable]:
    """Take what was spent on the dice of armor or a shield off the sheet.

    It is credited to no ability (artha.amb.epiphany_accounting).
    """
    for field in ("fate", "persona", "deeds"):
        because = "artha.spend.points_are_consumed"
        points = getattr(spent, field)
        table = yield from table.add(character, f"artha.{field}", -points, because=because)
    return (yield from _mark_bits(table, character, spent))


def _mark_bits(table: BurningTable, character: str, spent: Artha) -> Step[BurningTable]:
    """Note against Beliefs and Instincts what was spent in a scene about them.

    artha.evolve.mark; the player says which, the GM confirms (artha.amb.evolve_scene_judgement).
    In the later edition the test itself must have had to do with them
    (gold.artha.belief_instinct, gold.diff.artha_on_beliefs).
    """
    sheet = table.character(character)
    by_test = edition(table.options).bits_by_the_test
    rule = "gold.artha.belief_instinct" if by_test else "artha.evolve.mark"
    what = "test" if by_test else "scene"
    bits = {
        f"{field}.{index}": bit.text
        for field in ("beliefs", "instincts")
        for index, bit in enumerate(getattr(sheet, field))
    }
    if spent == Artha() or not bits:
        return table
    options = tuple(Option(key=path, label=text, rule=rule) for path, text in bits.items())
    tagged = yield from ask(
        sheet.seat(character),
        "about",
        f"Was the {what} about any of these?",
        PickSeveral(options=options, default=()),
        because=rule,
    )
    if not tagged:
        return table
    confirmed = yield from ask(
        GM,
        "about_confirmed",
        "Was it about these?",
        PickSeveral(options=tuple(o for o in options if o.key in tagged), default=tagged),
        because="artha.amb.evolve_scene_judgement",
    )
    for path in confirmed:
        for field in ("fate", "persona", "deeds"):
            points = getattr(spent, field)
            table = yield from table.add(character, f"{path}.spent.{field}", points, because=rule)
    return table


def together(one: Artha, other: Artha) -> Artha:
    """Two amounts of artha as one."""
    return Artha(one.fate + other.fate, one.persona + other.persona, one.deeds + other.deeds)


def may_focus(table: BurningTable, character: str, lying: Throw) -> bool:
    """Whether a point of persona is there for Focus, within the limit of the roll.

    The limit covers all persona spent on the roll or only Boons, as the table reads it
    (artha.amb.persona_limit_scope); in the later edition it is always all that the test takes
    (gold.tests.artha_cap, gold.diff.artha_cap_unit).
    """
    held = table.character(character).artha.persona - lying.spent.persona
    whole = edition(table.options).limits_cover_the_test
    if whole or table.options["artha_persona_limit"] == "all_persona_on_the_roll":
        return held > 0 and lying.spent.persona < MOST_ON_A_ROLL.persona
    return held > 0


def focused(lying: Throw) -> Throw:
    """The throw with one more point of persona spent on it (artha.focus.condition)."""
    spent = msgspec.structs.replace(lying.spent, persona=lying.spent.persona + 1)
    return msgspec.structs.replace(lying, spent=spent)


def _lightest(dice: Shaded) -> Shaded:
    for shade in (Shade.WHITE, Shade.GRAY, Shade.BLACK):
        if dice[shade]:
            return Shaded.of(shade, 1)
    return Shaded()


def _lying(lying: Throw, enough: int | None) -> str:
    text = f"{lying.successes} successes"
    if lying.open_ended is OpenEnded.NO and lying.sixes:
        text += f", {lying.sixes.total} of them sixes"
    if enough is not None:
        short = enough - lying.successes
        text += f", {short} short" if short > 0 else ", which is enough"
    return text
