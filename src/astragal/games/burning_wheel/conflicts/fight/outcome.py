"""How a fight ends: who is left, who gave up, and what stays behind.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from astragal.games.about import listed
from astragal.games.game import SCENE, Outcome
from astragal.play import Fact, FollowUp, Play, Step, Text, ask, note, tell

from ...advancement.log import end_series
from ...conditions.hesitation import set_hesitation
from ...conditions.wounds import wound_dice
from ...sheet.ranged_weapons import is_missile
from ...sheet.scene import BurningTable, Hesitation
from .state import Fight, Posture

FELLED, GAVE_UP, APART, CALLED_OFF = "felled", "gave_up", "apart", "called_off"
AT_RANGE = "at_range"

MISSILES = "range_and_cover"
"""How those who are out of reach go on, if with missiles: the procedure's name."""


class FighterOutcome(Outcome, frozen=True):
    """A fighter when it is over: on which side, in which state, and with how many wound dice.

    ``weapon`` is what is in hand.
    """

    character: str
    side: int
    state: str
    wound_dice: int = 0
    weapon: str = ""


class FightOutcome(Outcome, frozen=True):
    """How a fight was settled, which side won, if one did, and what became of everybody.

    ``settled`` is ``felled`` or ``gave_up`` if one side is left, ``apart`` if all are out of reach,
    ``called_off`` if everybody hesitates and nobody goes on, ``at_range`` if it goes on with
    missiles. ``heartbeats`` is how long it took, ``then`` what follows, in the players' words;
    ``follows`` is ``range_and_cover`` where that goes on with the same people, after a fight.
    """

    settled: str
    winner: int | None = None
    fighters: tuple[FighterOutcome, ...] = ()
    exchanges: int = 0
    volleys: int = 0
    heartbeats: int = 0
    then: str = ""
    follows: str = ""


class FightConclusion(Fact, frozen=True, tag="fight_over"):
    """The end of a fight."""

    text: str
    standing: tuple[str, ...]
    out: tuple[tuple[str, str], ...]
    rule: str
    apart: tuple[tuple[str, ...], ...] = ()
    """Where both sides are out of reach and can still shoot: the characters of each."""
    role = "conclusion"

    def sentence(self) -> str:
        """The verdict, then who is out of it."""
        by_state: dict[str, tuple[str, ...]] = {}
        for name, why in self.out:
            by_state[why] = (*by_state.get(why, ()), name)
        gone = "; ".join(f"{listed(names)}: {why}" for why, names in by_state.items())
        return f"{self.text} {gone}." if gone else self.text

    @property
    def follow_up(self) -> FollowUp | None:
        """Those who can shoot may go on from a distance."""
        if not self.apart:
            return None
        sides = [{"shooters": [{"character": who} for who in side]} for side in self.apart]
        return FollowUp("Go on with Range and Cover", MISSILES, {"sides": sides})


FightResult = tuple[FightOutcome, BurningTable]
"""The outcome of a fight, and the table after it."""


def settle(fight: Fight, how: str) -> Play[FightResult]:
    """Say how it ended, ask what becomes of the losers, and close the log of its tests."""
    sides = tuple(dict.fromkeys(each.side for each in fight.standing))
    winner = sides[0] if len(sides) == 1 and how in (FELLED, GAVE_UP) else None
    names = tuple(fight.name(each.character) for each in fight.standing)
    out = tuple((fight.name(each.character), each.out) for each in fight.fighters if each.out)
    rule = "fight.sequence.9_end"
    if winner is not None:
        text = f"The fight is over: {listed(names)} won."
    elif how == APART:
        text = "The fight is over: everyone is out of reach."
        rule = "fight.distance.outside.fight_over"
    elif how == AT_RANGE:
        text = "The melee is over: it goes on with missiles, as Range and Cover."
        rule = "extended_example.leave.to_range_and_cover"
    else:
        text = "The fight is over: nobody is left fighting."
    apart = _shooters(fight) if how == AT_RANGE else ()
    yield from tell(FightConclusion(text, names, out, rule, apart))
    after = ""
    if winner is not None:
        after = yield from _mercy(fight)
    table = yield from _left_behind(fight)
    if fight.series:
        table = yield from end_series(table, fight.series)
    fighters = tuple(
        FighterOutcome(
            each.character,
            each.side,
            each.out or "standing",
            wound_dice(table.character(each.character)),
            each.weapon,
        )
        for each in fight.fighters
    )
    volleys = fight.volley + 3 * max(0, fight.exchange - 1)
    outcome = FightOutcome(
        settled=how,
        winner=winner,
        fighters=fighters,
        exchanges=fight.exchange,
        volleys=volleys,
        heartbeats=volleys,  # fight.volley.three_per_exchange: one each
        then=after,
        follows="range_and_cover" if how == AT_RANGE else "",
    )
    return outcome, table


def _shooters(fight: Fight) -> tuple[tuple[str, ...], ...]:
    """Those of two sides out of reach, if anybody among them has a missile weapon.

    With several on a side only where the table plays it so (range_and_cover.amb.groups).
    """
    if not fight.series:
        return ()
    sides = dict.fromkeys(each.side for each in fight.standing)
    found = tuple(
        tuple(each.character for each in fight.standing if each.side == side) for side in sides
    )
    alone = fight.table.options["range_and_cover_groups"] == "one_against_one"
    if len(found) != 2 or (alone and any(len(side) > 1 for side in found)):
        return ()
    carried = (weapon for side in found for each in side for weapon in fight.sheet(each).weapons)
    return found if any(is_missile(each.weapon) for each in carried) else ()


def _mercy(fight: Fight) -> Step[str]:
    """What the winners do with those at their mercy is theirs to say."""
    losers = [fight.name(each.character) for each in fight.fighters if each.out]
    leader = fight.standing[0].character if fight.standing else ""
    if not losers or not leader:
        return ""
    said = yield from ask(
        fight.seat(leader),
        "mercy",
        f"{fight.name(leader)}: what becomes of {listed(losers)}?",
        Text(default="", longest=200),
        because="fight.sequence.9_end",
        kind="aside",
    )
    if said:
        yield from note(f"{fight.name(leader)}: {said}", "fight.sequence.9_end")
    return said


def _left_behind(fight: Fight) -> Step[BurningTable]:
    """What stays in the scene: hesitation that is not over, and who is still on the ground.

    steel.amb.hesitation_beyond_conflict, steel.amb.prone_afterwards. Cover that shields were
    rolled for ends with the melee (armor.amb.shield_missile_roll_frequency).
    """
    table = fight.table
    ends = table.options["steel_hesitation_beyond_conflict"] == "ends_with_conflict"
    for each in fight.fighters:
        beats = 0 if ends or each.out else each.hesitates
        prone = each.posture is Posture.DOWN and not table.character(each.character).dead
        kneels = each.posture is Posture.KNEELING and not prone
        if not (beats or prone or kneels):
            continue
        left = Hesitation(
            each.character, beats, each.reaction if beats else "", prone=prone, kneeling=kneels
        )
        because = "steel.amb.hesitation_beyond_conflict"
        table = yield from set_hesitation(table, each.character, left, because=because)
    because = "armor.amb.shield_missile_roll_frequency"
    return (yield from table.amend(SCENE, "covers", (), because=because))
