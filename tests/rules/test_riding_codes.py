"""The codes and numbers of riding, held against a second reader that knows only the words."""

from __future__ import annotations

import re

from astragal.games.burning_wheel.sheet.catalogue_keys import key_of
from astragal.rules import Record, catalogue


def table(name: str) -> tuple[Record, ...]:
    return catalogue().table(f"riding.table.{name}").records()


def test_what_a_mount_may_do_is_coded_as_it_is_worded():
    for row in table("mount_action_limits"):
        assert (row["avoid_code"] == "always") == (row["avoid"] == "always")
        more = re.search(r"\+(\d) Ob", row.text("lock"))
        assert row["lock_ob"] == (int(more[1]) if more else 0)


def test_when_a_lance_comes_is_coded_as_it_is_worded():
    actions = {str(row["actor"]) for row in catalogue().table("fight.table.interactions").records()}
    for row in table("lance_timing"):
        words = row.text("lancer_won_close")
        code = "standard" if words.startswith("standard") else "first"
        code = "before_counter" if "counter" in words else code
        assert row["won_code"] == code
        assert row["action_code"] in actions
        named = key_of(row["opponent_action"])
        assert row["action_code"] == {"any_non_martial_action": "non_martial"}.get(named, named)


def test_what_becomes_of_a_rider_is_coded_as_it_is_worded():
    for row in table("unhorse"):
        words = row.text("result")
        more = re.search(r"\+(\d) Ob", words)
        assert row["ob_penalty"] == (int(more[1]) if more else 0)
        assert row.text("result_code").split("_")[0] in words


def test_the_reactions_of_mounts_are_coded_as_they_are_worded():
    for row in table("mount_steel_reactions"):
        more = re.search(r"Ob (\d)", row.text("rider_test"))
        assert row["rider_ob"] == (int(more[1]) if more else 0)
        assert str(row["equivalent_code"]).startswith(key_of(row["equivalent"]))
