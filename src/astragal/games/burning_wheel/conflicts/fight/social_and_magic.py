"""Threats, spells and spirits in a fight.

A section of the chapter on Fight! (``conflicts/fight/fight``). What a spell does is for the chapter
on sorcery; here it has its place among the actions.
"""

from __future__ import annotations

from functools import cache

from astragal.play import Number, Option, Step, Text, ask, call, choose, note
from astragal.rules import catalogue

from ...sheet.catalogue_keys import key_of
from ...sheet.sheet import Sheet
from ...sheet.words import as_sentence, counted
from ...steel.dice_and_hesitation import Cause, SteelTest
from ...steel.steel import nerves_tried
from .acts import MOST_ACTIONS, gm_obstacle, listed_cost, lost, roll_in_fight, spend
from .casting import drop, is_casting
from .hesitation import after_steel
from .making_ready import is_ready_to_shoot, throws
from .spells import spell_length, wielded_spell
from .state import Fight, FightDeed

LONGEST, SHORTEST = "longest", "shortest"

MAGIC = ("Sorcery", "Summoning", "Spirit Binding", "Death Art")
"""The skills of those who cast and summon."""


def social_cards(sheet: Sheet) -> tuple[Option, ...]:
    """The cards for threats, spirits and spells, for those who have the skills for them.

    Where a sheet names its spells they have cards of their own (``spells``).
    """
    cards: tuple[Option, ...] = ()
    if sheet.find("Intimidation") is not None:
        cost = counted(listed_cost("Intimidate"), "action")
        cards += (Option("intimidate", "Intimidate", "fight.social.intimidate", cost=cost),)
    if any(sheet.find(skill) is not None for skill in MAGIC):
        if not sheet.spells:
            cards += (
                Option("incant", "Incant", "fight.magic.incant_cost"),
                Option("drop_spell", "Drop a spell", "fight.magic.drop_spell"),
            )
        rule = "fight.magic.command_spirit"
        cards += (Option("command_spirit", "Command a spirit", rule),)
    return cards


def intimidate(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Threaten somebody: two actions, then a test (fight.social.intimidate).

    Of the social skills only this one and Command are of use here (fight.social.only_two). The
    skill's own text is not in this book; a success calls for a Steel test, which is how one is
    made to hesitate.
    """
    character, rule = deed.character, "fight.social.intimidate"
    victim = deed.target or next(iter(fight.opponents(character)), "")
    if not victim:
        return (yield from lost(fight, character, "nobody to intimidate", rule))
    fight, left = spend(fight, character, "intimidate", listed_cost("Intimidate"))
    if left:
        return fight
    will = fight.sheet(victim).find("Will")
    default = None if will is None else max(1, will.exponent)
    base = yield from gm_obstacle(fight, character, "Intimidation", default, rule)
    result, fight = yield from roll_in_fight(
        fight, character, "Intimidation", base, action="intimidate", task="threatens", target=victim
    )
    if not result.passed or fight.sheet(victim).find("Steel") is None:
        return fight
    test = SteelTest(
        character=victim,
        cause=Cause.FEAR,
        source=f"{fight.name(character)}'s threats",
        forced_by=rule,
        opponent=character,
        weapon=fight.fighter(victim).weapon,
        in_script=True,
    )
    steel, table = yield from call(nerves_tried, test, fight.table)
    return (yield from after_steel(fight.at(table), victim, steel))


@cache
def spell_forms() -> dict[str, tuple[str, str]]:
    """The forms of spells by key: what each is, and how long it is as a weapon.

    fight.xref.spell_length, ``sorcery.table.positioning``. A Measured Area has no length
    (sorcery.amb.measured_area_in_fight).
    """
    rows = catalogue().table("sorcery.table.positioning").records()
    return {
        key_of(row["spell_form"]): (str(row["spell_form"]), str(row["fight_length"]))
        for row in rows
        if not str(row["fight_length"]).startswith("see")
    }


def name_spell(fight: Fight, character: str) -> Step[Fight]:
    """Whoever casts in this volley says of what form the spell is; nobody else has dice by it.

    fight.xref.spell_length: a spell counts as a weapon only while it is cast.
    """
    fighter = fight.fighter(character)
    if "incant" not in fighter.announced:
        return fight.change(character, spell="") if fighter.spell else fight
    if fighter.spell:
        return fight
    forms = {key: form for key, (form, _) in spell_forms().items()}
    form = yield from choose(
        fight.seat(character),
        "spell_form",
        f"{fight.name(character)}'s spell",
        forms,
        default=next(iter(forms)),
        because="fight.xref.spell_length",
    )
    return fight.change(character, spell=form)


def spoken_length(fight: Fight, character: str) -> str:
    """The length of a spell or prayer in positioning; empty for whoever does neither.

    A prayer is always the longest weapon (fight.xref.prayer_length). A spell is by its form, and
    some are not against missiles (fight.xref.spell_length).
    """
    fighter = fight.fighter(character)
    if fighter.prays:
        return LONGEST
    if not fighter.spell and not fighter.wields:
        return ""
    shot_at = any(
        is_ready_to_shoot(fight, other) or throws(fight, other)
        for other in fight.opponents(character)
    )
    own = wielded_spell(fight, character)
    if own is not None:
        return spell_length(own, shot_at=shot_at)
    said = spell_forms()[fighter.spell][1]
    if not said.startswith("Longest"):
        return SHORTEST
    return SHORTEST if "missile" in said and shot_at else LONGEST


def incant(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Cast: as many actions as the spell has, without interruption (fight.magic.incant_cost).

    What a spell does that is not on the sheet is for the GM to say; the others are in ``casting``.
    """
    if is_casting(deed.card):
        return fight
    character, rule = deed.character, "fight.magic.incant_cost"
    act = fight.fighter(character).ready.act
    if not act.startswith("incant:"):
        cost = yield from ask(
            fight.seat(character),
            "spell_actions",
            f"{fight.name(character)}'s spell: actions it takes",
            Number(least=1, most=MOST_ACTIONS, default=None),
            because=rule,
        )
        act = f"incant:{cost}"
    fight, left = spend(fight, character, act, int(act.partition(":")[2]))
    name = fight.name(character)
    if left:
        text = f"{name} is casting: {counted(left, 'action')} to go."
    else:
        text = f"{name} has cast the spell: play its effect."
    yield from note(text, rule)
    return fight


def drop_spell(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Let a sustained spell go: one action (fight.magic.drop_spell)."""
    if ":" in deed.card:
        return (yield from drop(fight, deed))
    yield from note(f"{fight.name(deed.character)} lets a spell go.", "fight.magic.drop_spell")
    return fight


def command_spirit(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Command a spirit: one short order for each action (fight.magic.command_spirit)."""
    order = yield from ask(
        fight.seat(deed.character),
        "order",
        f"{fight.name(deed.character)}'s order to the spirit",
        Text(default="Go!", required=True, longest=60),
        because="fight.magic.command_spirit",
    )
    text = as_sentence(f"{fight.name(deed.character)} commands the spirit: {order}")
    yield from note(text, "fight.magic.command_spirit")
    return fight
