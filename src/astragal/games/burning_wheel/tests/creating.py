"""Creating something of a shade: a test whose effect is only as light as the ability.

A part of the chapter on shades (``sheet.shades``). Spells have rules
of their own, which take ``sheet.shades.check_effect`` from there.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.intent import Declaration, Link
from astragal.games.burning_wheel.tests.results import StandardOutcome
from astragal.games.burning_wheel.tests.tests import standard
from astragal.games.game import Procedure
from astragal.play import Noted, Play, call, tell


class Creation(Declaration, frozen=True, forbid_unknown_fields=True):
    """A test that is to create something, and the shade it shall have: B, G or W."""

    effect: str = "B"


class Created(msgspec.Struct, frozen=True):
    """Whether it came about, in which shade, and the test behind it."""

    passed: bool
    shade: Shade | None
    test: StandardOutcome


def create(arguments: Creation, table: BurningTable) -> Play[Created]:
    """Make something of a shade that the ability has, or of a darker one (shades.skill.effects).

    A Minor Epiphany lightens the ability for that, too (artha.aristeia.minor_epiphany_effects).
    """
    try:
        effect = Shade.parse(arguments.effect)
    except BadInput as bad:
        raise BadInput("effect", arguments.effect, bad.expected, "shades.skill.effects") from None
    outcome, _ = yield from call(standard, arguments, Link(effect=effect), table)
    if outcome.passed:
        text = f"What comes of it is {effect.value}: {arguments.intent.strip()}."
        yield from tell(Noted(text, "shades.skill.effects"))
    return Created(outcome.passed, effect if outcome.passed else None, outcome)


PROCEDURES = (Procedure("create", "A test that creates something of a shade", Creation, create),)
