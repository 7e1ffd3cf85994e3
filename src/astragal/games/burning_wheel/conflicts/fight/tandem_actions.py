"""What costs no action in a fight: words, songs and prayers, and orders to those who hesitate.

A section of the chapter on Fight! (``conflicts/fight/fight``). The other tandem action is
positioning.
"""

from __future__ import annotations

import re

import msgspec

from astragal.errors import BadInput
from astragal.play import GM, Number, Step, Text, all_foregone, ask, confirm, note

from ...magic.faith.battle_prayers import SYLLABLES, prayer_volleys
from ...magic.faith.in_conflict import may_pray
from ...magic.faith.prayer_tables import prayer_named
from ...sheet.words import as_sentence, counted
from .acts import gm_obstacle, roll_in_fight
from .hesitation import shorten
from .prayers import lose_prayer, prayer_chosen
from .social_and_magic import name_spell
from .spells import INCANT
from .state import Fight, PrayerUnderway

LONGEST_PRAYER = 400
"""How long a prayer may be as it is written down."""

LONGEST_SPEECH = 100
"""Likewise of other words, which all have to be said in one volley."""

SPEECH = "speech"
"""The key of the question for words; its default is to say nothing."""

ORDER_WORDS = 3
"""The most words of a Command in a volley (fight.social.command)."""


def speak(fight: Fight) -> Step[Fight]:
    """Everybody who is not hesitating may say a few words in a volley, for no action.

    fight.tandem.speech. A song or a prayer is no action either and goes with anything
    (fight.tandem.song_prayer); it keeps to the same limit (fight.xref.prayer_length). An order
    takes the place of the other words.
    """
    silent = yield from all_foregone(SPEECH)
    hesitating = [fighter for fighter in fight.standing if fighter.hesitates]
    for fighter in fight.standing:
        goes_on = fighter.prayer is not None
        if fighter.prays and not goes_on:
            fight = fight.change(fighter.character, prays=False)
        if fighter.is_hesitating:
            if goes_on:
                fight = yield from lose_prayer(fight, fighter.character)
            continue
        if fighter.spell or INCANT in fighter.announced:
            fight = yield from name_spell(fight, fighter.character)
        ordered = False
        if hesitating and any(
            each.hesitates and each.side == fighter.side for each in fight.standing
        ):
            fight, ordered = yield from _command(fight, fighter.character)
        if silent and not may_pray(fight.sheet(fighter.character)):
            continue
        if not ordered and not goes_on:
            fight = yield from _speech(fight, fighter.character)
    return fight


def _speech(fight: Fight, character: str) -> Step[Fight]:
    """What somebody says, or prays; a longer prayer goes on in the next volleys.

    faith.amb.prayer_timing_in_fight.
    """
    faithful = may_pray(fight.sheet(character))
    prayer = (yield from prayer_chosen(fight, character)) if faithful else None
    prompt = f"{fight.name(character)} prays in these words"
    if prayer is None:
        prompt = f"{fight.name(character)} says, sings or prays"
    words = yield from ask(
        fight.seat(character),
        SPEECH,
        prompt,
        Text(default="", longest=LONGEST_SPEECH if prayer is None else LONGEST_PRAYER),
        because="fight.tandem.speech" if prayer is None else "fight.xref.prayer_length",
        kind="aside" if prayer is None else "offered",
    )
    if prayer is not None:
        said = msgspec.structs.replace(prayer, intent=words or prayer.intent, words=words)
        volleys = prayer_volleys(syllables(words))
        text = f"{fight.name(character)} prays for {prayer_named(prayer.prayer).name}"
        text = as_sentence(f"{text}: {words}" if words else text)
        yield from note(text, "faith.conflict.fight_tandem")
        return fight.change(character, prays=True, prayer=PrayerUnderway(said, volleys))
    if not words:
        return fight
    if syllables(words) > SYLLABLES:
        expected = f"at most {SYLLABLES} syllables in a volley"
        raise BadInput("speech", words, expected, "fight.tandem.speech")
    prays = False
    if not faithful and fight.sheet(character).find("Faith") is not None:
        prays = yield from confirm(
            fight.seat(character),
            "prays",
            f"{fight.name(character)} prays with these words",
            default=True,
            because="fight.tandem.song_prayer",
        )
    text = as_sentence(f"{fight.name(character)}{' prays' if prays else ''}: {words}")
    yield from note(text, "fight.tandem.speech")
    return fight.change(character, prays=True) if prays else fight


def syllables(words: str) -> int:
    """About how many syllables somebody says: groups of vowels, without a silent e.

    >>> syllables("Hold the door!"), syllables("By the light of our mother, burn")
    (3, 8)
    """
    return sum(
        max(1, len(re.findall(r"[aeiouy]+", re.sub(r"(?<=[^aeiouyl])e$", "", word))))
        for word in re.findall(r"[a-z']+", words.casefold())
    )


def _command(fight: Fight, character: str) -> Step[tuple[Fight, bool]]:
    """Shout at somebody who hesitates: three short words, no action, and a test.

    fight.social.command, fight.amb.command_cost. By how much that shortens the hesitation is in
    the skill's own text, which is not in this book: the GM has the last word.
    """
    rule = "fight.social.command"
    if fight.sheet(character).find("Command") is None:
        return fight, False
    words = yield from ask(
        fight.seat(character),
        "command",
        f"{fight.name(character)} commands (three short words)",
        Text(default="", longest=60),
        because=rule,
    )
    if not words:
        return fight, False
    if len(words.split()) > ORDER_WORDS:
        raise BadInput("command", words, f"at most {ORDER_WORDS} short words", rule)
    yield from note(as_sentence(f"{fight.name(character)}: {words}"), rule)
    base = yield from gm_obstacle(fight, character, "Command", None, rule)
    result, fight = yield from roll_in_fight(
        fight, character, "Command", base, action="command", task=f"shouts {words}"
    )
    if not result.passed:
        return fight, True
    side = fight.fighter(character).side
    for each in fight.standing:
        if each.side == side and each.is_hesitating:
            fewer = yield from ask(
                GM,
                "recovers",
                f"{fight.name(each.character)} hesitates for how many actions fewer?",
                Number(
                    least=0, most=each.hesitates, default=min(each.hesitates, 1 + result.margin)
                ),
                because=rule,
                kind="aside",
            )
            fight = shorten(fight, each.character, fewer)
            left = fight.fighter(each.character).hesitates
            name = fight.name(each.character)
            after = (
                f"{name} hesitates for {counted(left, 'action')}." if left else f"{name} recovers."
            )
            yield from note(after, rule)
    return fight, True
