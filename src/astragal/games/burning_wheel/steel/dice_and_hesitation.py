"""The dice and the obstacle of a Steel test: hesitation, conditions, advantages.

The test itself is in ``steel/steel``.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from astragal.dice import Shaded
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments
from astragal.play import GM, Line, Number, Option, PickSeveral, Seat, Step, Tally, ask, confirm
from astragal.rules import Options, catalogue

from ..artha import on_a_roll as artha
from ..artha.aristeia import for_the_goal
from ..artha.bearing_pain import PainLeft, bear_pain
from ..artha.before_the_roll import Boost, before_roll
from ..conditions.every_test import conditions_on, obstacle_lines
from ..conditions.lines import Lines, Tester
from ..conditions.traits import trait_hesitation
from ..conditions.wounds import in_aura
from ..conditions.wounds import pain as pain_of
from ..sheet.catalogue_keys import key_of
from ..sheet.editions import REVISED, Edition, edition
from ..sheet.parts import Artha, PrintedHesitation
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet
from ..tests.attempts import Attempt, nature
from ..tests.circumstances import (
    claim_advantage,
    disadvantages,
    gm_advantage,
    in_their_situation,
)
from ..tests.helping import Helper, gather_help, help_dice
from ..tests.intent import ALONE, Agreement


class Cause(Enum):
    """The causes of a Steel test: three (steel.test.three_causes), or four with wonderment.

    gold.diff.steel_causes.
    """

    SURPRISE = "surprise"
    FEAR = "fear"
    PAIN = "pain"
    WONDERMENT = "wonderment"


class SteelTest(Arguments, frozen=True):
    """Who is surprised, frightened or hurt, and by what.

    ``wound_dice`` and ``superficial`` are for wounds that are not on the sheet: what they take
    off Steel, and whether one or two Superficial ones raise the obstacle; ``forced_by`` names a
    rule of another chapter that forces the test, ``added`` what that rule adds to the obstacle,
    and ``fear_spell`` a spell or power that does nothing else. A ``plain`` test takes no
    situational modifiers at all; one ``in_script`` belongs to a scripted conflict, which counts
    hesitation in its own way: no heartbeats stay in the scene, and nothing rides. ``opponent`` is
    the character's opponent in close combat, ``weapon`` what the character holds.
    """

    character: str
    cause: Cause
    source: str
    forced_by: str = ""
    fear_spell: bool = False
    wound_dice: int = 0
    superficial: bool = False
    opponent: str = ""
    weapon: str = ""
    helpers: tuple[str, ...] = ()
    added: int = 0
    plain: bool = False
    in_script: bool = False


ADDED = {"duel_of_wits.lose.steel_obstacle": "below zero"}
"""What a rule of another chapter adds to the obstacle."""


# --- Hesitation and dice -------------------------------------------------------------------


MOST_HESITATION = 10
"""10 less Will at its least (steel.hesitation.base)."""


def hesitation(
    sheet: Sheet, played: Edition = REVISED, cause: Cause = Cause.SURPRISE
) -> Line | None:
    """How long the character would hesitate: 10 minus the Will exponent, never below 0.

    steel.hesitation.base, for lighter shades shades.will.hesitation_gray and
    shades.will.hesitation_white; steel.amb.zero_hesitation. It is the Will on the sheet, whatever
    wounds do to it (steel.amb.will_with_wounds). The later edition knows no shades here
    (gold.diff.steel_gray_will). None where the sheet has no Will.

    What a stat block prints counts all the same, whatever Will gives (rogues.burned.hesitation);
    of two numbers, that for pain is for pain alone (rogues.burned.split_hesitation).
    """
    if sheet.hesitation is not None:
        printed = sheet.hesitation
        if printed.surprise == printed.pain:
            return Line(printed.pain, "hesitation", "rogues.burned.hesitation")
        pain = cause is Cause.PAIN
        label = f"hesitation ({'pain' if pain else 'surprise'})"
        base = printed.pain if pain else printed.surprise
        return Line(base, label, "rogues.burned.split_hesitation")
    will = sheet.find("Will")
    if will is None or not will.exponent:
        return None
    shade = will.rating.shade.value if played.light_will_steadies else "black"
    table = catalogue().table("steel.table.hesitation")
    rule = "steel.hesitation.base" if shade == "black" else f"shades.will.hesitation_{shade}"
    base = table.number(shade, will_exponent=will.exponent)
    return Line(base, f"hesitation (Will {will.rating})", rule)


def settle_hesitation(table: BurningTable, character: str) -> Step[BurningTable]:
    """The hesitation of a character without Will, from the GM: once, for it stays on the sheet."""
    sheet = table.character(character)
    if hesitation(sheet) is not None:
        return table
    rule = "steel.hesitation.base"
    base = yield from ask(
        GM,
        "hesitation",
        f"Hesitation of {sheet.name} (who has no Will)",
        Number(least=0, most=MOST_HESITATION),
        because=rule,
    )
    written = PrintedHesitation(surprise=base, pain=base)
    return (yield from table.amend(character, "hesitation", written, because=rule))


def own_hesitation(
    sheet: Sheet, played: Edition, cause: Cause, idle: tuple[str, ...] = ()
) -> Tally:
    """The hesitation of a character with what traits do to it, and nothing of the situation."""
    line = hesitation(sheet, played, cause)
    if line is None:
        raise BadInput("stats.Will", None, "Will on the sheet", "steel.hesitation.base")
    return Tally((line,)) + trait_hesitation(sheet, idle)


def prepare_steel(
    arguments: SteelTest, sheet: Sheet, steel: Rated, table: BurningTable
) -> Step[tuple[Attempt, Tally]]:
    """Dice and obstacle: like those of any ability, but without FoRKs.

    steel.test.like_other_abilities, steel.test.no_forks, steel.test.obstacle_is_hesitation.
    """
    seat = sheet.seat(arguments.character)
    played = edition(table.options)
    tester = yield from in_their_situation(Tester(arguments.character, steel, table))
    tester = yield from for_the_goal(tester)
    pain = yield from _pain(arguments, seat, sheet, tester)
    obstacle = own_hesitation(sheet, played, arguments.cause, tester.idle)
    obstacle += obstacle_lines(pain.conditions)
    dice = Tally.of(steel.exponent, steel.name, "steel.test.like_other_abilities")
    dice += tuple(line for each in pain.conditions for line in each.dice)
    if arguments.added:
        label = ADDED.get(arguments.forced_by, "the cause")
        obstacle += Line(arguments.added, label, arguments.forced_by)
    plain = arguments.plain
    if not plain:
        conditions, plain = yield from steel_conditions(arguments, sheet, table.options)
        obstacle += conditions
    if not plain:
        obstacle += yield from disadvantages(sheet.name)
        dice += yield from _advantages(sheet)
        dice += yield from claim_advantage(seat, steel, played)
        dice += yield from gm_advantage(played)
    helpers = yield from _help(arguments, steel, table)
    dice += tuple(help_dice(helper.helping) for helper in helpers)
    agreed = Agreement(arguments.character, arguments.source, arguments.source, steel)
    boost = Boost((), artha.ArthaAtHand(), Artha())
    if obstacle.total:
        # Persona points are good for Steel, too (steel.amb.boon).
        boost = yield from before_roll(seat, steel, pain.hand, played=played)
    attempt = Attempt(
        agreed=agreed,
        seat=seat,
        dice=dice,
        penalties=obstacle,
        gear_dice=Shaded(),
        open_ended=nature(sheet, steel, ALONE, table, tester.idle),  # steel.test.open_ended
        helpers=helpers,
        careful=False,
        hand=boost.hand,
        boost=boost.lines,
        spent=boost.spent + pain.spent,
        borne=pain.spent,
    )
    return attempt, obstacle


def _pain(arguments: SteelTest, seat: Seat, sheet: Sheet, tester: Tester) -> Step[PainLeft]:
    """What conditions do to Steel, with the pain of wounds (steel.amb.superficial_ob).

    Those on the sheet, a new one among them, each once (injury.steel.severity_subtracted,
    injury.amb.steel_severity). They can take no more dice than there are; what is added to that
    is rolled all the same (steel.amb.zero_dice).
    """
    steel, table = tester.tested, tester.table
    dice, obstacle = pain_of(sheet)
    if arguments.superficial and not obstacle:
        obstacle = (Line(1, "Superficial wounds", "steel.amb.superficial_ob"),)
    if arguments.wound_dice:
        dice += (Line(-arguments.wound_dice, "wounds", "injury.steel.severity_subtracted"),)
    dice = _no_more_than(steel.exponent, dice)
    if tester.for_goal and in_aura(table, arguments.character):
        kept = () if edition(table.options).aura_is_for_the_goal else obstacle
        dice, obstacle = (), kept
    pain = Lines(dice, obstacle, pain=True)
    on_test = conditions_on(tester)
    conditions = tuple(pain if each.pain else each for each in on_test)
    return (yield from bear_pain(seat, conditions, artha.hand(sheet, steel), table))


def _no_more_than(there_are: int, lost: tuple[Line, ...]) -> tuple[Line, ...]:
    kept: tuple[Line, ...] = ()
    for line in lost:
        taken = min(there_are, -line.amount)
        there_are -= taken
        if taken:
            kept += (Line(-taken, line.label, line.rule),)
    return kept


ONE_CAUSE = (
    ("small_explosions", "explosions"),
    ("witnessing_pronounced_sorcery", "seeing_horrible_magic_at_work"),
    ("seeing_a_ghost", "presence_of_the_supernatural"),
)
"""Lines for one and the same cause, of which only one counts (steel.amb.disadvantages_add)."""

MAGIC = (
    "being_directly_affected_by_magic",
    "witnessing_pronounced_sorcery",
    "seeing_horrible_magic_at_work",
)
"""Magic that is met as an event, which a fear spell is not."""


def steel_conditions(
    arguments: SteelTest, sheet: Sheet, options: Options
) -> Step[tuple[tuple[Line, ...], bool]]:
    """The listed circumstances that raise the obstacle, and whether the test is a plain one.

    steel.condition.standard: some conditions are tested at the base hesitation, and no advantage
    or disadvantage counts; unless another listed circumstance is there as well
    (steel.amb.standard_conditions_and_company). steel.condition.disadvantages: others add to
    the obstacle, each cause once (steel.amb.disadvantages_add).
    """
    standard, listed = _standard(), _disadvantages()
    if arguments.fear_spell:
        # The spell itself is not magic that is met as an event
        # (steel.amb.magic_modifier_for_fear_spells).
        listed = {key: row for key, row in listed.items() if key not in MAGIC}
    chosen = yield from ask(
        GM,
        "conditions",
        f"Steel conditions ({sheet.name})",
        PickSeveral(options=(*standard.values(), *(o for o, _ in listed.values())), default=()),
        because="steel.condition.disadvantages",
    )
    lines = tuple(
        Line(listed[key][1], listed[key][0].label.casefold(), "steel.condition.disadvantages")
        for key in chosen
        if key in listed and not _outdone(key, chosen)
    )
    if arguments.fear_spell and options["steel_fear_spell_modifier"] == "plus_1_ob":
        option, obstacle = _disadvantages()[MAGIC[0]]
        rule = "steel.amb.magic_modifier_for_fear_spells"
        lines += (Line(obstacle, option.label.casefold(), rule),)
    return lines, not lines and any(key in standard for key in chosen)


def _outdone(key: str, chosen: tuple[str, ...]) -> bool:
    return any(key == lesser and greater in chosen for lesser, greater in ONE_CAUSE)


@cache
def _standard() -> dict[str, Option]:
    rows = catalogue().table("steel.table.standard_conditions").records()
    return {
        key_of(row["condition"]): Option(
            key=key_of(row["condition"]),
            label=str(row["condition"]).capitalize(),
            rule="steel.condition.standard",
            note="base hesitation; no advantages or disadvantages",
        )
        for row in rows
    }


@cache
def _disadvantages() -> dict[str, tuple[Option, int]]:
    rows = catalogue().table("steel.table.disadvantages").records()
    return {
        key_of(row["condition"]): (
            Option(
                key=key_of(row["condition"]),
                label=str(row["condition"]).capitalize(),
                rule="steel.condition.disadvantages",
                note=f"+{row['ob']} Ob",
            ),
            row.number("ob"),
        )
        for row in rows
    }


def _advantages(sheet: Sheet) -> Step[tuple[Line, ...]]:
    """The listed advantages add up (steel.condition.advantages, steel.amb.advantages_add)."""
    rows = {
        key_of(row["condition"]): row
        for row in catalogue().table("steel.table.advantages").records()
    }
    rule = "steel.condition.advantages"
    options = tuple(
        Option(key, str(row["condition"]).capitalize(), rule, note=f"+{row['dice']}D")
        for key, row in rows.items()
    )
    chosen = yield from ask(
        GM,
        "steel_advantages",
        f"Steel advantages ({sheet.name})",
        PickSeveral(options=options, default=()),
        because=rule,
    )
    return tuple(
        Line(rows[key].number("dice"), str(rows[key]["condition"]), rule) for key in chosen
    )


def _help(arguments: SteelTest, steel: Rated, table: BurningTable) -> Step[tuple[Helper, ...]]:
    """Others can hardly ever help (steel.test.help_rare, steel.amb.help)."""
    if not arguments.helpers:
        return ()
    if table.options["steel_help"] == "off":
        what = "Nobody can help with a Steel test; being among friends is an advantage"
        raise NotAllowed(what, "steel.test.help_rare")
    allowed = yield from confirm(
        GM,
        "allow_steel_help",
        "Allow help with this Steel test? (very rare)",
        default=False,
        because="steel.test.help_rare",
    )
    if not allowed:
        return ()
    return (yield from gather_help(arguments.character, steel, arguments.helpers, table))
