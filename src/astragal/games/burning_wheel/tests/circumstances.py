"""Advantage, disadvantage, and the methods of working: what surrounds a test.

Favourable circumstances give dice, unfavourable ones raise the obstacle, and the two never
cancel (tests.modifiers.no_cancelling, tests.obstacle.only_up). Shade alone moves the face
that a die must show (tests.shade.only_thing_that_moves_dn).
"""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from astragal.errors import BadInput
from astragal.play import (
    GM,
    AskKind,
    Line,
    Number,
    Option,
    PickSeveral,
    Seat,
    Split,
    Step,
    Text,
    ask,
    confirm,
    confirm_aside,
    consent,
)
from astragal.rules import Options, Record, catalogue

from ..conditions.lines import Tester
from ..conditions.traits import situational
from ..sheet.editions import REVISED, Edition
from ..sheet.parts import SocialStanding
from ..sheet.sheet import Rated
from ..sheet.words import counted

# --- Advantage -----------------------------------------------------------------------------


def claim_advantage(
    seat: Seat,
    tested: Rated,
    played: Edition = REVISED,
    *,
    whose: str = "",
    social: bool = False,
    folded: bool = False,
    newly: bool = False,
) -> Step[tuple[Line, ...]]:
    """The player's one claim, in one sentence, on which the GM has the last word.

    tests.advantage.one_claim_per_test: the player is asked once. A claim that the other side's
    position balances is simply not granted (tests.advantage.offset_by_target,
    tests.amb.advantage_both_sides). What it is worth depends on the edition
    (gold.diff.advantage_dice).
    """
    claim = yield from ask(
        seat,
        "advantage",
        f"{whose}, {tested.name}: advantage" if folded else "Advantage, in one sentence",
        Text(default="", longest=200),
        because="tests.advantage.one_sentence",
        kind="aside" if folded and not newly else "offered",
        standing=folded,
    )
    if not claim:
        return (yield from _played_well()) if social else ()
    if re.search(r"[.!?;]\s+\S", claim):
        raise BadInput("advantage", claim, "one clear sentence", "tests.advantage.one_sentence")
    if played.most_advantage_dice > 1:
        return (yield from _sized(claim, played.most_advantage_dice))
    granted = yield from consent(
        GM, "grant_advantage", f"Advantage: {claim}", because="tests.advantage.gm_final"
    )
    return (Line(1, "advantage", "tests.advantage.one_die"),) if granted else ()


def _sized(claim: str, most: int) -> Step[tuple[Line, ...]]:
    """The one advantage, from the situation or a trait, is worth one die or two.

    gold.dice.advantage. The GM decides the size (gold.amb.advantage_size); what a die trait adds
    by its own text is no advantage and comes on top.
    """
    rule = "gold.dice.advantage"
    dice = yield from ask(
        GM,
        "advantage_dice",
        f"Dice for the advantage: {claim}",
        Number(least=0, most=most, default=1),
        because=rule,
        kind="consent",
    )
    return (Line(dice, "advantage", rule),) if dice else ()


def _played_well() -> Step[tuple[Line, ...]]:
    """A social skill may earn the die by the way it was played (tests.advantage.social)."""
    played_well = yield from confirm_aside(
        GM,
        "played_well",
        "Did good roleplaying earn the advantage die?",
        because="tests.advantage.social",
    )
    return (Line(1, "played well", "tests.advantage.social"),) if played_well else ()


def gm_advantage(
    played: Edition = REVISED, whose: str = "", *, lasting: bool = False
) -> Step[tuple[Line, ...]]:
    """The GM may add dice for a strong position; the limit of one binds only the player's claim.

    In the later edition several advantages never add up (gold.dice.advantage).
    """
    if not played.gm_adds_advantages:
        return ()
    dice = yield from ask(
        GM,
        "gm_advantage",
        "Extra dice for a strong position" + (f" ({whose})" if whose else ""),
        Number(least=0, most=10, default=0),
        because="tests.advantage.gm_may_add",
        kind="aside",
        standing=lasting,
    )
    return (Line(dice, "strong position", "tests.advantage.gm_may_add"),) if dice else ()


def trait_bonus(whose: str, tested: Rated) -> Step[tuple[Line, ...]]:
    """The dice in brackets of a stat block, where the GM says that the trait behind them applies.

    rogues.amb.bracketed_values.
    """
    dice = tested.ability.bonus
    if not dice:
        return ()
    rule = "rogues.amb.bracketed_values"
    applies = yield from confirm(
        GM,
        "trait_bonus",
        f"Does the trait behind {whose}'s {tested.name} apply? +{dice}D",
        default=False,
        because=rule,
        kind="offered",
    )
    return (Line(dice, "trait", rule),) if applies else ()


def in_their_situation(tester: Tester, *, lasting: bool = False) -> Step[Tester]:
    """The tester with those die traits idle of which the GM says that it is not their situation.

    beliefs.trait.die.constant: such a trait needs nothing beyond its own conditions.
    """
    idle = tester.idle
    for trait in situational(tester):
        works = yield from confirm(
            GM,
            "trait_applies",
            f"Does the trait {trait.name} apply here? ({trait.situation})",
            default=True,
            because="beliefs.trait.die.constant",
            kind="consent",
            standing=lasting,
        )
        if not works:
            idle += (trait.name,)
    return msgspec.structs.replace(tester, idle=idle) if idle else tester


# --- Disadvantage --------------------------------------------------------------------------

SOURCES = {
    "haste": "moving in haste",
    "darkness": "dim light or darkness",
    "smoke": "smoke",
    "noise": "wind or other noise",
    "slippery": "slippery ground",
    "language": "poor command of the language",
    "dress": "unsuitable dress",
    "encumbrance": "carrying something or somebody",
}
"""The listed sources of disadvantage (tests.disadvantage.sources); the GM may name others."""


def sources() -> tuple[Option, ...]:
    """The listed sources of disadvantage, to choose from."""
    return tuple(
        Option(key=key, label=label, rule="tests.disadvantage.sources")
        for key, label in SOURCES.items()
    )


def disadvantage(key: str) -> Line:
    """One of them, or what the GM calls it: each adds 1 to the obstacle."""
    return Line(1, SOURCES.get(key, key), "tests.disadvantage.cumulative")


def disadvantages(
    whose: str, *, lasting: bool = False, folded: bool = False
) -> Step[tuple[Line, ...]]:
    """The GM names every disadvantage of a character (tests.disadvantage.gm_must_raise).

    Each adds 1 to the obstacle; they add up without limit (tests.disadvantage.cumulative). The
    question says whose they are, since several characters may be asked about before one roll.
    """
    chosen = yield from ask(
        GM,
        "disadvantages",
        f"Disadvantages ({whose})",
        PickSeveral(options=sources(), write_in=True, default=()),
        because="tests.disadvantage.gm_must_raise",
        kind="aside" if folded else "offered",
        standing=lasting,
    )
    return tuple(disadvantage(key) for key in chosen)


def infamy(
    reputations: tuple[SocialStanding, ...],
    played: Edition,
    *,
    social: bool,
    lasting: bool = False,
) -> Step[tuple[Line, ...]]:
    """An infamous reputation that bears on a social test: an obstacle for each of its dice.

    gold.ob.infamous, gold.diff.infamous_ob; the GM says whether it does
    (gold.amb.infamous_size), of a conflict once for all of it (``lasting``). Searches by Circles
    reckon with it themselves.
    """
    infamous = tuple(each for each in reputations if each.infamous)
    if not (played.infamy_on_social_tests and social and infamous):
        return ()
    rule = "gold.ob.infamous"
    options = tuple(
        Option(each.name, each.name, rule, note=f"+{played.standing_dice(each.dice)} Ob")
        for each in infamous
    )
    chosen = yield from ask(
        GM,
        "infamy_bears",
        "Infamous reputations that count here",
        PickSeveral(options=options, default=()),
        because=rule,
        standing=lasting,
    )
    return tuple(
        Line(played.standing_dice(each.dice), f"infamous: {each.name}", rule)
        for each in infamous
        if each.name in chosen
    )


# --- Carefully, patiently, quickly ---------------------------------------------------------


def methods() -> dict[str, Record]:
    """The four methods (tests.method.four) and what each does, from the catalogue."""
    return {row.text("method"): row for row in catalogue().table("tests.table.methods").records()}


def carefully(
    seat: Seat,
    seconds: int,
    options: Options,
    played: Edition = REVISED,
    *,
    of_any_length: bool = False,
) -> Step[tuple[Line, ...]]:
    """Working carefully: a die, for half as much time again, declared before the roll.

    tests.method.carefully_declared_first; tests.amb.careful_without_time_pressure: it needs a
    stated duration, or at some tables the GM's permission. In the later edition it takes no time
    as such, so that a test ``of_any_length`` can be made carefully (gold.dice.carefully).
    """
    kind: AskKind = "offered"
    if not seconds and of_any_length and not played.careful_takes_longer:
        kind = "aside"
    elif not seconds:
        if options["tests_careful_on_instantaneous"] == "not_available":
            return ()
        agreed = yield from confirm_aside(
            GM,
            "careful_allowed",
            "The test is instantaneous. Allow working carefully?",
            because="tests.amb.careful_without_time_pressure",
        )
        if not agreed:
            return ()
    longer = "half as much time again, and " if played.careful_takes_longer else ""
    careful = yield from confirm(
        seat,
        "carefully",
        f"Work carefully? +1D, {longer}time has run out if it fails",
        default=False,
        because="tests.method.carefully_declared_first",
        kind=kind,
    )
    dice = methods()["carefully"].number("dice")
    return (Line(dice, "working carefully", "tests.method.carefully_die"),) if careful else ()


def time_threat(played: Edition) -> Step[str]:
    """What else a failed careful test will cost, announced before the roll.

    gold.dice.carefully: the price of the die is a consequence to do with time, and nothing more
    (gold.diff.carefully_time). In the Revised Edition the GM decides when time has run out.
    """
    if played.careful_takes_longer:
        return ""
    threat: str = yield from ask(
        GM,
        "time_threat",
        "If careful work fails, what else does the lost time cost?",
        Text(required=True, default="too much time has been lost"),
        because="gold.dice.carefully",
        kind="aside",
    )
    return threat


def allocate(seat: Seat, extra: int, *, matters: bool = True) -> Step[tuple[int, int]]:
    """After the roll the player splits the extra successes between quality and speed.

    tests.method.patiently_after_roll, tests.method.quickly_after_roll. Each is spent once
    (tests.method.each_success_once), in any split and together with careful work
    (tests.method.combine, tests.method.announce_allocation); what is not allotted has no
    special use. It ``matters`` where time can be saved or a skill has a use for quality.
    """
    if not extra:
        return 0, 0
    patiently = Option(key="patiently", label="Quality", rule="tests.method.patiently_quality")
    quickly = Option(key="quickly", label="Speed", rule="tests.method.quickly_time")
    split = yield from ask(
        seat,
        "allocate",
        f"{counted(extra, 'extra success')}: how many into quality, how many into speed?",
        Split(amount=extra, pools=(patiently, quickly), all_of_it=False, default=(0, 0)),
        because="tests.method.announce_allocation",
        kind="offered" if matters else "aside",
    )
    return split[0], split[1]


LONGEST_CUT = 9
"""Time is never cut by more than nine tenths (tests.amb.time_arithmetic)."""


def time_taken(seconds: int, *, careful: bool, quickly: int) -> int:
    """The time a test takes in the end.

    Half as much again for careful work (tests.method.carefully_time), a tenth of the whole
    less for each success put into speed (tests.method.quickly_time, tests.amb.time_arithmetic).

    >>> time_taken(3600, careful=True, quickly=2)
    4320
    """
    time = Fraction(seconds) * (1 + _part_of_time("carefully") if careful else 1)
    return round(time * (1 + _part_of_time("quickly") * min(quickly, LONGEST_CUT)))


def _part_of_time(method: str) -> Fraction:
    """By which part of the whole a method changes the time, as the catalogue has it."""
    return Fraction(methods()[method].number("time_percent"), 100)


def time_guideline(category: str) -> str:
    """How long tests of a kind of ability usually take (tests.time.real_world_analogy).

    >>> time_guideline("Martial")
    'nearly always instantaneous'
    """
    # tests.amb.time_missing_category: artisans take their time as craftsmen do.
    wanted = "Craftsman" if category == "Artisan" else category
    rows = catalogue().table("tests.table.time_guidelines").records()
    found = [
        str(row["time"])
        for row in rows
        if wanted and str(row["kind_of_ability"]).startswith(wanted)
    ]
    return "; or ".join(found)
