"""Several rules on one roll, worked out by hand from the text."""

from __future__ import annotations

import pytest

from games.signs.playing import play, rules_test, table_of

SCORES = "D10 D6 D6 D6"


@pytest.mark.rules(
    "signs.mod.cancel", "signs.help.adv", "signs.boon.effect", "signs.amb.many_banes"
)
def test_help_a_boon_factors_and_banes_on_one_test():
    """Two factors, help and a Boon against a factor and two Banes: 4 - 3 = 1, one reroll."""
    table = table_of(
        ana={
            "scores": SCORES,
            "signs": {"Fox": {"die": "D6", "tags": ["sly"]}},
            "boons": [{"name": "map"}, {"name": "song"}],
            "banes": [{"name": "cold"}, {"name": "tired"}],
        },
        ben={"signs": {"Owl": {"die": "D4", "tags": ["wise"]}}},
    )
    said = {"ben/help": "wise", "boon": "map", "reroll": "score"}
    given = {
        "tags": ["sly"],
        "helpers": ["ben"],
        "advantages": ["high ground", "surprise"],
        "disadvantages": ["rain"],
    }
    played = rules_test(table, [[4, 5], [10]], said, **given)
    assert played.outcome.modifiers.total == 1
    assert (played.outcome.successes, played.outcome.verdict.value) == (2, "yes_and")
    assert "one die can be rerolled" in played.told
    after = played.table.character("ana")
    assert ([boon.name for boon in after.boons], after.banes) == (["song"], ())
    assert "boon_after" not in played.keys  # one Boon in all, though a die was left to reroll


@pytest.mark.rules("signs.mod.dis", "signs.boon.retroactive", "signs.amb.boon_after_dis")
@pytest.mark.parametrize(
    ("against", "first", "second", "successes", "dice"),
    [
        (["rain"], 5, 10, 2, ("D10",)),
        (["rain"], 9, 5, 0, ("D10",)),
        (["rain", "wind"], 5, 6, 1, ("D6",)),
    ],
)
def test_a_boon_afterwards_rerolls_the_one_die_that_was_rolled(
    against, first, second, successes, dice
):
    table = table_of(ana={"scores": SCORES, "boons": [{"name": "map"}]})
    said = {"boon_after": "map"} | ({"remove": "tag"} if len(against) == 1 else {})
    played = rules_test(table, [[first], [second]], said, disadvantages=against)
    assert (played.outcome.successes, played.outcome.dice) == (successes, dice)
    assert played.table.character("ana").boons == ()


@pytest.mark.rules("signs.group.success", "signs.success.downgrade")
def test_successes_that_are_not_taken_do_not_count_for_the_group():
    """2, of which 1 is taken, 1 and 0 are 2 for three members; with both taken they are 3."""
    table = table_of(ana={"scores": SCORES}, ben={"scores": SCORES}, eva={"scores": SCORES})
    members = [{"character": name, "score": "Skill"} for name in ("ana", "ben", "eva")]
    rolls = [[10, 4], [6, 4], [5, 4]]
    failed = play(table, "group_test", rolls, {"ana/take": 1}, goal="cross", members=members)
    assert (failed.outcome.successes, failed.outcome.passed) == (2, False)
    assert "The group has 2 Successes, needs 3, and fails." in failed.told
    met = play(table, "group_test", rolls, {}, goal="cross", members=members)
    assert (met.outcome.successes, met.outcome.passed) == (3, True)
