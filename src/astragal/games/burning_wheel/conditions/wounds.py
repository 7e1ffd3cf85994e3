"""What wounds do to a character: penalties, zero skills, incapacitation.

All of it follows from the wounds on the sheet, so that every later roll has their lines without
anybody having to remember them. How a wound comes about is in
``injury/injury``, how it bleeds in
``injury/bleeding``.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Any

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.play import Change, Line, Step, change, note
from astragal.rules import Options

from ..sheet.editions import edition
from ..sheet.parts import AbilityKind, Tolerances, Trait, Wound, WoundLevel
from ..sheet.ratings import STEPS, Coordinate
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet, dice_of, superficials_in_a_set
from .lines import Lines, Tester

LEVELS = tuple(WoundLevel)

MENTAL = ("Perception", "Will")
"""The stats without which there is no thought (injury.zero.mental)."""


# --- Registering a wound -------------------------------------------------------------------


def level_at(tolerances: Tolerances, step: Coordinate) -> WoundLevel | None:
    """The level of a wound at a step: the highest tolerance at or to the left of it.

    injury.register.level; between two tolerances it is the lesser one (injury.register.between),
    at the last one or anywhere past it a Mortal Wound (injury.register.mortal_or_beyond). None
    to the left of them all: a scratch without effect (injury.register.left_of_superficial).
    W16 is a Mortal Wound for everyone (shades.ptgs.w16_mortal).
    """
    if str(step) == "W16":
        return WoundLevel.MORTAL
    reached = [level for level in LEVELS if tolerances.of(level) <= step]
    return reached[-1] if reached else None


def tolerances_of(sheet: Sheet, options: Options) -> Tolerances | None:
    """The tolerances on a sheet, as the group reads a block without a Traumatic step.

    rogues.amb.gate_forger_mortal: a Mortal Wound one step below what the tolerances say is where
    they end, or all of them are one step lower.
    """
    steps = sheet.tolerances
    if steps is None or steps.traumatic != steps.mortal:
        return steps
    if options["rogues_gate_forger_tolerances"] == "printed_with_mortal_b9":
        return steps
    fields = (level.value.casefold() for level in LEVELS if level is not WoundLevel.MORTAL)
    lower = {field: Coordinate(getattr(steps, field).place - 1) for field in fields}
    return msgspec.structs.replace(steps, **lower)


def softened(sheet: Sheet, step: Coordinate) -> tuple[Coordinate | None, tuple[Trait, ...]]:
    """Where a wound is marked on a body with iron scales, and the traits that lower it.

    rogues.burned.iron_scales: each lowers the number within its shade, and what is left of
    nothing is no wound (rogues.amb.iron_scales_scope).
    """
    traits = tuple(trait for trait in sheet.traits if trait.softens)
    number = (step.place - 1) % STEPS + 1 - sum(trait.softens for trait in traits)
    lowered = Coordinate(step.place - sum(t.softens for t in traits)) if number > 0 else None
    return lowered, traits


def lesser(level: WoundLevel) -> WoundLevel | None:
    """The next level down, or None below Superficial."""
    at = LEVELS.index(level)
    return LEVELS[at - 1] if at else None


# --- Penalties -----------------------------------------------------------------------------


def dice_left(wound: Wound) -> int:
    """The dice that a wound has taken and not given back, borne or not."""
    return dice_of(wound.level) - wound.returned


def cost(wound: Wound) -> int:
    """The dice that a wound costs now; one can be borne (injury.grit.one_die_each_wound)."""
    left = dice_left(wound)
    return left - 1 if wound.borne and left else left


def wound_dice(sheet: Sheet) -> int:
    """The wound dice of all wounds together (injury.dice.cumulative).

    Each is a wound of its own, and only what they cost is added up (injury.register.separate,
    injury.register.effects_add).
    """
    return sum(cost(wound) for wound in sheet.wounds)


def pain(sheet: Sheet) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """What wounds do to a test: dice lost, a line for each wound, and obstacle added.

    The obstacle of superficial wounds is +1, whether there are one or two of them
    (injury.effect.superficial, injury.superficial.two); one that was shrugged off does not hurt
    until another comes to it (injury.cobwebs.new_superficial). Nothing on the sheet is worked out
    again for wounds (injury.dice.no_refactor).
    """
    dice = tuple(Line(-cost(w), name_of(w), _rule(w)) for w in sheet.wounds if cost(w))
    hurting = [w for w in sheet.wounds if w.level is WoundLevel.SUPERFICIAL and not w.borne]
    if not hurting:
        return dice, ()
    one = len(hurting) == 1
    label = "Superficial wound" if one else "Superficial wounds"
    rule = "injury.effect.superficial" if one else "injury.superficial.two"
    return dice, (Line(1, label, rule),)


def plain_name(wound: Wound) -> str:
    """The name of a wound, whether or not its pain is borne."""
    return "three Superficial wounds" if wound.merged else f"{wound.level.value} wound"


def name_of(wound: Wound) -> str:
    """The name of a wound, with what of its pain is borne.

    >>> name_of(Wound(WoundLevel.LIGHT, merged=True)), name_of(Wound(WoundLevel.MIDI, borne=True))
    ('three Superficial wounds', 'Midi wound, one die ignored')
    """
    name = plain_name(wound)
    if wound.borne:
        name += ", ignored" if wound.level is WoundLevel.SUPERFICIAL else ", one die ignored"
    return name


def _rule(wound: Wound) -> str:
    if wound.merged:
        return "injury.superficial.three"
    return f"injury.effect.{wound.level.value.casefold()}"


def is_usable(table: BurningTable, character: str, rated: Rated) -> bool:
    """Whether wounds leave a skill any dice: at zero it cannot even help (injury.zero.skill)."""
    if rated.kind is not AbilityKind.SKILL or in_aura(table, character):
        return True
    return rated.exponent > wound_dice(table.character(character))


# --- Condition -----------------------------------------------------------------------------


class Condition(Enum):
    """The state of a character, by wounds and by the Tax of spells."""

    FIT = "fit"
    HELPLESS = "helpless"
    UNCONSCIOUS = "unconscious"
    DYING = "dying"
    COMATOSE = "comatose"
    DEAD = "dead"
    TRANSCENDED = "gone from the world"


AWAKE = (Condition.FIT, Condition.HELPLESS)


def dice_to_fall(sheet: Sheet) -> int:
    """How many dice of wounds fell somebody: those of the lowest of all stats.

    injury.zero.stat_incapacitated; 0 where no stat is known.
    """
    return min(filter(None, _stats_left(sheet).values()), default=0)


def stats_at_zero(sheet: Sheet) -> tuple[str, ...]:
    """The stats that wound dice have brought to zero (injury.zero.stat_incapacitated).

    Forte together with the dice that Tax has taken (sorcery.amb.tax_and_wounds).
    """
    dice = wound_dice(sheet)
    if not dice:
        return ()
    left = _stats_left(sheet)
    return tuple(
        name for name, stat in sheet.stats.items() if stat.rating.exponent and left[name] <= dice
    )


def _stats_left(sheet: Sheet) -> dict[str, int]:
    """The stats as they are before wounds: all of their exponent, but for Tax."""
    left = {name: stat.rating.exponent for name, stat in sheet.stats.items()}
    return {**left, "Forte": sheet.forte_left} if "Forte" in left else left


def is_incapacitated(sheet: Sheet) -> bool:
    """Whether wound dice have brought a stat to zero; no death yet (injury.zero.not_death)."""
    return bool(stats_at_zero(sheet))


def condition(sheet: Sheet, *, lifted: bool = False) -> Condition:
    """The state of a character, by wounds and Tax; lost dice may be ``lifted``.

    With a physical stat at zero helpless but awake (injury.zero.physical), with a mental one
    unconscious (injury.zero.mental), as for the whole first stage of recovering from a Mortal
    Wound (injury.recovery.mortal_stage_one). A Mortal Wound fells at once (injury.effect.mortal,
    injury.mortal.drops); until it has been treated the character is dying. Tax that brings Forte to
    zero leaves a caster unconscious (sorcery.tax.zero_unconscious). Who has joined a god is out of
    play for good (faith.transcend.10).
    """
    if sheet.transcended:
        return Condition.TRANSCENDED
    if sheet.dead:
        return Condition.DEAD
    if sheet.comatose:
        return Condition.COMATOSE
    mortal = [w for w in sheet.wounds if w.level is WoundLevel.MORTAL]
    if mortal:
        return Condition.UNCONSCIOUS if all(w.treated for w in mortal) else Condition.DYING
    zero = () if lifted else stats_at_zero(sheet)
    taxed_out = sheet.is_taxed_out and not lifted
    if taxed_out or any(stat in MENTAL for stat in zero):
        return Condition.UNCONSCIOUS
    return Condition.HELPLESS if zero else Condition.FIT


_WHY = {
    Condition.HELPLESS: "injury.zero.physical",
    Condition.UNCONSCIOUS: "injury.zero.mental",
    Condition.DYING: "injury.effect.mortal",
    Condition.COMATOSE: "injury.fail.comatose",
    Condition.DEAD: "injury.mortal.drops",
    Condition.TRANSCENDED: "faith.transcend.10",
}


def state_of(table: BurningTable, character: str) -> Condition:
    """The state of a character as it is now: a Divine Aura brings the incapacitated up.

    artha.amb.divine_aura_scope: it ignores wound dice, but no Mortal Wound.
    """
    return condition(table.character(character), lifted=in_aura(table, character))


def check_condition(table: BurningTable, character: str, will_do: Collection[Condition]) -> None:
    """Refuse every action of a character whose state is not one in which that can be done."""
    state = state_of(table, character)
    if state not in will_do:
        sheet = table.character(character)
        raise NotAllowed(f"{sheet.name} is {state.value} and cannot act", _why(state, sheet))


def _why(state: Condition, sheet: Sheet) -> str:
    """The rule behind a state."""
    if state is Condition.UNCONSCIOUS and sheet.is_taxed_out:
        return "sorcery.tax.zero_unconscious"
    return _WHY[state]


def note_condition(before: Sheet, character: str, table: BurningTable) -> Step[BurningTable]:
    """Announce the condition of a character whose wounds have changed, if it has changed.

    An incapacitated character comes round when no stat is at zero any more (injury.zero.wakes);
    each time of being incapacitated has its own attempt to get up (injury.amb.shrug_retries).
    """
    sheet = table.character(character)
    lifted = in_aura(table, character)
    was, state = condition(before, lifted=lifted), condition(sheet, lifted=lifted)
    if is_incapacitated(sheet) != is_incapacitated(before):
        rule = "injury.amb.shrug_retries"
        table = yield from table.amend(character, "staggered", False, because=rule)
    yield from _note(was, state, sheet, "injury.zero.wakes")
    return table


def note_state(
    before: Condition, character: str, table: BurningTable, woken_by: str = "injury.zero.wakes"
) -> Step[None]:
    """Announce the state of a character if it has changed."""
    sheet = table.character(character)
    yield from _note(before, state_of(table, character), sheet, woken_by)


def _note(was: Condition, state: Condition, sheet: Sheet, woken_by: str) -> Step[None]:
    if was is state or state in (Condition.DEAD, Condition.TRANSCENDED):
        return
    if state is Condition.FIT:
        yield from note(f"{sheet.name} comes to.", woken_by)
        return
    zero = stats_at_zero(sheet) or (("Forte",) if sheet.is_taxed_out else ())
    why = f" ({', '.join(zero)} at zero)" if zero else ""
    yield from note(f"{sheet.name} is {_SAID[state]}{why}.", _why(state, sheet))


_SAID = {
    Condition.HELPLESS: "helpless, but awake",
    Condition.UNCONSCIOUS: "unconscious",
    Condition.DYING: "dying",
    Condition.COMATOSE: "in a coma for good",
}


def dies(table: BurningTable, character: str, *, because: str, how: str) -> Step[BurningTable]:
    """The end of a character."""
    name = table.character(character).name
    yield from note(f"{name} dies: {how}.", because)
    return (yield from table.amend(character, "dead", True, because=because))


def set_wound(
    table: BurningTable, character: str, index: int, *, because: str, **changes: Any
) -> Step[BurningTable]:
    """Change what is written about one wound, field by field."""
    for field, after in changes.items():
        path = f"wounds.{index}.{field}"
        table = yield from table.amend(character, path, after, because=because)
    return table


def add_wound(
    table: BurningTable, character: str, wound: Wound, *, because: str
) -> Step[BurningTable]:
    """Mark one more wound, after those that are there."""
    path = f"wounds.{len(table.character(character).wounds)}"
    yield from change(character, path, None, wound, because=because)
    return table.changed(Change(character, path, None, wound, because))


def drop_wounds(
    table: BurningTable, character: str, indexes: Collection[int], *, because: str
) -> Step[BurningTable]:
    """Remove wounds that are healed, or have been merged into another."""
    wounds = table.character(character).wounds
    left = tuple(wound for at, wound in enumerate(wounds) if at not in indexes)
    return (yield from table.amend(character, "wounds", left, because=because))


def was_hurt(before: Sheet, after: Sheet) -> bool:
    """Whether somebody has been wounded since.

    Three Superficial wounds that have become one are three injuries still
    (injury.superficial.three_is_light), so that the third is no loss of wounds.
    """
    return _injuries(after) > _injuries(before)


def _injuries(sheet: Sheet) -> int:
    return sum(superficials_in_a_set() if wound.merged else 1 for wound in sheet.wounds)


def check_wounded(character: str, table: BurningTable) -> Sheet:
    """The sheet of somebody who has a wound, or a refusal."""
    sheet = table.character(character)
    if not sheet.wounds:
        raise NotAllowed(f"{sheet.name} is not wounded", "injury.ptgs.wound_is_coordinate")
    return sheet


def find_wound(sheet: Sheet, number: int, place: str = "wound") -> Wound:
    """A wound on the sheet, counted from 1."""
    if not 1 <= number <= len(sheet.wounds):
        have = ", ".join(f"{n} {name_of(w)}" for n, w in enumerate(sheet.wounds, 1)) or "none"
        raise BadInput(place, number, f"the number of a wound of {sheet.name}: {have}")
    return sheet.wounds[number - 1]


def in_aura(table: BurningTable, character: str) -> bool:
    """Whether a Divine Aura lifts every minus in dice from what a character does.

    artha.aristeia.divine_aura, artha.amb.divine_aura_scope: obstacle penalties stay. In the
    later edition it lifts every wound penalty, and nothing else (gold.aristeia.ignore_wounds,
    gold.diff.aristeia_scope).
    """
    aristeias = table.scene.aristeias
    if not aristeias:  # it is asked with every roll, and hardly ever there
        return False
    return any(a.character == character and a.form == "divine_aura" for a in aristeias)


def wounds_on_test(tester: Tester) -> Lines:
    """What wounds do to a test: dice lost, and obstacle added.

    Stats, skills and Steel are affected (injury.dice.affected), some abilities are spared
    (injury.dice.unaffected, gold.wounds.exempt); the obstacle has the same scope, or falls on
    every test (injury.amb.superficial_ob_scope, gold.amb.superficial_on_exempt).
    """
    table, tested = tester.table, tester.tested
    played = edition(table.options)
    dice, obstacle = pain(tester.sheet)
    spared = played.wounds_spare(tested, table.options)
    lifted = tester.for_goal and in_aura(table, tester.character)
    if spared and table.options["injury_superficial_ob_scope"] == "as_wound_dice":
        obstacle = ()
    if lifted and played.aura_is_for_the_goal:
        obstacle = ()
    return Lines(
        () if spared or lifted else dice,
        obstacle,
        cause="Wounds leave",
        rule="injury.zero.skill" if tested.kind is AbilityKind.SKILL else "tests.amb.zero_dice",
        pain=True,
    )


def pain_on_both(
    table: BurningTable, character: str, one: Rated, other: Rated, *, for_goal: bool = True
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """What wounds do to a roll of two abilities added together, as of Will and Sorcery.

    The wound dice are taken from the whole roll once, or from each ability, as the table reads it
    (injury.amb.combined_pools). Whether an ability has any dice left is asked of each alone.
    """
    sheet = table.character(character)
    first, second = (
        wounds_on_test(Tester(character, each, table, for_goal=for_goal)) for each in (one, other)
    )
    for each, lines in ((one, first), (other, second)):
        if lines.lost >= each.exponent:
            what = f"Wounds leave {sheet.name} no dice of {each.name}: choose another ability"
            raise NotAllowed(what, "injury.zero.skill")
    obstacle = first.obstacle or second.obstacle
    if table.options["injury_combined_pools"] == "each_ability":
        return first.dice + second.dice, obstacle
    return first.dice or second.dice, obstacle
