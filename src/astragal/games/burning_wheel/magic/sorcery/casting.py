"""The casting test: intent and spell, method and area, and the dice of Sorcery and Will.

What is declared comes first (sorcery.sequence.declare); Tax and everything after it is in
``raising``.
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Shaded
from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Arguments
from astragal.play import GM, Line, Seat, Step, Tally, Text, ask, choose, confirm, note, tell

from ...artha import on_a_roll as artha
from ...artha.aristeia import for_the_goal, lightened
from ...artha.bearing_pain import PainLeft, bear_pain
from ...artha.before_the_roll import before_roll
from ...conditions.every_test import conditions_on, obstacle_lines
from ...conditions.lines import Lines, Tester
from ...conditions.prayers import prayers_on_test
from ...conditions.spell_tax import dice_gone, spells_on_test, will_left
from ...conditions.traits import trait_dice
from ...conditions.wounds import pain_on_both
from ...sheet.editions import edition
from ...sheet.facts import IntentDeclared
from ...sheet.scene import BurningTable
from ...sheet.sheet import Rated, Sheet, gear_in_use, stat_names
from ...sheet.spells import Idiom, Spell, SpellStage
from ...tests.attempts import Attempt
from ...tests.circumstances import (
    claim_advantage,
    disadvantages,
    gm_advantage,
    in_their_situation,
)
from ...tests.gear import gear_dice, gear_obstacle
from ...tests.helping import Helper, check_helpers, gather_help, help_dice
from ...tests.intent import LONGEST_WORDS, Agreement
from ...tests.partial_records import complete
from .casting_time import timing_of
from .methods import CastingMethod, MethodEffect
from .obstacle import casting_obstacle, check_area, spell_obstacle
from .reach import check_reach, check_targets
from .spell_tables import casting_skill, check_gifted, spell_of

TAXED = ("Will", "Forte", "Health")
"""What every caster needs besides the skill: for the roll, for Tax, and to recover from it."""


class SpellAvoidance(Arguments, frozen=True):
    """A target who Avoids a spell in a Fight!, and the successes of the Avoid."""

    character: str
    successes: int = 0


class CastSpell(Arguments, frozen=True):
    """Who casts which spell, what for, at whom and how.

    ``obstacle`` is picked where the spell has several; ``wider`` are the increments by which its
    area is enlarged; ``steps`` the bonus dice of a method, or the actions that haste takes off.
    ``skill`` is what it is cast with, ``helpers`` and ``gear`` what is brought to it. In a
    scripted conflict ``avoided`` says that the caster Avoids in the same volley, ``avoids`` which
    targets do, and ``in_script`` that the conflict counts hesitation and sees who is reached.
    """

    character: str
    spell: str
    intent: str = ""
    targets: tuple[str, ...] = ()
    obstacle: int = 0
    wider: int = 0
    method: CastingMethod = CastingMethod.NORMALLY
    steps: int = 0
    skill: str = "Sorcery"
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    avoided: bool = False
    avoids: tuple[SpellAvoidance, ...] = ()
    in_script: bool = False


class NaturalDefense(msgspec.Struct, frozen=True, cache_hash=True):
    """One way in which a target can keep his feet in a conflict, and what that does to the roll."""

    character: str
    ability: str
    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()


class DeclaredSpell(msgspec.Struct, frozen=True, cache_hash=True):
    """A casting once spell, method and area are settled.

    ``own`` is the spell's own obstacle, ``obstacle`` that of the casting before circumstances.
    ``dice`` and ``forte`` are what a conflict does to the dice of the casting and to those of Tax,
    ``natural`` the Natural Defenses that those have there whom a spell throws.
    """

    arguments: CastSpell
    spell: Spell
    own: Line
    method: MethodEffect
    obstacle: Tally
    dice: tuple[Line, ...] = ()
    forte: tuple[Line, ...] = ()
    natural: tuple[NaturalDefense, ...] | None = None


# --- What is declared ----------------------------------------------------------------------


def declare_spell(
    arguments: CastSpell, table: BurningTable
) -> Step[tuple[DeclaredSpell, BurningTable]]:
    """Declare intent and spell, then method and area; the spell is the task.

    sorcery.sequence.declare; in a script the spell is written down instead of being announced. All
    of it comes before the roll (sorcery.sequence.full_order).
    """
    check_gifted(table.character(arguments.character))
    table = yield from complete(table, (arguments.character,), TAXED)
    sheet = table.character(arguments.character)
    spell = spell_of(sheet, arguments.spell)
    check_may_cast(arguments, spell, sheet)
    check_targets(spell, arguments.character, arguments.targets, table)
    _check_avoids(arguments)
    check_area(spell, arguments.wider)
    check_helpers(arguments.character, arguments.helpers, table)
    seat = sheet.seat(arguments.character)
    # The stat of somebody out of reach is known to a conflict alone.
    said = arguments.obstacle if arguments.in_script or not spell.target_stat else 0
    own, table = yield from spell_obstacle(spell, said, arguments.targets, sheet, seat, table)
    method = timing_of(arguments.method, arguments.steps, spell, own.amount, sheet, arguments.skill)
    arguments = yield from _with_intent(arguments, seat)
    if not arguments.in_script:
        yield from check_reach(spell, arguments.character, arguments.targets, table)
    table = yield from _idiom(arguments.character, table)
    obstacle = casting_obstacle(own, spell, arguments.wider, method, arguments.avoided)
    task = f"casts {spell.name}"
    skill = casting_skill(sheet, arguments.skill)
    yield from tell(IntentDeclared(sheet.name, arguments.intent.strip(), task, str(skill)))
    return DeclaredSpell(arguments, spell, own, method, obstacle), table


def _with_intent(arguments: CastSpell, seat: Seat) -> Step[CastSpell]:
    """The intent, which may also be said at the table; a script has only the spell.

    sorcery.sequence.declare.
    """
    if arguments.intent.strip() or arguments.in_script:
        return arguments
    question = Text(default="", longest=LONGEST_WORDS)
    rule = "sorcery.sequence.declare"
    intent = yield from ask(seat, "intent", "Intent", question, because=rule)
    return msgspec.structs.replace(arguments, intent=intent)


def check_may_cast(arguments: CastSpell, spell: Spell, sheet: Sheet) -> None:
    """Refuse what somebody cannot cast just now, whatever its targets are."""
    if len(arguments.intent.strip()) > LONGEST_WORDS:
        expected = f"the intent, in at most {LONGEST_WORDS} characters"
        raise BadInput("intent", arguments.intent, expected, "sorcery.sequence.declare")
    casting_skill(sheet, arguments.skill)
    for name in TAXED:
        sheet.ability(name, f"{'stats' if name in stat_names() else 'attributes'}.{name}")
    if spell.stage is SpellStage.UNREAD:
        what = f"{sheet.name} has not understood {spell.name} yet: pass its First Reading first"
        raise NotAllowed(what, "sorcery.learn.first_reading.failure")
    if spell.duration == "Sustained":
        check_may_sustain(sheet)
    names = {each.name.casefold() for each in sheet.sustained}
    if spell.name.casefold() in names:
        what = f"{sheet.name} is already sustaining {spell.name}: drop it first"
        raise NotAllowed(what, "sorcery.sustain.limit")


def check_may_sustain(sheet: Sheet) -> None:
    """One Will die must always remain (sorcery.sustain.limit)."""
    if will_left(sheet) <= 1:
        held = len(sheet.sustained)
        what = f"{sheet.name} can sustain only {held} spells with Will {held + will_left(sheet)}"
        raise NotAllowed(f"{what}: drop one first", "sorcery.sustain.limit")


def _check_avoids(arguments: CastSpell) -> None:
    for index, avoid in enumerate(arguments.avoids):
        place = f"avoids[{index}]"
        if avoid.character not in arguments.targets:
            expected = "one of the targets"
            raise BadInput(
                f"{place}.character", avoid.character, expected, "sorcery.amb.destroy_hit_and_armor"
            )
        check_between(f"{place}.successes", avoid.successes, 0, 30)


def _idiom(character: str, table: BurningTable) -> Step[BurningTable]:
    """Casting is open: whole words or large movements (sorcery.idiom.not_concealable).

    Which of the two is the player's choice, once and for ever (sorcery.idiom.choice).
    """
    sheet = table.character(character)
    if sheet.idiom is Idiom.UNKNOWN:
        rule = "sorcery.idiom.choice"
        ways = {Idiom.SPEECH.value: "Incantation, clearly spoken", Idiom.GESTURE.value: "Gesture"}
        chosen = yield from choose(
            sheet.seat(character), "idiom", "Casting idiom, for good", ways, because=rule
        )
        table = yield from table.amend(character, "idiom", Idiom(chosen), because=rule)
    spoken = table.character(character).idiom is Idiom.SPEECH
    how = "speaks the whole spell clearly" if spoken else "makes large and complex gestures"
    yield from note(f"{sheet.name} {how}, for all to see.", "sorcery.idiom.not_concealable")
    return table


# --- Dice and obstacle ---------------------------------------------------------------------


def prepare_casting(declared: DeclaredSpell, table: BurningTable) -> Step[tuple[Attempt, Tally]]:
    """Gather the dice of a casting, and the circumstances that raise its obstacle.

    The skill and Will are one pool (sorcery.cast.pool), open-ended with all its dice
    (sorcery.cast.open_ended); no FoRKs (sorcery.cast.no_forks). Each die has the shade of the
    ability it comes from (sorcery.amb.mixed_shades).
    """
    arguments = declared.arguments
    character = arguments.character
    sheet = table.character(character)
    seat, played = sheet.seat(character), edition(table.options)
    skill = lightened(table, character, casting_skill(sheet, arguments.skill))
    will = lightened(table, character, sheet.ability("Will"))
    scripted = arguments.in_script
    idle = yield from _idle_traits(character, (skill, will), table, lasting=scripted)
    pain = yield from _conditions(character, skill, will, table, idle)
    gear = gear_in_use(sheet, arguments.gear)
    against = yield from disadvantages(sheet.name, lasting=scripted, folded=scripted)
    against += obstacle_lines(pain.conditions)
    against += gear_obstacle(gear, against)

    dice = Tally.of(skill.exponent, skill.name, "sorcery.cast.pool")
    dice += Line(will.exponent, will.name, "sorcery.cast.pool")
    for each in pain.conditions:
        dice += each.dice
    dice += declared.dice
    whose = sheet.name if scripted else ""
    dice += yield from claim_advantage(seat, skill, played, whose=whose, folded=scripted)
    dice += yield from gm_advantage(played, whose, lasting=scripted)
    helpers = yield from _help(character, skill, arguments.helpers, table)
    dice += tuple(help_dice(helper.helping) for helper in helpers)
    if declared.method.cast_dice:
        dice += Line(declared.method.cast_dice, "carefully", "sorcery.method.carefully")
    lines, from_gear = gear_dice(gear, skill)
    dice += lines
    # One of the two abilities may be doubled, not both (artha.divine_inspiration.sorcery), and of
    # Will what is not set aside (sorcery.cast.pool).
    gone = dice_gone(Tester(character, will, table))
    boost = yield from before_roll(seat, skill, pain.hand, beside=will, gone=gone, played=played)
    inspired = sum(line.amount for line in boost.lines if line.label.endswith(f": {will.name}"))
    besides = sum(line.amount for line in _of_will(character, will, table, idle))
    of_will = min(will.exponent + besides, dice.total - from_gear.total)
    attempt = Attempt(
        agreed=Agreement(character, arguments.intent, f"casts {declared.spell.name}", skill),
        seat=seat,
        dice=dice,
        penalties=Tally(against),
        gear_dice=from_gear + Shaded.of(will.rating.shade, of_will + inspired),
        open_ended=OpenEnded.SIXES,
        helpers=helpers,
        careful=False,
        hand=boost.hand,
        boost=boost.lines,
        spent=boost.spent + pain.spent,
        borne=pain.spent,
        inspired=boost.inspired,
    )
    return attempt, declared.obstacle + attempt.penalties


def _idle_traits(
    character: str, abilities: tuple[Rated, ...], table: BurningTable, *, lasting: bool
) -> Step[tuple[str, ...]]:
    """The die traits for any of these abilities whose situation it is not."""
    idle: tuple[str, ...] = ()
    for rated in abilities:
        tester = Tester(character, rated, table, idle=idle)
        idle = (yield from in_their_situation(tester, lasting=lasting)).idle
    return idle


def _conditions(
    character: str, skill: Rated, will: Rated, table: BurningTable, idle: tuple[str, ...]
) -> Step[PainLeft]:
    """What conditions do to a casting: wounds once for both abilities, all else to each of the two.

    sorcery.amb.wound_dice_on_casting.
    """
    sheet = table.character(character)
    tester = yield from for_the_goal(Tester(character, skill, table, idle=idle))
    dice, obstacle = pain_on_both(table, character, skill, will, for_goal=tester.for_goal)
    on_skill = conditions_on(tester)
    conditions = tuple(each for each in on_skill if not each.pain)
    conditions += (Lines(dice, obstacle, pain=True), Lines(_of_will(character, will, table, idle)))
    return (
        yield from bear_pain(sheet.seat(character), conditions, artha.hand(sheet, skill), table)
    )


def _of_will(
    character: str, will: Rated, table: BurningTable, idle: tuple[str, ...]
) -> tuple[Line, ...]:
    """The dice that Will brings to a casting besides its own, or leaves out of it.

    Those set aside (sorcery.sustain.will_die), and what traits, prayers and spells add to it
    (beliefs.trait.die.constant, faith.prayer.blessing, faith.prayer.aid).
    """
    tester = Tester(character, will, table)
    given = trait_dice(tester.sheet, will.name, idle) + prayers_on_test(tester).dice
    return spells_on_test(tester).dice + given


def _help(
    character: str, skill: Rated, helpers: tuple[str, ...], table: BurningTable
) -> Step[tuple[Helper, ...]]:
    """Help is frowned upon: only if the GM allows it (sorcery.cast.help_discouraged)."""
    if not helpers:
        return ()
    allowed = yield from confirm(
        GM,
        "allow_casting_help",
        "Allow help with a casting?",
        default=False,
        because="sorcery.cast.help_discouraged",
    )
    return (yield from gather_help(character, skill, helpers, table)) if allowed else ()
