"""The odds of a test: the chance to succeed and everything that can come of it.

They come from the *exact* driver over the procedure itself. Numbers are floats where they are
read and exact fractions where they are asked for.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from astragal.dice import Distribution
from astragal.odds.html import odds_html
from astragal.odds.svg import Bar, bar_chart
from astragal.odds.trial import OutcomeNumber, Trial, reasons_in, seen_in, unit_of
from astragal.play import Throwing, exact, sample

RARE = Fraction(1, 2000)
"""Rarer outcomes at the far ends are left out of pictures."""


class OddsRow(msgspec.Struct, frozen=True):
    """One line of the distribution."""

    number: int
    margin: int | None
    good: bool
    chance: float
    at_least: float


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can come of a test, and how likely it is."""

    title: str
    unit: str
    """What the numbers count: successes, margin, degrees, total."""
    exact_chance: Fraction
    """The chance to succeed, exactly."""
    seen: Distribution[OutcomeNumber]
    """Every number with its verdict, exactly."""
    classes: Distribution[str] | None = None
    """Where tests are logged for advancement: the class this one counts as."""
    reasons: dict[str, str] = {}
    """The dice and the obstacle, with the reasons behind them."""
    hope: str = "chance of success"
    """What the chance is a chance of, in words."""
    runs: int | None = None
    """How many runs were sampled, where this is not exact but a count."""

    @property
    def chance(self) -> float:
        """The chance to succeed."""
        return float(self.exact_chance)

    @property
    def numbers(self) -> Distribution[int]:
        """The distribution of the number alone, exactly."""
        return self.seen.map(lambda seen: seen.number)

    @property
    def mean(self) -> float:
        """The number to be expected on average."""
        return float(self.numbers.mean())

    def at_least(self, number: int) -> float:
        """The chance of this number or more."""
        return float(self.numbers.at_least(number))

    @property
    def rows(self) -> tuple[OddsRow, ...]:
        """The whole distribution, least number first."""
        rows, left = [], self.seen.total
        for seen, weight in self.seen.items():
            at_least = float(Fraction(left, self.seen.total))
            chance = float(Fraction(weight, self.seen.total))
            rows.append(OddsRow(seen.number, seen.margin, seen.good, chance, at_least))
            left -= weight
        return tuple(rows)

    @property
    def difficulty(self) -> dict[str, float]:
        """The class for advancement; in a contest it depends on the other side's dice."""
        if self.classes is None:
            return {}
        return {name: float(self.classes.chance(name)) for name in self.classes}

    def to_svg(self) -> str:
        """A picture: one bar for each number, solid where the test succeeds."""
        shown = [row for row in self.rows if row.chance >= RARE]
        signed = self.unit in ("margin", "degrees")
        bars = [
            Bar(
                f"{row.number:+d}" if signed and row.number else f"{row.number}",
                row.chance,
                row.good,
            )
            for row in shown
        ]
        return bar_chart(bars, title=f"{self.title}: {self.chance:.1%}", axis=self.unit)

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        return odds_html(self.title, self.chance, self.unit, self.rows, self.to_svg())

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON, with the exact chance as a text."""
        return {
            "title": self.title,
            "chance": self.chance,
            "exact": str(self.exact_chance),
            "unit": self.unit,
            "mean": self.mean,
            "reasons": self.reasons,
            "difficulty": self.difficulty,
            "runs": self.runs,
            "rows": [msgspec.to_builtins(row) for row in self.rows],
        }


def odds(trial: Trial) -> Odds:
    """The odds of a test if nothing is done but what was said beforehand.

    >>> from astragal.odds import plain
    >>> four = odds(plain("burning_wheel", dice=4, ob=3))
    >>> round(four.chance, 4), four.exact_chance
    (0.3125, Fraction(5, 16))
    >>> [(row.number, row.margin, row.chance) for row in four.rows][:2]
    [(0, -3, 0.0625), (1, -2, 0.25)]
    >>> four.difficulty
    {'difficult': 1.0}
    """
    policy = trial.policy()
    outcomes = exact(trial.start, policy, until=trial.until if trial.reads_fact else None)
    policy.check_all_used()
    # Where the support was cut, a high obstacle may lie beyond the cut.
    chance = success(trial) if outcomes.beyond else outcomes.where(trial.is_good)
    return _read(trial, outcomes, chance)


def success(trial: Trial) -> Fraction:
    """The chance to succeed alone, exactly and as quickly as can be.

    >>> from astragal.odds import plain
    >>> success(plain("burning_wheel", dice=2, ob=3, open_ended=True))
    Fraction(13, 144)
    """
    outcomes = exact(trial.start, trial.policy(), until=trial.until, verdict_only=True)
    return outcomes.where(trial.is_good)


def sampled(
    trial: Trial, runs: int, seed: str | int, *, throwing: Throwing = Throwing.FACES
) -> Odds:
    """The same odds as a count over a number of seeded runs of the same procedure.

    >>> from astragal.odds import plain
    >>> counted = sampled(plain("burning_wheel", dice=4, ob=3), 2000, "an evening")
    >>> abs(counted.chance - 0.3125) < 0.04
    True
    """
    outcomes = sample(trial.start, runs, seed, trial.policy(), throwing=throwing)
    return _read(trial, outcomes, outcomes.where(trial.is_good), runs)


def _read(
    trial: Trial, outcomes: Distribution[Any], chance: Fraction, runs: int | None = None
) -> Odds:
    first = next(iter(outcomes.weights))
    return Odds(
        title=trial.title,
        unit=unit_of(first),
        exact_chance=chance,
        seen=outcomes.map(lambda outcome: seen_in(outcome, trial.is_good(outcome))),
        classes=outcomes.map(_class_of) if hasattr(first, "earned") else None,
        reasons=reasons_in(first),
        hope=trial.hope,
        runs=runs,
    )


def _class_of(outcome: Any) -> str:
    earned = outcome.earned[0] if isinstance(outcome.earned, tuple) else outcome.earned
    return str(earned) or "not logged"
