"""What a spell does to its targets: damage, a throw, a fright; and the shields that stop it.

All in the area are affected alike: one Die of Fate counts for everybody.
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded
from astragal.games.game import Outcome
from astragal.play import GM, Play, Step, Tally, call, choose, confirm_aside, consent, note, tell

from ...armor.hits import IncomingHit, take_hit
from ...conditions.hesitation import out_of_action
from ...conditions.spell_tax import shield_of
from ...injury.injury import WoundOutcome
from ...sheet.facts import TestCame
from ...sheet.scene import BurningTable
from ...sheet.spells import CONTROL, DESTROY, NATURAL, TAX, Spell, SpellEffect, of_a_dark_impetus
from ...sheet.words import counted
from ...steel.dice_and_hesitation import Cause, SteelTest
from ...steel.steel import SteelOutcome, nerves_tried
from ...tests.conclusions import after_test
from ...tests.partial_records import complete
from ...weapons.damage import Damage
from ..called_tests import called_attempt, throw_called, what_counts
from .casting import DeclaredSpell, NaturalDefense
from .damage import WHERE, skill_shade, spell_ims, spell_power, stage_of, throw_stage
from .reach import is_touch
from .sustaining import SHIELD_DESTROYED, concentrate, end_spell

RESISTING = ("Power", "Speed")
"""What keeps people on their feet (sorcery.natural_effect.control_resist)."""


class TargetEffect(msgspec.Struct, frozen=True, cache_hash=True):
    """The successes of a spell as its targets meet them, and the obstacle it had.

    ``unused`` are extra ones that were put to no use.
    """

    effect: int
    die_of_fate: int
    successes: int
    obstacle: int
    unused: int = 0

    def less(self, cancelled: int) -> TargetEffect:
        """With some successes cancelled: those of no use first, then those in the effect."""
        of_unused = min(self.unused, cancelled)
        of_effect = min(self.effect, cancelled - of_unused)
        of_fate = min(self.die_of_fate, cancelled - of_unused - of_effect)
        return TargetEffect(
            self.effect - of_effect,
            self.die_of_fate - of_fate,
            self.successes - cancelled,
            self.obstacle,
            self.unused - of_unused,
        )

    @property
    def stands(self) -> bool:
        """Whether the spell still meets its obstacle."""
        return self.successes >= self.obstacle


class SpellHit(msgspec.Struct, frozen=True):
    """What a spell did to one target.

    ``stopped`` are successes that a shield or an Avoid cancelled; ``damage`` what it did before
    armor, ``level`` the wound and ``hurt`` what came of it; ``thrown`` the net successes of a
    throw; ``steel`` a Steel test.
    """

    character: str
    affected: bool
    stopped: int = 0
    damage: str = ""
    level: str = ""
    thrown: int = 0
    steel: SteelOutcome | None = None
    hurt: WoundOutcome | None = None


class TargetsOutcome(Outcome, frozen=True):
    """What a spell did to all its targets, and its damage in three stages."""

    ims: str = ""
    stage: str = ""
    hits: tuple[SpellHit, ...] = ()


def affect_targets(
    declared: DeclaredSpell, done: TargetEffect, table: BurningTable
) -> Play[tuple[TargetsOutcome, BurningTable]]:
    """Apply a spell to each of its targets, to all of them alike (sorcery.area.equal_effect).

    A caster is not caught in the own area, unless named among the targets
    (sorcery.area.caster_safe); a Natural Effect may run out of control.
    """
    spell, arguments = declared.spell, declared.arguments
    caster = table.character(arguments.character)
    targets = arguments.targets
    if spell.area == NATURAL and arguments.character not in targets and done.effect:
        rule = "sorcery.area.caster_safe"
        prompt = f"Out of control: is {caster.name} caught in it?"
        if (yield from confirm_aside(GM, "caster_caught", prompt, because=rule)):
            targets += (arguments.character,)
    throws = False
    if spell.area == NATURAL and spell.impetus == CONTROL and targets:
        rule = "sorcery.natural_effect.control_throw"
        prompt = f"Does {spell.name} throw people down?"
        throws = yield from consent(GM, "throws", prompt, because=rule)
    ims = ""
    stage, face = "", 0
    if spell.harms:
        # Damage goes by the Die of Fate, of a Natural Effect too
        # (sorcery.natural_effect.destroy_damage).
        shade = skill_shade(arguments.skill, arguments.character, table)
        ims = str(spell_ims(spell_power(spell, caster, done.effect), shade))
        yield from note(f"{spell.name}: {ims}.", "sorcery.destroy.ims")
        if targets:
            seat = caster.seat(arguments.character)
            found, total = yield from throw_stage(spell.name, done.die_of_fate, seat)
            stage, face = found.value, total.total - done.die_of_fate
    hits: tuple[SpellHit, ...] = ()
    for target in targets:
        hit, table = yield from call(affect, declared, target, done, face, throws, table)
        hits += (hit,)
    return TargetsOutcome(ims, stage, hits), table


def affect(
    declared: DeclaredSpell,
    target: str,
    done: TargetEffect,
    face: int,
    throws: bool,
    table: BurningTable,
) -> Play[tuple[SpellHit, BurningTable]]:
    """What a spell does to one target, once shield and Avoid have had their say."""
    spell, arguments = declared.spell, declared.arguments
    cancelled, table = yield from call(_stopped, declared, target, done.successes, throws, table)
    left = done.less(cancelled)
    if not left.stands:
        name = table.character(target).name
        yield from note(f"{spell.name} does not affect {name}.", "sorcery.shield.exchange")
        return SpellHit(target, False, cancelled), table
    if is_touch(spell) and target != arguments.character:
        touched, table = yield from _touch(arguments.character, target, table)
        if not touched:
            return SpellHit(target, False, cancelled), table
    if spell.harms:
        return (yield from _hurt(declared, target, left, face, cancelled, table))
    if throws:
        net, table = yield from call(_throw, declared, target, left.effect, table)
        return SpellHit(target, net > 0, cancelled, thrown=net), table
    if spell.does is SpellEffect.STEEL:
        steel, table = yield from call(_frighten, declared, target, table)
        return SpellHit(target, True, cancelled, steel=steel), table
    return SpellHit(target, True, cancelled), table


# --- What stops a spell --------------------------------------------------------------------


def _stopped(
    declared: DeclaredSpell, target: str, successes: int, throws: bool, table: BurningTable
) -> Play[tuple[int, BurningTable]]:
    """How many successes an Avoid or an Eldritch Shield cancels for one target.

    Avoid does nothing against a spell, unless the group allows it
    (sorcery.amb.destroy_hit_and_armor); against one that throws it adds to the defence
    (sorcery.amb.control_throw_resistance).
    """
    cancelled = 0
    for avoid in declared.arguments.avoids:
        if avoid.character != target or throws:
            continue
        if table.options["sorcery_avoid_against_spells"] == "yes":
            cancelled += min(successes, avoid.successes)
        else:
            text = "Avoid does not defend against a spell."
            yield from note(text, "sorcery.amb.destroy_hit_and_armor")
    if not is_blocked(declared.spell) or target == declared.arguments.character:
        return cancelled, table
    more, table = yield from _shield(target, successes - cancelled, table)
    return cancelled + more, table


def is_blocked(spell: Spell) -> bool:
    """Whether an Eldritch Shield stops a spell: those that destroy or tax.

    sorcery.shield.blocks; where no sheet says which of the two a spell of the book does, by name.
    """
    listed = not spell.impetus and spell.name.casefold() in of_a_dark_impetus()
    return spell.impetus in (DESTROY, TAX) or spell.harms or listed


def _shield(target: str, successes: int, table: BurningTable) -> Step[tuple[int, BurningTable]]:
    """Each die of the shield cancels one success and is used up (sorcery.shield.exchange).

    It has as many as it had successes over its obstacle (sorcery.amb.shield_dice_meaning),
    cancels as much as it can and protects its caster alone (sorcery.amb.shield_partial_and_area).
    """
    sheet = table.character(target)
    shield = shield_of(sheet)
    if shield is None or successes <= 0:
        return 0, table
    rule = "sorcery.shield.exchange"
    used = min(shield.effect, successes)
    left = shield.effect - used
    dice, stopped = counted(left, "die"), counted(used, "success")
    yield from note(f"{sheet.name}'s {shield.name} cancels {stopped} ({dice} left).", rule)
    if left:
        at = sheet.active_spells.index(shield)
        path = f"active_spells.{at}.effect"
        return used, (yield from table.amend(target, path, left, because=rule))
    return used, (yield from shield_blasted(table, target, shield.name))


def shield_blasted(table: BurningTable, target: str, name: str) -> Step[BurningTable]:
    """A shield without dice is gone, and its caster must keep up the others.

    sorcery.shield.blasted; a spell that its caster is casting is interrupted
    (sorcery.shield.blasted_interrupts).
    """
    table = yield from end_spell(table, target, name, "sorcery.shield.blasted")
    _, table = yield from call(concentrate, target, SHIELD_DESTROYED, table)
    text = f"If {table.character(target).name} is casting, that spell is interrupted."
    yield from note(text, "sorcery.shield.blasted_interrupts")
    return table


def _touch(character: str, target: str, table: BurningTable) -> Step[tuple[bool, BurningTable]]:
    """Bring a touch spell to its target: no roll, or a versus test against the unwilling.

    sorcery.area.touch, sorcery.amb.touch_in_fight.
    """
    if table.options["sorcery_touch_in_fight"] == "no_roll":
        return True, table
    name = table.character(target).name
    rule = "sorcery.amb.touch_in_fight"
    if not (
        yield from consent(GM, "resists_touch", f"Does {name} resist the touch?", because=rule)
    ):
        return True, table
    rolled = []
    for who, ability in ((character, "Agility"), (target, "Speed")):
        table = yield from complete(table, (who,), (ability,))
        attempt = yield from called_attempt(who, ability, "touch", (), table)
        thrown = yield from throw_called(attempt, None, table, decides=False)
        rolled.append((attempt, thrown))
    mine, theirs = (what_counts(attempt, thrown) for attempt, thrown in rolled)
    touched = mine > theirs
    verdict = "Touches the target." if touched else "The touch misses."
    yield from tell(TestCame(table.character(character).name, mine, verdict, touched))
    for (attempt, thrown), against, won in zip(
        rolled, (theirs, mine), (touched, not touched), strict=True
    ):
        obstacle = against + attempt.penalties.total
        table, _ = yield from after_test(attempt, thrown, obstacle, table, passed=won)
    return touched, table


# --- What it does --------------------------------------------------------------------------


def _hurt(
    declared: DeclaredSpell,
    target: str,
    left: TargetEffect,
    face: int,
    stopped: int,
    table: BurningTable,
) -> Step[tuple[SpellHit, BurningTable]]:
    """A hit by a spell: no roll to hit, armor as against a missile without VA.

    sorcery.amb.destroy_hit_and_armor.
    """
    spell, arguments = declared.spell, declared.arguments
    caster = table.character(arguments.character)
    shade = skill_shade(arguments.skill, arguments.character, table)
    stages = spell_ims(spell_power(spell, caster, left.effect), shade)
    stage = stage_of(face + left.die_of_fate)
    damage = Damage(WHERE, stage, shade, stages.at(stage), 0)
    yield from note(f"{table.character(target).name}: {damage}.", "sorcery.dof.table")
    hit = IncomingHit(
        character=target,
        damage=damage,
        chooser=caster.seat(arguments.character),
        source=spell.name,
        opponent=arguments.character,
        in_script=arguments.in_script,
    )
    taken, table = yield from call(take_hit, hit, table)
    done = SpellHit(target, True, stopped, damage=str(damage), level=taken.level, hurt=taken.hurt)
    return done, table


def _throw(
    declared: DeclaredSpell, target: str, margin: int, table: BurningTable
) -> Play[tuple[int, BurningTable]]:
    """A Natural Effect that throws: the target resists with Power or Speed.

    sorcery.natural_effect.control_resist; successes are taken off those of the spell, and what
    remains throws the target, less the successes of an Avoid in the same moment
    (sorcery.amb.control_throw_resistance). Who hesitates has no Natural Defenses
    (fight.nd.none_when_hesitating), and what a conflict does to those of the others counts.
    """
    avoided = sum(each.successes for each in declared.arguments.avoids if each.character == target)
    in_conflict = declared.natural is not None
    ways = {each.ability: each for each in declared.natural or () if each.character == target}
    if (in_conflict and not ways) or (not in_conflict and out_of_action(table, target)):
        text = f"{table.character(target).name} has no Natural Defenses and is thrown down."
        yield from note(text, "fight.nd.none_when_hesitating")
        return max(0, margin - avoided), table
    if not any(table.character(target).find(stat) for stat in RESISTING):
        table = yield from complete(table, (target,), RESISTING)
    sheet = table.character(target)
    rule = "sorcery.natural_effect.control_resist"
    stats = {stat: stat for stat in ways or RESISTING if sheet.find(stat)} or {"Power": "Power"}
    ability = yield from choose(
        sheet.seat(target),
        "resist_throw",
        f"{sheet.name} resists with",
        stats,
        default=next(iter(stats)),
        because=rule,
    )
    attempt = yield from called_attempt(target, ability, "keep one's feet", (), table)
    there = ways.get(ability, NaturalDefense(target, ability))
    attempt = msgspec.structs.replace(
        attempt,
        open_ended=OpenEnded.NO,
        dice=attempt.dice + there.dice,
        penalties=attempt.penalties + there.obstacle,
    )
    obstacle = Tally.of(max(1, margin), "the spell", rule) + attempt.penalties
    thrown = yield from throw_called(attempt, obstacle, table)
    resisted = what_counts(attempt, thrown)
    net = max(0, margin - resisted - avoided)
    verdict = f"Thrown down, with {counted(net, 'success')}." if net else "Stays up."
    yield from tell(TestCame(sheet.name, resisted, verdict, not net))
    table, _ = yield from after_test(attempt, thrown, obstacle.total, table, passed=not net)
    return net, table


def _frighten(
    declared: DeclaredSpell, target: str, table: BurningTable
) -> Play[tuple[SteelOutcome, BurningTable]]:
    """The Fear: a Steel test against bare hesitation (sorcery.spell.the_fear).

    sorcery.amb.fear_steel_modifier.
    """
    arguments = declared.arguments
    test = SteelTest(
        character=target,
        cause=Cause.FEAR,
        source=declared.spell.name,
        forced_by="sorcery.spell.the_fear",
        fear_spell=True,
        opponent="",
        in_script=arguments.in_script,
    )
    steel, table = yield from call(nerves_tried, test, table)
    return steel, table
