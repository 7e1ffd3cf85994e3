"""What a character cannot begin at all, whatever the form would say, and why."""

from __future__ import annotations

from astragal.errors import NotAllowed

from ..magic.faith.faithful import check_faithful
from ..sheet.sheet import Sheet

PRAYERS = ("pray", "position_prayer")
WITH_WOUNDS = (
    "recover",
    "clear_the_cobwebs",
    "grit_teeth",
    "shrug_it_off",
    "grit_your_teeth",
)


def cannot(sheet: Sheet) -> dict[str, str]:
    """The reasons, by procedure: nobody prays without Faith, or recovers without a wound.

    faith.access.not_every_believer, faith.access.faithful_trait.
    """
    reasons: dict[str, str] = {}
    try:
        check_faithful(sheet)
    except NotAllowed as refused:
        reasons |= dict.fromkeys(PRAYERS, f"{refused.what}.")
    if not sheet.wounds:
        reasons |= dict.fromkeys(WITH_WOUNDS, f"{sheet.name} is not wounded.")
    return reasons
