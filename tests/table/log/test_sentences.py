"""What a change of a sheet or of the scene says in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.table.log.items import ChangedItem
from astragal.table.log.sentences import change_sentence


@pytest.mark.parametrize(
    ("path", "before", "after", "said"),
    [
        ("artha.fate", 2, 3, "Mara: artha fate from 2 to 3"),
        ("dead", False, True, "Mara: dead from no to yes"),
        ("concept", "", "a thief", "Mara: concept from nothing to a thief"),
        ("skills/Climbing", None, {"name": "Climbing"}, "Mara: skills Climbing: added Climbing"),
        ("gear.0", "rope", None, "Mara: gear 0: removed rope"),
        ("gear", ["rope"], ["rope", "lamp"], "Mara: gear: added lamp"),
        ("gear", ["rope", "oil"], ["lamp"], "Mara: gear: added lamp; removed rope, oil"),
        ("gear", ["rope", "oil"], ["oil", "rope"], "Mara: gear: changed"),
        ("purse", {"coins": 1}, {"coins": 2}, "Mara: purse from an entry to an entry"),
    ],
)
def test_a_change_is_told_by_what_was_added_removed_or_set(
    path: str, before: Any, after: Any, said: str
):
    assert change_sentence(ChangedItem("mara", path, before, after), "Mara") == said
