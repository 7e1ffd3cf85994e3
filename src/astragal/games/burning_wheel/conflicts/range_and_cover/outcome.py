"""How a skirmish ends: who is left, who got away, and what follows.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
"""

from __future__ import annotations

from astragal.games.game import Outcome
from astragal.play import Fact, FollowUp, Play, Step, tell

from ...advancement.log import end_series
from ...conditions.hesitation import FALL, SWOON, set_hesitation
from ...conditions.wounds import wound_dice
from ...sheet.scene import BurningTable, Hesitation
from .state import Skirmish


class SkirmisherOutcome(Outcome, frozen=True):
    """Somebody when it is over: on which side, in which state, and with what in hand.

    ``ready`` is how the missile weapon begins a melee: ready, unloaded, or as the first test of the
    melee decides.
    """

    character: str
    side: int
    state: str
    wound_dice: int = 0
    weapon: str = ""
    ready: str = ""


class SkirmishOutcome(Outcome, frozen=True):
    """How a skirmish was settled, which side won, if one did, and what follows.

    ``settled`` is ``felled`` or ``gave_up`` if one side is left, ``escaped`` if somebody is out of
    range of both weapons, ``melee`` if they are too close to shoot, ``lost_to_sight`` if somebody
    was not found. ``ranges`` are the last categories of both sides; ``follows`` is ``fight`` where
    Fight! goes on with the same people.
    """

    settled: str
    winner: int | None = None
    ranges: tuple[str, str] = ("", "")
    skirmishers: tuple[SkirmisherOutcome, ...] = ()
    exchanges: int = 0
    volleys: int = 0
    follows: str = ""


SkirmishResult = tuple[SkirmishOutcome, BurningTable]
"""The outcome of a skirmish, and the table after it."""


class SkirmishConclusion(Fact, frozen=True, tag="skirmish_over"):
    """The end of a skirmish."""

    text: str
    out: tuple[tuple[str, str], ...]
    rule: str
    melee: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Where it goes on hand to hand: the characters of each side, each with what is in hand."""
    ready: tuple[tuple[str, str], ...] = ()
    """How the missile weapons of those begin the melee, by character."""
    heads: tuple[tuple[str, str], ...] = ()
    """What heads those who chose some have on their arrows or bolts, by character."""
    role = "conclusion"

    def sentence(self) -> str:
        """The verdict, then who is out of it."""
        gone = "; ".join(f"{name}: {why}" for name, why in self.out)
        return f"{self.text} {gone}." if gone else self.text

    @property
    def follow_up(self) -> FollowUp | None:
        """The fight in which the same people go on (range_and_cover.range.too_close.ends_volleys).

        Whoever has shot still has the weapon in hand; whether it is ready goes along, for the
        first test there may depend on it (range_and_cover.lastditch.lost_then_melee_win).
        """
        if not self.melee:
            return None
        ready, heads = dict(self.ready), dict(self.heads)
        sides = []
        for side in self.melee:
            fighters = [{"character": who, "weapon": weapon} for who, weapon in side]
            for each in fighters:
                if each["character"] in ready:
                    each["ready"] = ready[each["character"]]
                if each["character"] in heads:
                    each["head"] = heads[each["character"]]
            sides.append({"fighters": fighters})
        return FollowUp("Go on with Fight!", "fight", {"sides": sides})


_SAID = {
    "escaped": "The conflict is over: out of range.",
    "melee": "The conflict goes on hand to hand.",
    "lost_to_sight": "The conflict is over: somebody could not be found.",
    "gave_up": "The conflict is over: both sides give up.",
    "felled": "The conflict is over: nobody is left on either side.",
}


def is_over(skirmish: Skirmish) -> bool:
    """Whether it is settled (range_and_cover.use.no_body_to_reduce)."""
    return bool(skirmish.settled)


def settle(skirmish: Skirmish) -> Play[SkirmishResult]:
    """Say how it ended, leave hesitation in the scene, and close the log of its tests."""
    out = tuple(
        (skirmish.name(each.character), each.out) for each in skirmish.skirmishers if each.out
    )
    if skirmish.winner is not None:
        text = f"The conflict is over: {skirmish.title(skirmish.winner)} won."
    else:
        text = _SAID[skirmish.settled]
    melee: tuple[tuple[tuple[str, str], ...], ...] = ()
    ready = tuple((each.character, each.ready) for each in skirmish.skirmishers if each.ready)
    if skirmish.settled == "melee" and skirmish.series:
        melee = tuple(
            tuple((each.character, each.weapon) for each in skirmish.active(side))
            for side in (0, 1)
        )
    rule = "range_and_cover.use.no_body_to_reduce"
    heads = tuple((each.character, each.head) for each in skirmish.skirmishers if each.head)
    yield from tell(SkirmishConclusion(text, out, rule, melee, ready, heads))
    table = yield from _left_behind(skirmish)
    if skirmish.series:
        table = yield from end_series(table, skirmish.series)
    skirmishers = tuple(
        SkirmisherOutcome(
            each.character,
            each.side,
            each.out or "standing",
            wound_dice(table.character(each.character)),
            each.weapon,
            each.ready,
        )
        for each in skirmish.skirmishers
    )
    ladder = skirmish.ladder
    outcome = SkirmishOutcome(
        settled=skirmish.settled,
        winner=skirmish.winner,
        ranges=(ladder.category(skirmish.at, 0), ladder.category(skirmish.at, 1)),
        skirmishers=skirmishers,
        exchanges=skirmish.exchange,
        volleys=skirmish.volley + 3 * max(0, skirmish.exchange - 1),
        follows="fight" if skirmish.settled == "melee" else "",
    )
    return outcome, table


def _left_behind(skirmish: Skirmish) -> Step[BurningTable]:
    """Hesitation that is not over stays in the scene (steel.amb.hesitation_beyond_conflict)."""
    table = skirmish.table
    ends = table.options["steel_hesitation_beyond_conflict"] == "ends_with_conflict"
    for each in skirmish.skirmishers:
        if ends or each.out or not each.hesitates:
            continue
        left = Hesitation(
            each.character, each.hesitates, each.reaction, prone=each.reaction in (FALL, SWOON)
        )
        because = "steel.amb.hesitation_beyond_conflict"
        table = yield from set_hesitation(table, each.character, left, because=because)
    return table
