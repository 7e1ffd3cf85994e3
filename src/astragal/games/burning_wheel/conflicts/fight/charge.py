"""Charge and Tackle: an action that is also the positioning of its volley.

A section of the chapter on Fight! (``conflicts/fight/fight``). It is a Close, rolled when
everybody positions (fight.charge.is_close, fight.amb.initiative_charge); what a Charge comes to is
in ``positioning``, with the dice of all others. A Tackle is scripted by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from astragal.play import Line, Option, Split, Step, ask, call, choose, note
from astragal.rules import catalogue

from ...armor.block_and_strike import Stance
from ...artha.on_a_roll import ThrownDice
from ...conditions.spell_tax import turned_aside
from ...sheet.words import counted
from ...tests.attempts import Attempt
from ...tests.tests import open_result
from .distance import FAR_TO_NEAR, INSIDE_GAP, Distance, gap_for
from .footing import FootingDice, dice_for, distance_from, gather_footing, length_of
from .gathering import RollKind, attempt_for, is_usable
from .hesitation import hesitate
from .interactions import is_attack
from .mounted import OBEYED, is_order, mover
from .mounted_cards import CHARGE_ORDER
from .state import Fight, Hindrance, HindranceUntil, Positioning, Posture

CHARGE, TACKLE = "charge_tackle", "tackle"
CHARGES = (CHARGE, TACKLE)

ANY_CHARGE = (*CHARGES, CHARGE_ORDER)
"""Those in the saddle as well."""
AVOID = "avoid"
KEPT = "kept"
"""The part of an Avoid that is kept for other attacks than Charges."""


class Charge(msgspec.Struct, frozen=True):
    """Who charges whom, whether it is a Tackle, and with which dice."""

    character: str
    target: str
    tackles: bool
    attempt: Attempt
    avoid: Attempt | None = None
    """The Avoid of the target, where that is the first action of the volley.

    Against several Charges it is that of the first of them."""
    avoidable: bool = False
    """Whether that Avoid counts against this Charge."""
    avoided: ThrownDice | None = None


@cache
def _margin(step: str) -> tuple[int, int]:
    """What a Charge must be won by for a step, and what it adds.

    ``fight.table.interaction_effects``.
    """
    row = catalogue().table("fight.table.interaction_effects").where(effect="charge", step=step)
    return row.number("margin"), row.number("amount")


def may_charge(fight: Fight, character: str, target: str) -> bool:
    """Whether a fighter is near enough for a Charge.

    Never from outside, or at +2 Ob where the group plays it so (fight.amb.outside_charge,
    fight.distance.outside.forbidden).
    """
    if distance_from(fight, character, target) is not Distance.OUTSIDE:
        return True
    return fight.table.options["fight_charge_from_outside"] == "plus_2_ob"


def _far(fight: Fight, character: str, target: str, *, tackles: bool) -> tuple[Line, ...]:
    """+2 Ob over more than one fighting distance (fight.charge.more_than_one_distance)."""
    now = distance_from(fight, character, target)
    end = Distance.INSIDE if tackles else Distance.OPTIMAL
    if FAR_TO_NEAR.index(end) - FAR_TO_NEAR.index(now) <= 1:
        return ()
    table = catalogue().table("fight.table.interaction_obstacles")
    more = table.number("second_distance_ob", obstacle="charge")
    return (Line(more, "more than one distance", "fight.charge.more_than_one_distance"),)


def gather_charge(
    fight: Fight,
    character: str,
    target: str,
    dice: FootingDice,
    *,
    tackles: bool,
    avoids: bool = True,
) -> Step[Charge]:
    """The dice of a Charge: Power, and everything that positioning would have.

    fight.charge.dice; one more for having Closed in the volley before (fight.charge.closed_before).
    The penalty for moving quickly does not count (fight.charge.no_moving_quickly). It is an attack
    that a spell may hinder (sorcery.spell.turn_aside_the_blade). A target whose first action is an
    Avoid adds it to the Natural Defenses (fight.charge.avoid_adds), but against a Charge that
    comes before all other actions (fight.initiative.nd). It is rolled once, so that it ``avoids``
    only with the first Charge (fight.avoid.defends_all).
    """
    lines = (Line(dice_for("Charge"), "Charge", "fight.charge.dice"), *dice.lines)
    if fight.fighter(character).moved is Positioning.CLOSE:
        more = dice_for("Closed last volley")
        lines += (Line(more, "Closed last volley", "fight.charge.closed_before"),)
    attempt = yield from call(
        gather_footing,
        fight,
        mover(fight, character),
        "Power",
        lines,
        CHARGE,
        _far(fight, character, target, tackles=tackles) + turned_aside(fight.sheet(target)),
        "tackles" if tackles else "charges",
    )
    avoid = None
    comes_first = fight.quick == character and fight.is_quick_volley
    avoider = _avoids_first(fight, target)
    avoidable = not comes_first and bool(avoider)
    if avoidable and avoids:
        avoid = yield from attempt_for(
            fight,
            avoider,
            "Speed",
            RollKind.DEFENCE,
            action=AVOID,
            target=character,
            task="avoids the charge",
        )
        avoid = msgspec.structs.replace(avoid, seat=fight.seat(target))
    return Charge(character, target, tackles, attempt, avoid, avoidable)


def _avoids_first(fight: Fight, character: str) -> str:
    """Who Avoids for a fighter in the first action of the volley: himself, or the mount.

    The mount by its own script, or because it has obeyed (riding.amb.mount_avoid_test).
    """
    mount = fight.mount(character)
    for name in (character, mount) if mount else (character,):
        fighter = fight.fighter(name)
        first = fighter.announced[:1] == (AVOID,)
        if name == mount:
            ordered = any(is_order(card) for card in fight.fighter(character).announced[:1])
            first = fighter.early == OBEYED or (first and not ordered)
        if fighter.is_hesitating or not fighter.avoids or not first:
            continue
        if is_usable(fight, name, "Speed", RollKind.DEFENCE, AVOID):
            return name
    return ""


def ability_against(fight: Fight, target: str, who: str) -> Step[str]:
    """What the target of a Charge positions with, or the mount ``who`` does it for him.

    The positioning test is the Natural Defense (fight.charge.natural_defense,
    fight.nd.charge_is_positioning); who Maintains may use Power instead of Speed
    (fight.charge.maintain_power, fight.amb.charge_maintain_garbled).
    """
    if fight.fighter(target).moves is not Positioning.MAINTAIN:
        return "Speed"
    sheet = fight.sheet(who)
    able = [each for each in ("Speed", "Power") if is_usable(fight, who, each, RollKind.NATURAL)]
    if len(able) < 2:
        return able[0] if able else "Speed"
    best = max(able, key=lambda each: sheet.ability(each).exponent)
    rule = "fight.charge.maintain_power"
    return (
        yield from choose(
            fight.seat(target),
            "against_charge",
            f"{fight.name(target)}, against the charge",
            {each: str(sheet.ability(each)) for each in able},
            default=best,
            because=rule,
            kind="aside",
        )
    )


def avoided_of(charge: Charge, charges: Mapping[str, Charge]) -> int:
    """The successes of the Avoid that stands against a Charge, as it was rolled."""
    if not charge.avoidable:
        return 0
    those = (each for each in charges.values() if each.target == charge.target)
    rolled = ((each.avoid, each.avoided) for each in those)
    return sum(open_result(d.successes, a) for a, d in rolled if a is not None and d is not None)


def share_avoids(
    fight: Fight, charges: tuple[Charge, ...], needs: dict[str, int]
) -> Step[tuple[dict[str, int], Fight]]:
    """What an Avoid takes from each Charge: one roll, divided or in full (fight.amb.many_fighters).

    By default as much as foils one after the other; ``needs`` is what foils each charger.
    What is not used is left for the other attacks that the same Avoid meets
    (fight.avoid.defends_all), and may be kept for them.
    """
    found: dict[str, int] = {}
    divided = fight.table.options["fight_defence_against_many"] == "one_roll_divided"
    for charge in charges:
        if charge.avoid is None or charge.avoided is None:
            continue
        successes = open_result(charge.avoided.successes, charge.avoid)
        those = [each for each in charges if each.target == charge.target and each.avoidable]
        if not divided:
            found |= {each.character: successes for each in those}
            fight = fight.change(charge.target, avoided=successes)
            continue
        default, left = [], successes
        for each in those:
            default.append(min(left, needs[each.character]))
            left -= default[-1]
        more = _others_attack(fight, charge.target, those)
        if len(those) == 1 and not (more and successes):
            found[charge.character] = default[0]
            fight = fight.change(charge.target, avoided=left)
            continue
        rule = "fight.amb.many_fighters"
        pools = [(each.character, f"{fight.name(each.character)}'s Charge") for each in those]
        if more:
            pools.append((KEPT, "Kept for the other attacks"))
            default.append(left)
        else:
            default[0] += left
        split = yield from ask(
            fight.seat(charge.target),
            "divide_defence",
            f"{fight.name(charge.target)}, Avoid: divide {counted(successes, 'success')}",
            Split(
                amount=successes,
                pools=tuple(Option(key, label, rule) for key, label in pools),
                default=tuple(default),
            ),
            because=rule,
        )
        found |= {each.character: share for each, share in zip(those, split, strict=False)}
        fight = fight.change(charge.target, avoided=split[-1] if more else 0)
    return found, fight


def _others_attack(fight: Fight, target: str, charges: list[Charge]) -> bool:
    """Whether anybody else begins the volley with an attack that may come at a fighter.

    Everybody has heard the actions of the volley; a Strike names its victim later
    (fight.strike.target_at_roll).
    """
    charging = [charge.character for charge in charges]
    for other in fight.opponents(target):
        fighter = fight.fighter(other)
        first = fighter.announced[0].partition(":")[0] if fighter.announced else ""
        if other in charging or fighter.is_hesitating or first in CHARGES or not is_attack(first):
            continue
        if not fighter.targets or fighter.targets[0] in ("", target):
            return True
    return False


# --- Who charges whom ------------------------------------------------------------------------


def chargers(fight: Fight) -> Step[list[tuple[str, str, bool]]]:
    """Who charges whom in this volley, and who tackles; from too far away it is no Charge.

    fight.charge.is_close.
    """
    found = []
    for each in fight.standing:
        first = each.announced[0] if each.announced else ""
        begins = first in ANY_CHARGE
        if not begins or each.is_hesitating or not each.charges:
            continue
        target = each.targets[0] if each.targets and each.targets[0] else ""
        if not target or target not in fight.opponents(each.character):
            continue
        if not may_charge(fight, each.character, target):
            text = f"{fight.name(each.character)} is too far away to charge."
            yield from note(text, "fight.distance.outside.forbidden")
            continue
        charger = mover(fight, each.character)
        if is_usable(fight, charger, "Power", RollKind.POSITION, CHARGES[0]):
            found.append((each.character, target, first == TACKLE))
    return found


# --- What comes of it ------------------------------------------------------------------------


def charged(fight: Fight, charge: Charge, margin: int) -> Step[Fight]:
    """A Charge succeeds by a margin, or fails.

    Won by one the target is off balance (fight.charge.win_by_one), by two or more down
    (fight.charge.win_by_two). The charger ends at optimal distance (fight.charge.end_position),
    from the inside, too; who was at it already stays as near as he was, as it is a Close. After a
    Tackle he is on the inside, and on the ground if the target is (fight.charge.tackle_inside). If
    it fails, the next action is lost, and the charger has not moved (fight.charge.failure,
    fight.amb.charge_close_when_foiled).
    """
    one, other = charge.character, charge.target
    who, whom = fight.name(one), fight.name(other)
    what = "tackle" if charge.tackles else "charge"
    if margin <= 0:
        text = f"{who}'s {what} fails: {who} loses the next action."
        yield from note(text, "fight.charge.failure")
        return hesitate(fight, one, 1)
    if charge.tackles:
        fight = fight.moved(one, other, INSIDE_GAP)
    elif distance_from(fight, one, other) is not Distance.OPTIMAL:
        fight = fight.moved(one, other, gap_for(Distance.OPTIMAL, length_of(fight, one)))
    needed, harder = _margin("off_balance")
    if margin >= _margin("down")[0]:
        fight = fight.change(other, posture=Posture.DOWN)
        text, rule = f"{whom} goes down.", "fight.charge.win_by_two"
        if charge.tackles:
            fight = fight.change(one, posture=Posture.DOWN)
            text, rule = "Both go down, on the inside.", "fight.charge.tackle_inside"
    else:
        assert margin >= needed
        line = Line(harder, "off balance", "fight.charge.win_by_one")
        hindrances = (*fight.fighter(other).hindrances, Hindrance(HindranceUntil.ACTION, line))
        fight = fight.change(other, hindrances=hindrances)
        text, rule = f"{whom} is off balance: +{harder} Ob to the next action.", line.rule
    yield from note(f"{who}'s {what} succeeds by {margin}. {text}", rule)
    return fight


def into_neutral(fight: Fight, character: str) -> Fight:
    """Charging ends a stance (fight.charge.drops_stance, fight.stance.lost)."""
    return fight.change(character, stance=Stance.NEUTRAL)
