"""Ranges: which category a weapon is in, and what a move makes of it.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). Precise
distances are not tracked. What is tracked is a *state*: the categories of both weapons together, a
row of ``range_and_cover.table.joint_ladder``.
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import Line
from astragal.rules import Options, catalogue

from ...sheet.ranged_weapons import ranged
from ...sheet.weapon_tables import Weapon
from ...weapons.missiles import OPTIMAL_PACES, head_of, reach

OUT, EXTREME, OPTIMAL, TOO_CLOSE = "out of range", "extreme", "optimal", "too close to shoot"
CATEGORIES = (OUT, EXTREME, OPTIMAL, TOO_CLOSE)
"""From far to near (range_and_cover.range.four_categories)."""

MELEE, OVER = "TC", "over"
"""The ends of every ladder: hand weapons reach, or somebody has got away."""

NEAREST = 10
"""Where optimal range begins, in paces (range_and_cover.range.optimal.span)."""

TENFOLD = 10
"""range_and_cover.relation.tenfold; exactly so many times counts.

range_and_cover.amb.tenfold_choice."""


class RangedArm(msgspec.Struct, frozen=True):
    """What a side shoots or throws with: how far it reaches, and its dice for range.

    ``near`` is where its optimal range ends, in paces.
    """

    weapon: str
    paces: int
    optimal: int
    extreme: int
    near: int = OPTIMAL_PACES

    def dice(self, category: str) -> int:
        """The range dice at a category of this weapon.

        range_and_cover.dice.range_dice_by_current_range; none out of range
        (range_and_cover.amb.range_dice_while_out_of_range).
        """
        return {OPTIMAL: self.optimal, EXTREME: self.extreme}.get(category, 0)

    def span(self, category: str) -> tuple[int, int]:
        """From how many paces to how many a category lies, for those who tell the story.

        Optimal range is between about 10 and 30 paces (range_and_cover.range.optimal.span), extreme
        from there to the end of the weapon's reach (range_and_cover.range.extreme.span).

        >>> RangedArm("hunting bow", 100, 1, 2).span("extreme")
        (30, 100)
        """
        far = min(self.near, self.paces)
        if category == OPTIMAL:
            return min(NEAREST, far), far
        return (far, self.paces) if category == EXTREME else (0, 0)

    def lines(self, category: str) -> tuple[Line, ...]:
        """The range dice as a line of a pool (range_and_cover.dice.range_dice_add)."""
        dice = self.dice(category)
        rule = "range_and_cover.dice.range_dice_by_current_range"
        return (Line(dice, f"{self.weapon}, {category} range", rule),) if dice else ()


PISTOL = {"1d_1d": (1, 1), "2d_1d": (2, 1)}
"""The dice of a pistol, by the table's option (range_and_cover.amb.pistol_range_dice)."""

UNLISTED = 10
"""How far a thing flies that is not made for throwing, in paces; none of them is listed."""


@lru_cache(256)
def arm_of(carried: Weapon, options: Options, head: str = "") -> RangedArm:
    """A weapon as it counts for ranges, whatever it is that shoots or throws.

    range_and_cover.use.any_shooter. Its paces only say which of two weapons reaches farther
    (range_and_cover.range.max_paces); that some reach no farther than what is usually called
    optimal range does not matter (range_and_cover.amb.optimal_paces). With some heads it reaches
    less far (weapons.amb.mallet_head_range).
    """
    weapon = ranged(carried.weapon, options)
    optimal, extreme = weapon.dice
    if carried.weapon == "pistol":
        optimal, extreme = PISTOL[options["range_and_cover_pistol_dice"]]
    near, paces = reach(weapon, head_of(carried, head))
    return RangedArm(carried.called, paces or UNLISTED, optimal, extreme, near)


# --- Two weapons -----------------------------------------------------------------------------


@cache
def _states(case: str) -> tuple[str, ...]:
    rows = catalogue().table("range_and_cover.table.joint_ladder").all_where(case=case)
    return tuple(str(row["state"]) for row in rows)


class Ladder(msgspec.Struct, frozen=True):
    """The joint states of two weapons: how they compare, and whose reaches farther.

    range_and_cover.relation.by_max_range.
    """

    case: str
    longer: int = 0

    def states(self) -> tuple[str, ...]:
        """All states in which nobody is too close and nobody has got away, the farthest first."""
        return _states(self.case)

    def category(self, state: str, side: int) -> str:
        """The category of a side's weapon (range_and_cover.range.per_weapon).

        Too close is so for every weapon (range_and_cover.tcts.shared), and out of range it is for
        both when somebody has escaped.
        """
        if state == MELEE:
            return TOO_CLOSE
        if state == OVER:
            return OUT
        return _row(self.case, state)[0 if side == self.longer else 1]

    def name(self, state: str, side: int) -> str:
        """A state in the words of one side: the own category, then the other's.

        >>> Ladder("longer", longer=1).name("J2", 0)
        'extreme/optimal'
        """
        return f"{self.category(state, side)}/{self.category(state, 1 - side)}".replace(" ", "_")

    def moved(self, state: str, side: int, intent: str, *, never_skip: bool) -> tuple[str, ...]:
        """Where a winning Close or Withdraw may lead, what it leads to if nothing is said first.

        Counted in the categories of the other side's weapon (range_and_cover.win.close_effect,
        range_and_cover.win.withdraw_effect), and one of them, whatever the margin
        (range_and_cover.win.one_category_only). From far away a winner may stop where his own
        weapon is at extreme range (range_and_cover.amb.longer_closes_from_far). A Close may lead
        past the winner's own optimal range, unless the table plays otherwise
        (range_and_cover.amb.move_unit_skips).
        """
        longer = side == self.longer or self.case == "same"
        found = _moves(self.case, state, "longer" if longer else "shorter", intent)
        if intent != "close":
            return found
        if never_skip and found[0] == MELEE and self.category(state, side) != OPTIMAL:
            found = (self.states()[-1],)
        order = (*self.states(), MELEE)
        between = order[order.index(state) + 1 : order.index(found[0])]
        stops = [each for each in between if self.category(each, side) == EXTREME]
        return (*found, *(each for each in stops if each not in found))

    def starts(self, side: int) -> tuple[str, ...]:
        """Where a side that has won the first test may begin, the nearest first.

        Out of range, extreme or optimal for the own weapon
        (range_and_cover.start.winner_picks_range), never too close
        (range_and_cover.start.never_too_close); the other's category follows from how the weapons
        compare (``range_and_cover.table.range_relation``): where the longer weapon is put at
        optimal range, the shorter one is at its own (range_and_cover.relation.longer_at_optimal),
        or out of range with a tenfold reach (range_and_cover.relation.tenfold).
        """
        placed = tuple(reversed(self.states()))
        if self.case == "same" or side != self.longer:
            return placed
        return tuple(s for s in placed if self._placed_by_longer(s))

    def _placed_by_longer(self, state: str) -> bool:
        mine, theirs = (self.category(state, side) for side in (self.longer, 1 - self.longer))
        return (mine, theirs) != (OPTIMAL, EXTREME)

    def other_category(self, mine: str, *, longer: bool, theirs_can: bool) -> str:
        """The category of a companion's weapon that reaches farther or less far than the leader's.

        As between opponents: at the longer one's extreme range the shorter is out of range
        (range_and_cover.relation.longer_at_extreme), at the shorter one's extreme or optimal range
        the longer is at optimal (range_and_cover.relation.shorter_at_extreme,
        range_and_cover.relation.shorter_at_optimal), and beyond that at extreme as long as
        anybody can still shoot.
        """
        if mine in (TOO_CLOSE, OPTIMAL):
            return mine
        if not longer:
            return OUT
        if mine == EXTREME:
            return OPTIMAL
        return EXTREME if theirs_can else OUT


def ladder_of(one: RangedArm | None, other: RangedArm | None) -> Ladder:
    """How two weapons compare (range_and_cover.relation.by_max_range).

    Weapons of equal reach are always in the same category (range_and_cover.relation.same). If only
    one side has a missile weapon, all moves are counted in its categories
    (range_and_cover.amb.opponent_without_missile_weapon).
    """
    if one is None or other is None or one.paces == other.paces:
        return Ladder("same")
    longer = 0 if one.paces > other.paces else 1
    near, far = sorted((one.paces, other.paces))
    return Ladder("tenfold" if far >= TENFOLD * near else "longer", longer)


@cache
def _row(case: str, state: str) -> tuple[str, str]:
    row = catalogue().table("range_and_cover.table.joint_ladder").where(case=case, state=state)
    return str(row["longer_weapon"]), str(row["shorter_weapon"])


@cache
def _moves(case: str, state: str, who: str, intent: str) -> tuple[str, ...]:
    row = catalogue().table("range_and_cover.table.joint_ladder").where(case=case, state=state)
    listed = row[f"if_{who}_wins_{intent}"]
    assert isinstance(listed, tuple | list)
    return tuple(map(str, listed))
