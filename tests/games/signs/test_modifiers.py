"""Advantage and Disadvantage: sources, cancelling, excess, and the two options about them."""

from __future__ import annotations

import pytest

from astragal.games.signs.modifiers import DiceRolled, Rerolls, by_net
from games.signs.playing import Played, rules_test, table_of

ANA = {"scores": "D8 D6 D6 D6", "signs": {"Stag": "D12: Climber", "Mouse": "D4: Small"}}
AIDS = ["a rope", "daylight", "dry rock", "a guide"]
HINDERS = ["rain", "darkness", "a pack", "a wound"]


@pytest.mark.rules(
    "signs.mod.adv",
    "signs.mod.dis",
    "signs.mod.cancel",
    "signs.mod.excess_adv",
    "signs.mod.excess_dis",
)
@pytest.mark.parametrize("aids", range(5))
@pytest.mark.parametrize("hinders", range(5))
def test_only_the_difference_counts(aids: int, hinders: int):
    """Every combination of up to four of each: dice rolled, and rerolls offered."""
    net = aids - hinders
    dice = "(d8, d12)" if net >= 0 else "d12" if net == -1 else "d6"
    rerolls = max(0, min(2, net))
    rolls = [[1, 1] if net >= 0 else [1], *[[1]] * rerolls]
    played = rules_test(
        table_of(ana=ANA),
        rolls,
        tags=["Climber"],
        advantages=AIDS[:aids],
        disadvantages=HINDERS[:hinders],
    )
    assert played.rolled[0] == dice
    assert len(played.rolled) == 1 + rerolls
    assert played.keys.count("reroll") == rerolls
    assert played.keys.count("remove") == (net == -1)
    assert played.outcome.modifiers.total == net


@pytest.mark.rules("signs.mod.sources")
def test_the_gm_says_which_factors_count_and_may_add_some():
    answers = {"advantages": ["a rope", "a tail wind"], "disadvantages": []}
    played = rules_test(
        table_of(ana=ANA),
        [[1, 1], [1], [1]],
        answers,
        tags=["Climber"],
        advantages=["a rope", "daylight"],
        disadvantages=["rain"],
    )
    asked = {ask.key: ask.seat for ask in played.asked}
    assert (asked["advantages"], asked["disadvantages"]) == ("gm", "gm")
    lines = [(line.amount, line.label, line.rule) for line in played.outcome.modifiers]
    assert lines == [(1, "a rope", "signs.mod.sources"), (1, "a tail wind", "signs.mod.sources")]


@pytest.mark.rules("signs.mod.adv")
def test_a_reroll_is_the_players_to_take_or_leave():
    table = table_of(ana=ANA)
    left = rules_test(table, [[1, 1]], {"reroll": "stand"}, tags=["Climber"], advantages=["a rope"])
    assert left.outcome.successes == 0
    assert [ask.seat for ask in left.asked if ask.key == "reroll"] == ["ana"]
    assert [o.key for o in left.question("reroll").options] == ["stand", "score", "tag"]


@pytest.mark.rules("signs.mod.excess_adv")
def test_rerolls_come_one_after_the_other_and_each_die_once():
    """signs.amb.excess_adv_order: the second is decided when the first is seen."""
    table = table_of(ana=ANA)
    played = rules_test(
        table,
        [[1, 1], [11]],
        {"reroll#1": "tag", "reroll#2": "stand"},
        tags=["Climber"],
        advantages=AIDS,
    )
    assert played.outcome.successes == 2
    second = [ask for ask in played.asked if ask.key == "reroll"][1]
    assert [option.key for option in second.question.options] == ["stand", "score"]


def rerolled(option: str, faces: list[list[int]], which: str) -> Played:
    table = table_of({"signs_reroll": option}, ana=ANA)
    answers = {"reroll": which}
    return rules_test(table, faces, answers, tags=["Climber"], advantages=["a rope"])


@pytest.mark.parametrize(
    ("signs_reroll", "successes"), [("new_face_stands", 1), ("keep_the_better", 3)]
)
def test_whether_a_worse_face_stands(signs_reroll: str, successes: int):
    """8 and 12, and the 12 is rerolled to a 3."""
    assert rerolled(signs_reroll, [[8, 12], [3]], "tag").outcome.successes == successes


@pytest.mark.parametrize("signs_reroll", ["new_face_stands", "keep_the_better"])
def test_a_better_face_stands_in_any_case(signs_reroll: str):
    assert rerolled(signs_reroll, [[2, 6], [10]], "tag").outcome.successes == 2


@pytest.mark.parametrize(
    ("signs_excess_disadvantage_die", "tag", "remove", "die"),
    [
        ("always_d6", "Climber", None, "d6"),
        ("always_d6", "Small", None, "d6"),
        ("never_larger_than_die_kept", "Climber", "score", "d6"),
        ("never_larger_than_die_kept", "Climber", "tag", "d6"),
        ("never_larger_than_die_kept", "Small", "score", "d4"),
        ("never_larger_than_die_kept", "Small", "tag", "d6"),
    ],
)
def test_the_die_left_by_more_than_one_disadvantage(
    signs_excess_disadvantage_die: str, tag: str, remove: str | None, die: str
):
    table = table_of({"signs_excess_disadvantage_die": signs_excess_disadvantage_die}, ana=ANA)
    answers = {} if remove is None else {"remove": remove}
    played = rules_test(table, [[4]], answers, tags=[tag], disadvantages=HINDERS[:2])
    assert played.rolled == [die]


@pytest.mark.rules("signs.mod.dis")
def test_the_die_is_taken_away_before_the_roll_by_the_player():
    """signs.amb.dis_before_roll: the question comes before any die is thrown."""
    played = rules_test(
        table_of(ana=ANA), [[1]], {"remove": "tag"}, tags=["Climber"], disadvantages=["rain"]
    )
    assert played.rolled == ["d8"]
    order = [type(event).__name__ for event in played.events]
    at = next(
        i for i, e in enumerate(played.events) if getattr(e, "ask", None) and e.ask.key == "remove"
    )
    assert at < order.index("RollEvent")
    assert played.events[at].ask.seat == "ana"


def test_the_table_of_the_net_is_read_whole():
    found = {net: by_net(net) for net in range(-4, 5)}
    assert found[-4] == found[-2] == (DiceRolled.ONE_D6, Rerolls.NONE)
    assert found[-1] == (DiceRolled.ONE_OF_TWO, Rerolls.NONE)
    assert found[0] == (DiceRolled.BOTH, Rerolls.NONE)
    assert found[1] == (DiceRolled.BOTH, Rerolls.ONE)
    assert found[2] == found[4] == (DiceRolled.BOTH, Rerolls.EACH)
