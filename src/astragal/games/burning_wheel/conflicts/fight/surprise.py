"""Surprise: who lies in wait, and what it does to those who have not noticed.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

import msgspec

from astragal.play import GM, Step, call, choose, confirm_aside, note, tell

from ...sheet.facts import DiceGathered
from ...steel.dice_and_hesitation import Cause, SteelTest
from ...steel.steel import nerves_tried
from ...tests.attempts import Attempt, prepare
from ...tests.intent import Context, Declaration, agree
from ...tests.simultaneous import throw_together
from ...tests.tests import open_result
from ...tests.versus import EYES, HIDING, SPOTTING
from .footing import log_roll, rolling
from .hesitation import after_steel
from .state import Fight


def ambush(fight: Fight, ambushers: tuple[str, ...]) -> Step[Fight]:
    """Whoever lies in wait tests against everybody of the other sides.

    fight.surprise.test: Inconspicuous or Stealthy against Observation, or against Perception, for
    which the successes count double (extended_example.stealth.double_perception). A tie goes to
    the one who might notice.
    """
    for ambusher in ambushers:
        if (yield from _is_announced(fight, ambusher)):
            continue
        hides = yield from _hiding(fight, ambusher)
        for victim in fight.opponents(ambusher):
            if fight.fighter(victim).is_hesitating:
                continue
            fight = yield from _surprise(fight, ambusher, hides, victim)
    return fight


def _is_announced(fight: Fight, ambusher: str) -> Step[bool]:
    """Whether an ambusher makes himself known first, and so surprises nobody.

    extended_example.surprise.announced: no Steel test, and no Instinct about being surprised.
    """
    rule = "extended_example.surprise.announced"
    announced = yield from confirm_aside(
        GM,
        "announced",
        f"Does {fight.name(ambusher)} reveal themselves before the attack?",
        because=rule,
    )
    if announced:
        text = f"{fight.name(ambusher)} is heard before the attack: nobody is surprised."
        yield from note(text, rule)
    return announced


def _hiding(fight: Fight, ambusher: str) -> Step[str]:
    """The skill of the ambusher: the better of the two, unless the player wants the other."""
    sheet = fight.sheet(ambusher)
    known = [skill for skill in HIDING if sheet.find(skill) is not None]
    if len(known) < 2:
        return known[0] if known else HIDING[0]
    best = max(known, key=lambda skill: sheet.ability(skill).exponent)
    return (
        yield from choose(
            fight.seat(ambusher),
            "hides_by",
            f"{sheet.name} hides by",
            {skill: str(sheet.ability(skill)) for skill in known},
            default=best,
            because="fight.surprise.test",
            kind="aside",
        )
    )


def _surprise(fight: Fight, ambusher: str, hides: str, victim: str) -> Step[Fight]:
    watched = fight.sheet(victim).find(SPOTTING)
    notices = SPOTTING if watched is not None and watched.exponent else EYES
    one = yield from _gather(fight, ambusher, hides, f"lies in wait for {fight.name(victim)}")
    other = yield from _gather(fight, victim, notices, "notices who is there")
    sides = (rolling(fight, one, "ambush"), rolling(fight, other, "notices"))
    hidden, seen = (each[0] for each in (yield from throw_together(sides)))
    base = open_result(hidden.successes, one)
    counts = base * (2 if notices == EYES else 1)
    against = open_result(seen.successes, other)
    surprised = counts > against
    fight = yield from log_roll(fight, one, hidden, against, passed=surprised)
    if notices == EYES:
        other = _untrained(other)
    fight = yield from log_roll(fight, other, seen, base, passed=not surprised)
    rule = "fight.surprise.test"
    if not surprised:
        text = f"{fight.name(victim)} notices {fight.name(ambusher)}: {against} against {counts}."
        yield from note(text, rule)
        return fight
    text = f"{fight.name(ambusher)} surprises {fight.name(victim)}: {counts} against {against}."
    yield from note(text, rule)
    return (yield from _shaken(fight, ambusher, victim))


def _gather(fight: Fight, character: str, ability: str, task: str) -> Step[Attempt]:
    said = Declaration(character=character, task=task, ability=ability)
    context = Context(called_for=True, laid_down=True, several=True)
    agreed = yield from agree(said, context, fight.table)
    attempt = yield from prepare(said, agreed, 0, context, fight.table)
    against = attempt.penalties if attempt.penalties.lines else None
    yield from tell(DiceGathered(f"{fight.name(character)}, {task},", attempt.all_dice, against))
    return attempt


def _untrained(attempt: Attempt) -> Attempt:
    """The roll of one without Observation, as it is logged: that is Beginner's Luck.

    advancement.amb.versus_penalties: by the successes of the ambusher before they count double.
    """
    agreed = msgspec.structs.replace(attempt.agreed, missing_skill=SPOTTING, roots=(EYES,))
    return msgspec.structs.replace(attempt, agreed=agreed)


def _shaken(fight: Fight, ambusher: str, victim: str) -> Step[Fight]:
    """Whoever is surprised tests Steel; hesitation takes the first actions of the exchange.

    fight.surprise.steel.
    """
    if fight.sheet(victim).find("Steel") is None:
        return fight
    test = SteelTest(
        character=victim,
        cause=Cause.SURPRISE,
        source=f"an ambush by {fight.name(ambusher)}",
        forced_by="fight.surprise.steel",
        in_script=True,
        opponent=ambusher,
        weapon=fight.fighter(victim).weapon,
    )
    outcome, table = yield from call(nerves_tried, test, fight.table)
    fight = msgspec.structs.replace(fight, table=table)
    return (yield from after_steel(fight, victim, outcome))
