"""Surprise: who lies in wait, and what it does to those who have not noticed.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

import msgspec

from astragal.play import GM, Step, call, choose, confirm_aside, note, tell

from ...artha.on_a_roll import ThrownDice
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


class _Watching(msgspec.Struct, frozen=True):
    """Who lies in wait or may notice it, by which ability, and with which dice."""

    character: str
    ability: str
    attempt: Attempt
    thrown: ThrownDice | None = None

    @property
    def counts(self) -> int:
        """The successes, less penalties."""
        return 0 if self.thrown is None else open_result(self.thrown.successes, self.attempt)


def ambush(fight: Fight, ambushers: tuple[str, ...]) -> Step[Fight]:
    """Whoever lies in wait tests against everybody of the other sides.

    fight.surprise.test: Inconspicuous or Stealthy against Observation, or against Perception, for
    which the successes count double (extended_example.stealth.double_perception). A tie goes to
    the one who might notice. Everybody rolls once, and what was rolled counts against all
    (tests.let_it_ride.one_roll, tests.let_it_ride.successes_carry).
    """
    hiding: dict[str, str] = {}
    for ambusher in ambushers:
        if not (yield from _is_announced(fight, ambusher)):
            hiding[ambusher] = yield from _hiding(fight, ambusher)
    unaware = [
        victim
        for victim in dict.fromkeys(other for one in hiding for other in fight.opponents(one))
        if not fight.fighter(victim).is_hesitating
    ]
    if not unaware:
        return fight
    hidden, seeing = [], []
    for ambusher, hides in hiding.items():
        attempt = yield from _gather(fight, ambusher, hides, "lies in wait")
        hidden.append(_Watching(ambusher, hides, attempt))
    for victim in unaware:
        notices = _notices(fight, victim)
        attempt = yield from _gather(fight, victim, notices, "notices who is there")
        seeing.append(_Watching(victim, notices, attempt))
    sides = [rolling(fight, each.attempt, "ambush") for each in hidden]
    sides += [rolling(fight, each.attempt, "notices") for each in seeing]
    thrown = [each[0] for each in (yield from throw_together(tuple(sides)))]
    hidden = _rolled(hidden, thrown[: len(hidden)])
    seeing = _rolled(seeing, thrown[len(hidden) :])
    fight = yield from _logged(fight, hidden, seeing)
    for watcher in seeing:
        lurking = [one for one in hidden if watcher.character in fight.opponents(one.character)]
        fight = yield from _surprise(fight, lurking, watcher)
    return fight


def _rolled(those: list[_Watching], thrown: list[ThrownDice]) -> list[_Watching]:
    both = zip(those, thrown, strict=True)
    return [msgspec.structs.replace(each, thrown=dice) for each, dice in both]


def _surprises(ambusher: _Watching, victim: _Watching) -> bool:
    return _against(ambusher, victim) > victim.counts


def _against(ambusher: _Watching, victim: _Watching) -> int:
    """What stands against noticing somebody, twice as much for eyes alone."""
    return ambusher.counts * (2 if victim.ability == EYES else 1)


def _logged(fight: Fight, hidden: list[_Watching], seeing: list[_Watching]) -> Step[Fight]:
    """Each roll against the best of those that it was held against."""
    for each in (*hidden, *seeing):
        assert each.thrown is not None
        lurks = each in hidden
        rivals = [
            other
            for other in (seeing if lurks else hidden)
            if other.character in fight.opponents(each.character)
        ]
        against = max((other.counts for other in rivals), default=0)
        if lurks:
            passed = all(_surprises(each, other) for other in rivals)
        else:
            passed = not any(_surprises(other, each) for other in rivals)
        attempt = _untrained(each.attempt) if each.ability == EYES else each.attempt
        fight = yield from log_roll(fight, attempt, each.thrown, against, passed=passed)
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


def _notices(fight: Fight, victim: str) -> str:
    watched = fight.sheet(victim).find(SPOTTING)
    return SPOTTING if watched is not None and watched.exponent else EYES


def _surprise(fight: Fight, lurking: list[_Watching], victim: _Watching) -> Step[Fight]:
    """Who has noticed whom; the first of those who were not noticed comes as a surprise."""
    rule, name = "fight.surprise.test", fight.name(victim.character)
    by = ""
    for each in lurking:
        who, counts = fight.name(each.character), _against(each, victim)
        if _surprises(each, victim):
            text = f"{who} surprises {name}: {counts} against {victim.counts}."
            by = by or each.character
        else:
            text = f"{name} notices {who}: {victim.counts} against {counts}."
        yield from note(text, rule)
    return (yield from _shaken(fight, by, victim.character)) if by else fight


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
