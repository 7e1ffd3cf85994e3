"""What else one can do in a fight: look around, draw, get up, pick up, shrug off a wound.

A section of the chapter on Fight! (``conflicts/fight/fight``). The list is open: the GM prices what
is not on it (fight.action.list_is_open). Threats and spells are in ``social_and_magic``, words that
cost no action in ``tandem_actions``.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from astragal.play import GM, Line, Number, Option, Step, Text, ask, call, note

from ...armor.shield_in_hand import DropShield, drop_actions, dropping_shield
from ...artha.bearing_pain import GritYourTeeth, ShrugItOff, gritting_by_persona, shrugging
from ...conditions.borne_pain import PainMethod, bearable, takes
from ...injury.shrugging_off import ClearCobwebs, GritTeeth, cobwebs, gritting, which_wound
from ...riding.mounts import sit_firmly
from ...sheet.editions import edition
from ...sheet.parts import Artha
from ...sheet.words import as_sentence, counted
from ...tests.intent import LONGEST_WORDS
from .acts import MOST_ACTIONS, broken_off, gm_obstacle, listed_cost, lost, roll_in_fight, spend
from .grappling import loosen
from .harm import Harm, apply_harm
from .hesitation import drop_weapon, take_in_hand
from .making_ready import is_shooting, prepare_shot, shooting_cards, shooting_cost
from .mount_nerves import calm
from .social_and_magic import command_spirit, drop_spell, incant, intimidate, social_cards
from .spells import spell_cards
from .stances import change_stance, changes_to, stance_cards
from .state import Fight, FightDeed, Posture

READIED, CONCEALED = 1, 4
"""Actions to draw a weapon at hand, or a hidden one (fight.draw.readied, fight.draw.concealed)."""

ASSESS_MOST = 2
"""The dice of a longer Assess end here (fight.amb.assess_limit)."""

SHRUGS = {
    "cobwebs": PainMethod.COBWEBS,
    "fate": PainMethod.SHRUG,
    "grit": PainMethod.GRITTING,
    "persona": PainMethod.GRIT,
}
"""Ways to bear pain, by the end of their card (fight.xref.shrug_wounds)."""


def cost_of(card: str, fight: Fight, character: str) -> int:
    """How many actions a fighter needs for what a card begins, from where he stands."""
    kind, _, what = card.partition(":")
    fighter, sheet = fight.fighter(character), fight.sheet(character)
    if is_shooting(card):
        return shooting_cost(card, fight, character)
    if kind == "draw_weapon":
        if what in fighter.readied or what == fighter.other_hand:
            return READIED
        return CONCEALED if what in fighter.concealed else listed_cost("Draw weapon")
    if kind == "get_up":  # fight.get_up.two_actions: a crouch is half of it
        whole = listed_cost("Get up")
        return whole - 1 if fighter.posture is Posture.KNEELING else whole
    if kind == "drop_shield" and sheet.shield is not None:  # fight.xref.drop_shield
        return max(1, drop_actions(sheet.shield, fight.table.options) - sheet.shield.freed)
    if kind == "shrug_off":
        return takes(SHRUGS[what]).actions
    listed = {
        "physical_act": "Physical act",
        "intimidate": "Intimidate",
        "retrieve": "Retrieve disarmed weapon",
    }
    return listed_cost(listed[kind]) if kind in listed else 1


# --- The cards -----------------------------------------------------------------------------


def other_cards(fight: Fight, character: str) -> tuple[Option, ...]:
    """The cards beside the martial ones that a fighter can script here."""
    fighter, sheet = fight.fighter(character), fight.sheet(character)
    cards = [
        Option("assess", "Assess", "fight.assess.one_action"),
        Option("assess:longer", "Assess longer", "fight.assess.more_actions"),
    ]
    # A script may count on being knocked down, as after a Tackle (fight.charge.tackle_inside).
    down = fighter.posture is not Posture.STANDING
    if down or not fighter.carries:
        rule, note = "fight.get_up.two_actions", "back on your feet" if down else ""
        cards.append(_card("get_up", "Get up", rule, fight, character, note))
    for weapon in sheet.weapons:
        fallen = any(f.owner == character and f.weapon == weapon for f in fight.fallen)
        if weapon.called != fighter.weapon and not fallen and not weapon.broken:
            key, label = f"draw_weapon:{weapon.called}", f"Draw the {weapon.called}"
            note = "" if fighter.weapon else "instead of bare hands"
            cards.append(_card(key, label, "fight.draw.standard", fight, character, note))
    if any(fallen.owner == character for fallen in fight.fallen):
        rule, note = "fight.disarm.success", "the weapon that was knocked away"
        cards.append(_card("retrieve", "Retrieve", rule, fight, character, note))
    cards += [
        _card(
            f"free:{each.character}",
            f"Free {fight.name(each.character)} from the Lock",
            "fight.lock.immobilized",
            fight,
            character,
            "Power; each success takes a die off",
        )
        for each in fight.standing
        if each.side == fight.fighter(character).side and each.character != character
        if fight.lock_on(each.character)
    ]
    cards += [*stance_cards(), *shooting_cards(fight, character)]
    rule = "fight.physical_act.two_actions"
    cards.append(_card("physical_act", "Physical act", rule, fight, character))
    if sheet.shield is not None:
        rule = "armor.shield.drop_actions"
        label = f"Drop the {sheet.shield.called}"
        cards.append(_card("drop_shield", label, rule, fight, character))
    cards += [
        _card(f"shrug_off:{end}", SHRUGS[end].value, "fight.xref.shrug_wounds", fight, character)
        for end in _shrugs(fight, character)
    ]
    return (*cards, *social_cards(sheet), *spell_cards(fight, character))


def _card(key: str, label: str, rule: str, fight: Fight, character: str, note: str = "") -> Option:
    cost = counted(cost_of(key, fight, character), "action")
    return Option(key, label, rule, cost=cost, note=note)


def _shrugs(fight: Fight, character: str) -> list[str]:
    """The ways in which a fighter could bear the pain of wounds that still hurt.

    In the later edition artha is spent on the test itself and takes no action
    (gold.diff.shrug_off_superficial, gold.diff.grit_teeth).
    """
    sheet = fight.sheet(character)
    on_the_test = edition(fight.table.options).pain_is_borne_on_the_test
    held = Artha() if on_the_test else sheet.artha
    paid = {"fate": held.fate, "persona": held.persona}
    return [way for way, method in SHRUGS.items() if paid.get(way, 1) and bearable(sheet, method)]


# --- Carrying them out ---------------------------------------------------------------------


def carry_out(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """One action that is not a martial one."""
    kind = deed.card.partition(":")[0]
    if is_shooting(deed.card):
        return (yield from prepare_shot(fight, deed))
    if changes_to(deed.card) is not None:
        return (yield from change_stance(broken_off(fight, deed), deed))
    if kind not in _DEEDS:
        return broken_off(fight, deed)
    return (yield from _DEEDS[kind](broken_off(fight, deed), deed))


# --- General actions -----------------------------------------------------------------------


def _assess(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Look for one thing that the player names: a test of Perception (fight.assess.one_action).

    Without it a player has only what the GM volunteers (fight.assess.purpose). Who looks longer
    first has +1D for one action more and +2D for two (fight.assess.more_actions).
    """
    character = deed.character
    ready = fight.fighter(character).ready
    spent = ready.done if ready.act == "assess" else 0
    if deed.card == "assess:longer":
        now = msgspec.structs.replace(ready, act="assess", done=spent + 1)
        return fight.change(character, ready=now)
    now = msgspec.structs.replace(ready, act="", done=0)
    fight = fight.change(character, ready=now)
    sought = yield from ask(
        fight.seat(character),
        "assess",
        f"{fight.name(character)} looks for",
        Text(default="anything of use", longest=LONGEST_WORDS),
        because="fight.assess.one_action",
    )
    rule = "fight.assess.more_actions"
    more = min(spent, ASSESS_MOST)
    dice = (Line(more, "looking longer", rule),) if more else ()
    base = yield from gm_obstacle(fight, character, "Assess", None, "fight.assess.one_action")
    result, fight = yield from roll_in_fight(
        fight, character, "Perception", base, action="assess", task=f"looks for {sought}", dice=dice
    )
    found = yield from ask(
        GM,
        "assessed",
        f"What {fight.name(character)} sees",
        Text(default="", longest=LONGEST_WORDS),
        because="fight.assess.purpose",
        kind="offered" if result.passed else "aside",
    )
    if found:
        text = as_sentence(f"{fight.name(character)} sees: {found}")
        yield from note(text, "fight.assess.purpose")
    return fight


def _draw(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Draw a weapon: two actions, one if it is at hand, four if it is concealed.

    fight.draw.standard, fight.draw.readied, fight.draw.concealed. What was in the hand before
    falls to the ground.
    """
    character, what = deed.character, deed.card.partition(":")[2]
    if what not in [weapon.called for weapon in fight.sheet(character).weapons]:
        return (yield from lost(fight, character, f"no {what} to draw", "fight.draw.standard"))
    cost, name = cost_of(deed.card, fight, character), fight.name(character)
    rule = {READIED: "fight.draw.readied", CONCEALED: "fight.draw.concealed"}.get(
        cost, "fight.draw.standard"
    )
    fight, left = spend(fight, character, deed.card, cost)
    if left:
        yield from note(f"{name} begins to draw the {what}: {counted(left, 'action')} to go.", rule)
        return fight
    yield from note(f"{name} draws the {what}.", rule)
    return take_in_hand(drop_weapon(fight, character), character, what)


def _get_up(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """To a crouch with the first action, to one's feet with the second.

    fight.get_up.two_actions.
    """
    name, rule = fight.name(deed.character), "fight.get_up.two_actions"
    match fight.fighter(deed.character).posture:
        case Posture.DOWN:
            after, text = Posture.KNEELING, f"{name} gets up to one knee."
        case Posture.KNEELING:
            after, text = Posture.STANDING, f"{name} gets to their feet."
        case Posture.STANDING:
            return (yield from lost(fight, deed.character, "already standing", rule))
    yield from note(text, rule)
    return fight.change(deed.character, posture=after)


def _physical_act(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Open a door, overturn a table: mostly two actions (fight.physical_act.two_actions).

    Whatever else somebody thinks of goes here, too, at the GM's price
    (fight.action.list_is_open).
    """
    character = deed.character
    act = fight.fighter(character).ready.act
    if not act.startswith("physical_act:"):
        cost = yield from ask(
            GM,
            "act_cost",
            f"{fight.name(character)}, physical act: actions it takes",
            Number(least=1, most=MOST_ACTIONS, default=listed_cost("Physical act")),
            because="fight.action.list_is_open",
            kind="aside",
        )
        act = f"physical_act:{cost}"
    fight, left = spend(fight, character, act, int(act.partition(":")[2]))
    if left:
        return fight
    done = yield from ask(
        fight.seat(character),
        "physical_act",
        f"{fight.name(character)}, physical act",
        Text(default="does it", longest=LONGEST_WORDS),
        because="fight.physical_act.two_actions",
    )
    text = as_sentence(f"{fight.name(character)}: {done}")
    yield from note(text, "fight.physical_act.two_actions")
    return fight


def _retrieve(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Pick up a weapon that was knocked away: two actions (fight.disarm.success).

    Only when its owner has won a positioning test since (fight.disarm.retrieve_needs_position).
    """
    character = deed.character
    own = [fallen for fallen in fight.fallen if fallen.owner == character]
    near = [fallen for fallen in own if fallen.reached]
    if not near:
        why = "the weapon is out of reach" if own else "nothing to pick up"
        return (yield from lost(fight, character, why, "fight.disarm.retrieve_needs_position"))
    fight, left = spend(fight, character, "retrieve", cost_of("retrieve", fight, character))
    if left:
        return fight
    fight = drop_weapon(fight, character)
    others = tuple(fallen for fallen in fight.fallen if fallen != near[0])
    what = near[0].weapon.called
    yield from note(f"{fight.name(character)} picks up the {what}.", "fight.disarm.success")
    return take_in_hand(msgspec.structs.replace(fight, fallen=others), character, what)


def _free(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Another's help frees who is held, also one who is helpless (fight.lock.immobilized).

    As to escape, by Power: each success takes a die off the Lock (fight.lock.escape).
    """
    character, victim = deed.character, deed.card.partition(":")[2]
    if not fight.lock_on(victim):
        why = "nobody has to be freed"
        return (yield from lost(fight, character, why, "fight.lock.immobilized"))
    held = Line(fight.lock_on(victim), "Lock", "fight.lock.escape")
    result, fight = yield from roll_in_fight(
        fight, character, "Power", held, action="free", task=f"frees {fight.name(victim)}"
    )
    against = result.obstacle.total - held.amount
    return (yield from loosen(fight, victim, max(0, result.successes - against)))


def _drop_shield(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """An action toward getting rid of a shield (fight.xref.drop_shield)."""
    if fight.sheet(deed.character).shield is None:
        return (yield from lost(fight, deed.character, "no shield", "armor.shield.drop_actions"))
    _, table = yield from call(dropping_shield, DropShield(deed.character, 1), fight.table)
    return fight.at(table)


# --- Wounds --------------------------------------------------------------------------------


def _shrug_off(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Bear the pain of a wound, by a test of Health or by artha (fight.xref.shrug_wounds)."""
    character, end = deed.character, deed.card.partition(":")[2]
    if end not in _shrugs(fight, character):
        why = "nothing to shrug off that way"
        return (yield from lost(fight, character, why, "fight.xref.shrug_wounds"))
    fight, left = spend(fight, character, deed.card, cost_of(deed.card, fight, character))
    if left:
        return fight
    table = fight.table
    if end == "cobwebs":
        _, table = yield from call(cobwebs, ClearCobwebs(character), table)
    elif end == "fate":
        _, table = yield from call(shrugging, ShrugItOff(character), table)
    else:
        wound = yield from which_wound(fight.sheet(character), fight.seat(character), SHRUGS[end])
        if end == "grit":
            _, table = yield from call(gritting, GritTeeth(character, wound), table)
        else:
            paid = GritYourTeeth(character, wound)
            _, table = yield from call(gritting_by_persona, paid, table)
    return fight.at(table)


def _steady(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """An action spent on a mount that hesitates (riding.steel.rider_chooses)."""
    mount = fight.mount(deed.character)
    if not mount or not fight.fighter(mount).is_hesitating:
        rule = "riding.steel.rider_chooses"
        return (yield from lost(fight, deed.character, "no mount that hesitates", rule))
    fight, hits = yield from calm(fight, deed.character)
    return (yield from apply_harm(fight, tuple(Harm(hit) for hit in hits))) if hits else fight


def _reseat(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """An action to get back into the saddle (riding.lance.unhorse_one_pace)."""
    return fight.at((yield from sit_firmly(fight.table, deed.character)))


_DEEDS: dict[str, Callable[[Fight, FightDeed], Step[Fight]]] = {
    "assess": _assess,
    "draw_weapon": _draw,
    "get_up": _get_up,
    "physical_act": _physical_act,
    "retrieve": _retrieve,
    "free": _free,
    "drop_shield": _drop_shield,
    "shrug_off": _shrug_off,
    "intimidate": intimidate,
    "incant": incant,
    "hold_spell": incant,
    "drop_spell": drop_spell,
    "command_spirit": command_spirit,
    "steady_mount": _steady,
    "reseat": _reseat,
}
"""How each of them is carried out, by the first part of its card."""
