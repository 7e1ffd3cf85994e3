"""Who acts against whom in a moment, and what each of them counts as.

A section of the chapter on Fight! (``conflicts/fight/fight``). Actions are matched by their number
in the volley (fight.simultaneous.match_by_number, fight.sequence.5_match): all deeds of a slot
come here together, and a fighter without one hesitates or has no action.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.errors import NotAllowed
from astragal.play import Option, Step, choose

from ...armor.block_and_strike import check_block_and_strike
from ...sheet.catalogue_keys import key_of
from ...sheet.sheet import Sheet
from ...sheet.weapon_tables import MeleeWeapon, ways
from ...weapons.speed import check_with_shield
from .acts import lost
from .distance import INSIDE_GAP
from .gathering import is_immobilized
from .interactions import HESITATING, NO_ACTION, Meeting, Relation, is_attack, meeting
from .lost_actions import in_reach, why_lost
from .state import Fight, FightDeed
from .strikes import may_be_blocked
from .weapon_in_hand import inside_lines, way_in_hand, wielded


class PlannedAttack(msgspec.Struct, frozen=True):
    """An attack, and what it meets."""

    deed: FightDeed
    met: Meeting


class MomentPlan(msgspec.Struct, frozen=True):
    """What is done in a moment, and what each fighter counts as for those who act against him.

    ``drawn_out`` are those whom a Feint has taken in (fight.feint.success), ``drooling`` those who
    do nothing because their stance does not allow it.
    """

    deeds: tuple[FightDeed, ...]
    counts: tuple[tuple[str, str], ...]
    attacks: tuple[PlannedAttack, ...] = ()
    drawn_out: tuple[str, ...] = ()
    drooling: tuple[str, ...] = ()

    def counts_as(self, character: str) -> str:
        """What somebody meets who acts against this fighter."""
        return dict(self.counts)[character]

    def deed_of(self, character: str) -> FightDeed | None:
        """What a fighter does in this moment, if he does anything."""
        return next((deed for deed in self.deeds if deed.character == character), None)

    def attacks_on(self, character: str) -> tuple[PlannedAttack, ...]:
        """Everything that comes at a fighter."""
        return tuple(each for each in self.attacks if each.deed.target == character)


def plan_moment(fight: Fight, deeds: tuple[FightDeed, ...]) -> Step[MomentPlan]:
    """Find out what is done, what is lost, and what meets what."""
    done: list[FightDeed] = []
    drooling: list[str] = []
    counts = {each.character: _without_a_deed(fight, each.character) for each in fight.fighters}
    for announced in deeds:
        if announced.action in (HESITATING, NO_ACTION):  # a slot that was given up
            counts[announced.character] = announced.action
            continue
        deed = yield from _targeted(fight, possible(fight, announced))
        if deed.action in ("strike", "feint", "block_and_strike"):
            deed = yield from blade_or_hilt(fight, deed, deed.target)
        why = why_lost(fight, deed)
        if why is None:
            if not any(each.character == deed.character for each in done):
                counts[deed.character] = deed.action
            done.append(deed)
        else:
            yield from lost(fight, deed.character, why.why, why.rule)
            counts[deed.character] = why.counts_as
            if why.counts_as == HESITATING:
                drooling.append(deed.character)
    plan = MomentPlan(tuple(done), tuple(counts.items()), drooling=tuple(drooling))
    return _matched(plan)


def _without_a_deed(fight: Fight, character: str) -> str:
    """One without an action hesitates, or simply has none.

    fight.simultaneous.unmatched_action, fight.nd.none_when_hesitating.
    """
    held = fight.fighter(character).is_hesitating or is_immobilized(fight, character)
    return HESITATING if held else NO_ACTION


def possible(fight: Fight, deed: FightDeed) -> FightDeed:
    """A Block and Strike without what it takes is the Strike that was scripted.

    fight.block_and_strike.training, fight.block_and_strike.script.
    """
    if deed.action != "block_and_strike":
        return deed
    sheet = fight.sheet(deed.character)
    if _can_block_and_strike(sheet, way_in_hand(fight, deed.character, deed.way)):
        return deed
    return msgspec.structs.replace(deed, action="strike")


@lru_cache(1024)
def _can_block_and_strike(sheet: Sheet, way: MeleeWeapon) -> bool:
    try:
        check_block_and_strike(sheet)
        check_with_shield(way)
    except NotAllowed:
        return False
    return True


def _targeted(fight: Fight, deed: FightDeed) -> Step[FightDeed]:
    """Whom a Strike is for may be said just before the roll (fight.strike.target_at_roll).

    Other maneuvers have named their target (fight.amb.target_choice).
    """
    if deed.target or not is_attack(deed.action):
        return deed
    everybody = tuple(
        msgspec.structs.replace(deed, target=each) for each in fight.opponents(deed.character)
    )
    near = [each for each in everybody if in_reach(fight, each)] or list(everybody)
    if len(near) < 2:
        return near[0] if near else deed
    target = yield from choose(
        fight.seat(deed.character),
        "target",
        f"{fight.name(deed.character)}: target",
        {each.target: fight.name(each.target) for each in near},
        default=near[0].target,
        because="fight.strike.target_at_roll",
    )
    return msgspec.structs.replace(deed, target=target)


def blade_or_hilt(fight: Fight, deed: FightDeed, target: str) -> Step[FightDeed]:
    """On the inside the part of the weapon is chosen when the distance is known, not scripted.

    extended_example.strike.choose_weapon_part_late.
    """
    if deed.way or not target or fight.gap(deed.character, target) != INSIDE_GAP:
        return deed
    usual = way_in_hand(fight, deed.character)
    handy = [
        way
        for way in ways(wielded(fight, deed.character), fight.table.options)
        if way.length == SHORTEST or way == usual
    ]
    if len(handy) < 2:
        return deed
    chosen = yield from choose(
        fight.seat(deed.character),
        "weapon_part",
        f"{fight.name(deed.character)}, on the inside: strike with",
        tuple(
            Option(
                key_of(way.name),
                way.name.capitalize(),
                "fight.distance.inside.weapon_penalty",
                note=f"+{sum(line.amount for line in inside_lines(way))} Ob",
            )
            for way in handy
        ),
        default=key_of(usual.name),
        because="extended_example.strike.choose_weapon_part_late",
        kind="aside",
    )
    named = next(way.name for way in handy if key_of(way.name) == chosen)
    return deed if named == usual.name else msgspec.structs.replace(deed, way=named)


SHORTEST = "shortest"
"""The length of what a weapon has for the inside: hilt, pommel, butt."""


def _matched(plan: MomentPlan) -> MomentPlan:
    """Match every attack with what its target does.

    Who is taken in by a Feint is treated as hesitating by all others, too (fight.feint.success).
    Attacks do not oppose each other (fight.simultaneous.both_can_succeed).
    """
    drawn_out = tuple(
        deed.target
        for deed in plan.deeds
        if deed.action == "feint"
        and _works(plan.counts_as(deed.target))
        and meeting(plan.counts_as(deed.target), "feint").relation is Relation.CANCELLED
    )
    attacks = []
    for deed in plan.deeds:
        if not is_attack(deed.action):
            continue
        against = plan.counts_as(deed.target)
        if deed.target in drawn_out and deed.action != "feint":
            against = HESITATING
        attacks.append(PlannedAttack(deed, meeting(deed.action, against)))
    return msgspec.structs.replace(plan, attacks=tuple(attacks), drawn_out=drawn_out)


def _works(against: str) -> bool:
    """Whether a Feint works: against a Block, a Counterstrike or a Block half only.

    fight.feint.ability, fight.block.beaten_by_feint, fight.amb.feint_vs_block_and_strike.
    """
    return meeting("feint", against).relation is Relation.FREE_STRIKE


def is_feinted(plan: MomentPlan, defender: str) -> bool:
    """Whether a Feint takes away what a fighter has scripted in defence."""
    on_him = plan.attacks_on(defender)
    return any(each.deed.action == "feint" and each.met.is_rolled for each in on_him)


def stopped_by(fight: Fight, plan: MomentPlan, defender: str) -> tuple[PlannedAttack, ...]:
    """The attacks that a fighter's scripted defence counts against.

    None for one whom a Feint has drawn out (fight.counterstrike.vs_feint), or whose Block half it
    has taken (fight.block_and_strike.vs_feint). A Great Strike needs a true shield.
    """
    if is_feinted(plan, defender):
        return ()
    return tuple(
        each
        for each in plan.attacks_on(defender)
        if each.met.scripted is not None
        and (not each.met.scripted.needs_true_shield or may_be_blocked(fight, defender, each.deed))
    )


def answers_blocked(fight: Fight, plan: MomentPlan, attacker: str) -> bool:
    """Whether a riposte may come at one whose Block half takes from it.

    fight.amb.block_and_strike_block_scope.
    """
    if is_feinted(plan, attacker):
        return False
    return any(
        each.deed.character == attacker
        and meeting("counterstrike", each.deed.action).does(BLOCK_HALF_ANSWERS)
        for deed in plan.deeds
        if deed.action == "counterstrike"
        for each in ripostes(fight, plan, deed.character)
    )


BLOCK_HALF_ANSWERS = "riposte_reduced_by_block_pool"


def ripostes(fight: Fight, plan: MomentPlan, defender: str) -> tuple[PlannedAttack, ...]:
    """The attacks that a Counterstrike may answer with its riposte.

    Those that it defends against (fight.counterstrike.defends), and Lock and Throw where the group
    allows it (fight.amb.counterstrike_unlisted).
    """
    if defender in plan.drawn_out:
        return ()
    more = fight.table.options["fight_riposte_against_lock_and_throw"] == "yes"
    return tuple(
        each
        for each in plan.attacks_on(defender)
        if meeting("counterstrike", each.deed.action).does("riposte")
        or (more and each.deed.action in ("lock", "throw_opponent"))
    )
