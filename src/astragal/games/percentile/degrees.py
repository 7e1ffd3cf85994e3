"""Success and failure, and their degrees.

Only whole tens are compared, of the roll and of the target number; the ones digits never
matter (percentile.degrees.ones_ignored). What degrees are good for is up to each use.
"""

from __future__ import annotations

import msgspec

from astragal.rules import Options

ALWAYS_SUCCEEDS = 1
"""percentile.core.natural_one."""

ALWAYS_FAILS = 100
"""percentile.core.natural_hundred."""


class TestDegrees(msgspec.Struct, frozen=True, cache_hash=True):
    """A success with its degrees of success, or a failure with its degrees of failure."""

    passed: bool
    degrees: int


def is_success(rolled: int, target: int) -> bool:
    """Whether a d100 result makes a test.

    At or below the target number succeeds (percentile.core.success), above it fails
    (percentile.core.failure); 1 and 100 go their own way whatever the target is.
    """
    if rolled == ALWAYS_SUCCEEDS:
        return True
    if rolled == ALWAYS_FAILS:
        return False
    return rolled <= target


def counts_sign(options: Options) -> bool:
    """Whether tens below 0 keep their sign at this table (percentile.amb.tens_digit_negative)."""
    return options["percentile_negative_tens"] == "towards_zero_with_sign"


def whole_tens(number: int, *, sign: bool) -> int:
    """The whole tens of a roll or target: 115 has 11 (percentile.amb.tens_digit_large).

    The ones do not matter (percentile.degrees.ones_ignored). Below 0 the tens are cut off towards
    zero and keep their sign, or count as 0.

    >>> [whole_tens(number, sign=True) for number in (115, 100, 53, 7, -5, -35)]
    [11, 10, 5, 0, 0, -3]
    >>> whole_tens(-35, sign=False)
    0
    """
    if number >= 0:
        return number // 10
    return -(-number // 10) if sign else 0


def judged(rolled: int, target: int, *, sign: bool) -> TestDegrees:
    """The result of a test: 1 degree to begin with, and one for each ten between roll and target.

    percentile.degrees.success_first, percentile.degrees.success_more,
    percentile.degrees.failure_first, percentile.degrees.failure_more. The target is the modified
    value (percentile.degrees.modified, percentile.amb.roll_vs_characteristic). There is never
    less than 1 degree, of an automatic success or failure either
    (percentile.amb.automatic_degrees).

    >>> judged(21, 53, sign=True), judged(81, 40, sign=True)
    (TestDegrees(passed=True, degrees=4), TestDegrees(passed=False, degrees=5))
    """
    passed = is_success(rolled, target)
    ahead = whole_tens(target, sign=sign) - whole_tens(rolled, sign=sign)
    return TestDegrees(passed, max(1, 1 + (ahead if passed else -ahead)))
