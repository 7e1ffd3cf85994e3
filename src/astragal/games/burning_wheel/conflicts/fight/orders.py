"""Orders to the mount: cards of the rider that the mount carries out.

A section of the chapter on riding (``riding``), for Fight!. Each costs the rider an action and a
Riding test (riding.combat.command_cost), and the mount one of its own actions.
"""

from __future__ import annotations

from astragal.play import GM, Step, confirm, consent, note

from ...riding.riding_tests import ask_difficulty, command
from ..scripting import VOLLEYS
from .acts import lost
from .cards import DROOL, action_of, label_of
from .forfeits import Scripts, plan_for, with_plan, without_action
from .interactions import DEFENCES
from .lost_actions import in_reach
from .mounted import AVOID_ORDER, OBEYED, REFUSED, command_lines, mount_actions, scripts_itself
from .mounted_cards import CHARGE_ORDER
from .state import Fight, FightDeed

KEPT_UP = ("strike", "push", "lock", "throw_opponent")
"""Orders that a mount goes on with; an Avoid is for one moment, a Charge for one Close."""

Obeyed = tuple[FightDeed | None, Fight, Scripts]


def obey(
    fight: Fight, rider: str, card: str, target: str, scripts: Scripts, at: int, slot: int
) -> Step[Obeyed]:
    """A rider gives an order: the mount does it in this moment, or it does not.

    riding.combat.command_cost. Rider and mount act together: the mount's own ability is rolled
    (riding.combat.tandem_mount_stats). In a volley in which the rider has a second action he may
    also act himself (riding.combat.tandem_rider_second_action).
    """
    mount, rule = fight.mount(rider), "riding.combat.command_cost"
    if not mount:
        yield from lost(fight, rider, "no mount to command", rule)
        return None, fight, scripts
    early = fight.fighter(mount).early if card == AVOID_ORDER and slot == 1 else ""
    if early:
        fight = fight.change(mount, early="")
        obeyed = early == OBEYED
        return (_deed(rider, mount, "avoid", card, target) if obeyed else None), fight, scripts
    why = _unable(fight, mount, slot)
    if why:
        yield from lost(fight, rider, why, "riding.amb.mount_actions_count")
        return None, fight, scripts
    action = action_of(card)
    if scripts_itself(fight, mount):
        obeys, scripts = yield from _of_two_minds(fight, mount, action, scripts, at, slot)
        if not obeys:
            return None, fight, scripts
    harder = yield from ask_difficulty(lasting=True)
    harder += command_lines(fight, rider)
    task = f"commands the mount: {label_of(card)}"
    result, table = yield from command(rider, task, fight.table, harder, in_fight=True)
    fight = fight.at(table)
    if not result.passed:
        yield from lost(fight, rider, f"{fight.name(mount)} does not obey", rule)
        return None, fight, scripts
    fight = fight.change(mount, order=card if action in KEPT_UP else "", obeyed=slot)
    return _deed(rider, mount, action, card, target), fight, scripts


def _deed(rider: str, mount: str, action: str, card: str, target: str) -> FightDeed:
    """What a mount does: an attack is its own, a defence is its rider's as well.

    riding.avoid.command_mount, riding.amb.mount_avoid_test.
    """
    if action in DEFENCES:
        return FightDeed(rider, action, card, by=mount)
    return FightDeed(mount, action, card, target)


def _unable(fight: Fight, mount: str, slot: int) -> str:
    """Why a mount can obey no order in this moment, if it cannot.

    riding.amb.mount_actions_count.
    """
    if fight.fighter(mount).is_hesitating:
        return f"{fight.name(mount)} hesitates and obeys no order"
    if slot > mount_actions(fight, mount):
        return f"{fight.name(mount)} has no action left in this volley"
    return ""


def order_charges(fight: Fight, scripts: Scripts, at: int) -> Step[tuple[Fight, Scripts]]:
    """Mounts that are told to charge do so with the positioning test, or not at all.

    riding.combat.tandem_mount_stats, fight.charge.is_close.
    """
    for each in fight.standing:
        if each.announced[:1] != (CHARGE_ORDER,) or not each.charges:
            continue
        target = each.targets[0] if each.targets else ""
        deed, fight, scripts = yield from obey(
            fight, each.character, CHARGE_ORDER, target, scripts, at, 1
        )
        if deed is None:
            fight = fight.change(each.character, charges=False)
    return fight, scripts


def order_avoids(fight: Fight, scripts: Scripts, at: int) -> Step[tuple[Fight, Scripts]]:
    """A mount that is told to Avoid does so against a Charge, with the positioning test.

    riding.avoid.command_mount, fight.charge.avoid_adds: as the first action of the volley.
    """
    charged = {each.targets[0] for each in fight.standing if each.charges and each.targets}
    for each in fight.standing:
        rider = each.character
        mount = fight.mount(rider)
        orders = each.announced[:1] == (AVOID_ORDER,) and not each.is_hesitating
        if not mount or not orders or rider not in charged:
            continue
        deed, fight, scripts = yield from obey(fight, rider, AVOID_ORDER, "", scripts, at, 1)
        fight = fight.change(mount, early=REFUSED if deed is None else OBEYED)
    return fight, scripts


# --- Mounts with a mind of their own ---------------------------------------------------------


def own_deed(fight: Fight, mount: str, card: str, target: str, slot: int) -> FightDeed | None:
    """What a mount does by its own script (riding.script.wolves_spiders).

    Nothing where it has just obeyed an order instead.
    """
    fighter = fight.fighter(mount)
    if fighter.obeyed == slot:
        return None
    return _deed(fighter.carries, mount, action_of(card), card, target)


def _of_two_minds(
    fight: Fight, mount: str, action: str, scripts: Scripts, at: int, slot: int
) -> Step[tuple[bool, Scripts]]:
    """A wilful mount may do as it likes; one that obeys gives up what it has scripted.

    riding.script.wolves_spiders. To change a script it forfeits an action, as anybody does
    (riding.script.forfeit): the last that it has left.
    """
    name = fight.name(mount)
    plan = plan_for(scripts, mount)
    slots = plan[at - 1].slots
    planned = slots[slot - 1] if len(slots) >= slot else ()
    if any(action_of(card) == action for card in planned):
        return True, scripts
    rule = "riding.script.wolves_spiders"
    obeys = yield from consent(fight.seat(mount), "obeys", f"{name} obeys", because=rule)
    if not obeys:
        yield from note(f"{name} does as it likes.", rule)
        return False, scripts
    rule = "riding.script.forfeit"
    later = [
        (volley, place)
        for volley in range(at, VOLLEYS + 1)
        for place, cards in enumerate(plan[volley - 1].slots, 1)
        if (volley, place) > (at, slot) and DROOL not in cards
    ]
    if not later:
        yield from note(f"{name} has no action left to forfeit.", rule)
        return False, scripts
    volley, place = later[-1]
    yield from note(f"{name} forfeits an action to obey.", rule)
    return True, with_plan(scripts, mount, without_action(plan, volley, place))


# --- Orders that are kept up -----------------------------------------------------------------


def repeated(fight: Fight, slot: int) -> Step[list[FightDeed]]:
    """What mounts do that still have an order (riding.combat.last_order).

    As long as they have actions, and nothing of their own gets in the way, by the GM's word.
    """
    deeds = []
    for each in fight.mounts:
        mount = each.character
        action = action_of(each.order) if each.order else ""
        if action not in KEPT_UP or scripts_itself(fight, mount) or each.obeyed == slot:
            continue
        if _unable(fight, mount, slot):
            continue
        reached = [
            deed
            for other in fight.opponents(mount)
            if in_reach(fight, deed := _deed(each.carries, mount, action, each.order, other))
        ]
        if not reached:
            continue
        goes_on = yield from confirm(
            GM,
            "goes_on",
            f"{fight.name(mount)} goes on: {label_of(each.order)}",
            default=True,
            because="riding.combat.last_order",
            kind="consent",
            standing=True,
        )
        if goes_on:
            deeds.append(reached[0])
    return deeds


def arranged(deeds: tuple[FightDeed, ...]) -> tuple[FightDeed, ...]:
    """The deeds of a moment, with what a mount does in defence before what its rider does.

    One defence is enough: if the rider defends himself, the mount's is not needed.
    """
    found: list[FightDeed] = []
    for deed in deeds:
        if not deed.by:
            found.append(deed)
            continue
        own = [each for each in deeds if each.character == deed.character and not each.by]
        if not any(each.action in DEFENCES for each in own):
            found.insert(0, deed)
    return tuple(found)
