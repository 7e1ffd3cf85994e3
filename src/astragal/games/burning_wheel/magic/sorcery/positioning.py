"""The wizards' duel: a spell as a weapon in positioning, and who may cast after it.

The conflicts call these functions; the procedures say what comes of them.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Tally, note
from astragal.rules import Record, catalogue

from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import MEASURED, NATURAL, PERSONAL, PRESENCE, SIGHT, Spell
from .casting_time import timing_of
from .methods import CastingMethod
from .obstacle import check_area, least_obstacle
from .spell_tables import casts_with, spell_of

LONGEST, SHORTEST, NO_LENGTH = "longest", "shortest", "none"
LONGEST_BUT_MISSILES = "longest_but_missiles"
MISSILE = "missile"
PRESENCE_PACES = 10
"""How far a Presence spell reaches in Range and Cover (sorcery.duel.rc_presence)."""


class SpellConflict(Enum):
    """The conflicts in which sorcerers position."""

    FIGHT = "fight"
    RANGE_AND_COVER = "range_and_cover"


class SpellWeapon(msgspec.Struct, frozen=True):
    """A spell as a weapon (sorcery.duel.spells_are_weapons): its length in a Fight!, its dice.

    ``dice`` are range dice in Range and Cover, and bonus dice in a Fight!; ``paces`` its reach
    (0: anything in sight), ``ignores_cover`` the dice of cover that do not count against it.
    """

    length: str
    dice: Tally
    paces: int = 0
    ignores_cover: int = 0


def _form(code: str) -> Record:
    return catalogue().table("sorcery.table.positioning").where(form_code=code)


def _dice(code: str) -> int:
    return sum(map(int, _form(code).texts("dice_codes")))


def weapon_of(spell: Spell, wider: int, conflict: SpellConflict) -> SpellWeapon:
    """What a spell counts for in positioning, always at optimal range (sorcery.duel.optimal_range).

    Dice of origin and area add up (sorcery.amb.positioning_gaps).
    """
    dice = Tally(_area_dice(spell, wider))
    if conflict is SpellConflict.FIGHT:
        # Only a measured area gives bonus dice there (sorcery.amb.measured_area_in_fight).
        return SpellWeapon(fight_length(spell), dice if spell.area == MEASURED else Tally())
    if spell.area == PRESENCE:
        rule = "sorcery.duel.rc_presence_presence"
        dice += Line(_dice("personal_presence"), "Presence area", rule)
    if spell.area == NATURAL:
        dice += Line(_dice("natural_effect"), "Natural Effect", "sorcery.duel.natural_effect")
    if spell.origin == SIGHT:
        dice += Line(_dice("sight"), "Sight origin", "sorcery.duel.rc_sight")
    if spell.origin == PRESENCE:
        # Like a hurled bomb, in these three things alone (sorcery.amb.presence_bomb_properties).
        dice += Line(_dice("presence"), "Presence origin", "sorcery.duel.rc_presence")
        return SpellWeapon(NO_LENGTH, dice, PRESENCE_PACES, 1)
    return SpellWeapon(NO_LENGTH, dice)


def fight_length(spell: Spell) -> str:
    """How long a spell is as a weapon in a Fight!.

    From anything in sight it is always the longest (sorcery.duel.fight_sight), from or over the
    Presence the longest but for missiles (sorcery.duel.fight_presence), as a natural force the
    longest (sorcery.duel.natural_effect); on the caster or by touch the shortest. A measured area
    has no length of its own.
    """
    if spell.origin == SIGHT:
        code = "sight"
    elif spell.area == NATURAL:
        code = "natural_effect"
    elif spell.origin == PRESENCE:
        code = "presence_presence" if spell.area == PRESENCE else "presence"
    elif spell.area == PRESENCE:
        code = "personal_presence"
    else:
        code = "measured_area" if spell.area == MEASURED else "touch"
    return _form(code).text("length_code")


def _area_dice(spell: Spell, wider: int) -> tuple[Line, ...]:
    """The dice of a measured area: at first by its unit, more for a higher obstacle.

    sorcery.duel.measured_area_dice; the obstacle that buys them enlarges the area
    (sorcery.amb.dice_and_area_same_obstacle).
    """
    if spell.area != MEASURED:
        return ()
    table = catalogue().table("sorcery.table.measured_area_dice")
    row = table.where(area_unit=spell.unit)
    steps = wider // row.number("obstacle_per_step")
    dice = row.number("starting_dice") + steps * row.number("dice_gained_per_step")
    return (Line(dice, spell.unit, "sorcery.duel.measured_area_dice"),)


def presence_total(sheet: Sheet) -> Tally:
    """A sorcerer's Presence against another's: Will, and what strengthens or weakens it.

    sorcery.duel.presence_vs_presence.
    """
    total = Tally.of(
        sheet.ability("Will", "stats.Will").rating.exponent, "Will", "sorcery.area.presence_measure"
    )
    names = {trait.name.casefold() for trait in sheet.traits}
    names |= {skill.casefold() for skill in sheet.skills}
    for row in catalogue().table("sorcery.table.presence_modifiers").records():
        name = row.text("skill_or_trait")
        if name.casefold() in names:
            total += Line(row.number("paces"), name, "sorcery.duel.presence_vs_presence")
    return total


def length_advantage(
    mine: Spell, caster: Sheet, theirs: Spell | None, other: Sheet | None, length: str, at: str
) -> tuple[Line, ...]:
    """The dice for the longer weapon in a Fight!, against a spell or a weapon.

    Two Sight spells give nothing (sorcery.duel.fight_sight_vs_sight), Sight is longer than Presence
    (sorcery.amb.sight_vs_presence), and of two in Presence the higher total is longer
    (sorcery.duel.presence_vs_presence). Against a weapon the lengths decide, by distance
    (fight.table.length_dice); the longest of them is four steps beyond the shortest
    (sorcery.amb.steps_shortest_to_longest).
    """
    own = fight_length(mine)
    if theirs is not None and other is not None:
        return _between_spells(mine, caster, theirs, other)
    rule = "sorcery.duel.fight_sight" if own == LONGEST else "sorcery.duel.fight_presence"
    if length == MISSILE:
        return (Line(1, "longer than a missile weapon", rule),) if own == LONGEST else ()
    if own == NO_LENGTH or not length:
        return ()
    table = catalogue().table("fight.table.length_dice")
    as_weapon = LONGEST if own == LONGEST_BUT_MISSILES else own
    rows = table.all_where(own_length=as_weapon, opponent_length=length)
    dice = rows[0].number(f"dice_{at}") if rows else 0
    return (Line(dice, "longer weapon", rule),) if dice else ()


def _between_spells(mine: Spell, caster: Sheet, theirs: Spell, other: Sheet) -> tuple[Line, ...]:
    own, against = fight_length(mine), fight_length(theirs)
    if own == against == LONGEST:
        return ()
    if own == against == LONGEST_BUT_MISSILES:
        longer = presence_total(caster).total > presence_total(other).total
        rule = "sorcery.duel.presence_vs_presence"
    else:
        order = (NO_LENGTH, SHORTEST, LONGEST_BUT_MISSILES, LONGEST)
        longer = order.index(own) > order.index(against)
        rule = "sorcery.amb.sight_vs_presence"
    return (Line(1, "longer spell", rule),) if longer else ()


def faster_spell(mine: int, theirs: int) -> tuple[Line, ...]:
    """+1D for the spell that takes fewer actions (sorcery.duel.fastest_spell)."""
    faster = 0 < mine < theirs
    return (Line(1, "faster spell", "sorcery.duel.fastest_spell"),) if faster else ()


# --- The procedures ------------------------------------------------------------------------


class PositionSpell(Arguments, frozen=True):
    """Whose spell, in which conflict, against whom.

    ``casting`` says that the script of the volley has a casting action of the spell; ``wider`` is
    the obstacle bought for dice. The opponent has a spell of their own, or a weapon of some
    ``length`` (shortest to longest, or missile); ``distance`` is the fighting distance. Methods
    are declared before positioning, with their ``steps``.
    """

    character: str
    spell: str
    conflict: SpellConflict
    casting: bool = True
    wider: int = 0
    method: CastingMethod = CastingMethod.NORMALLY
    steps: int = 0
    opponent: str = ""
    opponent_spell: str = ""
    opponent_actions: int = 0
    length: str = ""
    distance: str = "outside"


class SpellPosition(Outcome, frozen=True):
    """The dice of a spell in positioning and its length; ``obstacle`` is added to the casting."""

    length: str
    dice: Tally
    obstacle: int
    actions: int
    paces: int = 0
    ignores_cover: int = 0
    presence: int = 0


DISTANCES = ("outside", "lunging", "optimal", "inside")
LENGTHS = ("", "shortest", "short", "long", "longer", "longest", MISSILE)


def position_spell(arguments: PositionSpell, table: BurningTable) -> Play[SpellPosition]:
    """What a spell adds to a positioning test.

    sorcery.duel.spells_are_weapons; only in a volley in which it is cast
    (sorcery.duel.must_cast_to_use). The method is settled before the dice are rolled
    (sorcery.method.declare_before_positioning).
    """
    sheet = table.character(arguments.character)
    spell = spell_of(sheet, arguments.spell)
    for place, found, known in (
        ("distance", arguments.distance, DISTANCES),
        ("length", arguments.length, LENGTHS),
    ):
        if found not in known:
            expected = f"one of {', '.join(filter(None, known))}"
            raise BadInput(place, found, expected, "sorcery.duel.spells_are_weapons")
    if not arguments.casting:
        what = f"{sheet.name} casts no {spell.name} in this volley, so it adds nothing"
        raise NotAllowed(what, "sorcery.duel.must_cast_to_use")
    check_area(spell, arguments.wider)
    own = least_obstacle(spell, sheet) or 1
    timing = timing_of(arguments.method, arguments.steps, spell, own, sheet, casts_with(sheet))
    yield from note(
        f"{sheet.name} casts {spell.name} {arguments.method.value.replace('_', ' ')}.",
        "sorcery.method.declare_before_positioning",
    )
    weapon = weapon_of(spell, arguments.wider, arguments.conflict)
    other = table.character(arguments.opponent, "opponent") if arguments.opponent else None
    theirs = (
        spell_of(other, arguments.opponent_spell, "opponent_spell")
        if other is not None and arguments.opponent_spell
        else None
    )
    dice = weapon.dice + faster_spell(timing.actions, arguments.opponent_actions)
    if arguments.conflict is SpellConflict.FIGHT:
        dice += length_advantage(spell, sheet, theirs, other, arguments.length, arguments.distance)
    return SpellPosition(
        length=weapon.length,
        dice=dice,
        obstacle=arguments.wider,
        actions=timing.actions,
        paces=weapon.paces,
        ignores_cover=weapon.ignores_cover,
        presence=presence_total(sheet).total if _in_presence(spell) else 0,
    )


def _in_presence(spell: Spell) -> bool:
    return spell.origin == PRESENCE or (spell.origin in (PERSONAL, "") and spell.area == PRESENCE)


class SpellAfterPositioning(Arguments, frozen=True):
    """Who positioned in which conflict, and by how many successes: below zero for a defeat.

    ``duck`` is for a tie: to duck instead of casting.
    """

    character: str
    conflict: SpellConflict
    margin: int
    duck: bool = False


class SpellChance(Outcome, frozen=True):
    """Whether a spell may be cast, the successes it costs and those left for other actions.

    ``opponent_obstacle`` is what ducking adds to the opponent's shot or casting.
    """

    may_cast: bool
    cost: int = 0
    left: int = 0
    opponent_obstacle: int = 0


def spell_after_positioning(
    arguments: SpellAfterPositioning, table: BurningTable
) -> Play[SpellChance]:
    """Whether a sorcerer may cast after the positioning test."""
    name = table.character(arguments.character).name
    chance, rule = spell_chance(arguments.conflict, arguments.margin, duck=arguments.duck)
    text = f"{name} may cast." if chance.may_cast else f"{name} may not cast in this volley."
    yield from note(text, rule)
    return chance


def spell_chance(conflict: SpellConflict, margin: int, *, duck: bool) -> tuple[SpellChance, str]:
    """Who may cast after positioning, and the rule.

    In a Fight! win or lose (sorcery.duel.fight_win_or_lose). In Range and Cover the winner spends
    one success, for one spell in a volley (sorcery.duel.rc_win_spend_to_cast), and may buy other
    actions with the rest (sorcery.duel.rc_other_actions); the loser does not cast
    (sorcery.duel.rc_lose); on a tie both act, casting or ducking (sorcery.duel.rc_tie).
    """
    if conflict is SpellConflict.FIGHT:
        return SpellChance(True), "sorcery.duel.fight_win_or_lose"
    if margin > 0:
        return SpellChance(True, 1, margin - 1), "sorcery.duel.rc_win_spend_to_cast"
    if margin < 0:
        return SpellChance(False), "sorcery.duel.rc_lose"
    ducking = SpellChance(False, opponent_obstacle=1)
    return ducking if duck else SpellChance(True), "sorcery.duel.rc_tie"


PROCEDURES = (
    Procedure("position_spell", "A spell in positioning", PositionSpell, position_spell),
    Procedure(
        "spell_after_positioning",
        "Casting after positioning",
        SpellAfterPositioning,
        spell_after_positioning,
        gm_only=True,
    ),
)
