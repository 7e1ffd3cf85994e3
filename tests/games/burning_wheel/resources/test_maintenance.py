"""Ways of life, the cycle in which they are paid for, and debts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.resources.maintenance import cycle_days, lifestyles
from games.burning_wheel.playing import Played, play, table


def later(at: BurningTable, time: str) -> BurningTable:
    return play("let_time_pass", {"time": time}, at).table


def lives(lifestyle: int = 3, **more: Any) -> dict[str, Any]:
    return {"resources": {"rating": "B5", "lifestyle": lifestyle, **more}}


def upkeep(at: BurningTable, rolls: Any, answers: dict[str, Any] | None = None) -> Played:
    return play("maintenance", {}, at, answers, rolls)


def after_a_cycle(wealth: dict[str, Any], rolls: Any, answers: Any = None, **more: Any) -> Played:
    return upkeep(later(table(rich=wealth, **more), "6 months"), rolls, answers)


# --- The cycle -----------------------------------------------------------------------------


@pytest.mark.rules("resources.cycle.set_at_start", "resources.cycle.typical_lengths")
@pytest.mark.parametrize(("cycle", "days"), [("half_year", 180), ("year", 360), ("month", 30)])
def test_the_cycle_is_the_campaigns(cycle: str, days: int):
    at = table({}, {"resources_cycle": cycle}, rich=lives())
    assert cycle_days(at, 0) == days
    assert upkeep(later(at, f"{days - 1} days"), []).outcome.cycles == 0
    run = upkeep(later(at, f"{days} days"), [3])
    assert run.outcome.cycles == 1
    assert run.table.scene.cycle_began == days


@pytest.mark.rules("resources.lifestyle.test_each_cycle")
def test_a_new_cycle_passes_by_those_without_resources():
    run = after_a_cycle(lives(1), [3], hermit={})
    assert run.outcome.cycles == 1
    assert run.table.character("hermit").resources is None


@pytest.mark.rules("resources.cycle.set_at_start", "resources.cycle.typical_lengths")
def test_or_the_tax_collectors_which_is_settled_once():
    at = table({}, {"resources_cycle": "tax_collectors"}, rich=lives())
    with pytest.raises(NotAllowed, match="Set the Resources cycle first"):
        upkeep(at, [])
    fixed = play("settle_cycle", {"every": "10 weeks"}, at)
    assert fixed.outcome.days == 70
    assert upkeep(later(fixed.table, "70 days"), [3]).outcome.cycles == 1
    with pytest.raises(NotAllowed, match=r"already set.*resources\.cycle\.set_at_start"):
        play("settle_cycle", {"every": "1 month"}, fixed.table)
    with pytest.raises(NotAllowed, match="half year"):
        play("settle_cycle", {"every": "1 month"}, table(rich=lives()))
    for slip in ("2 hours", "11 years", "often"):
        with pytest.raises(BadInput, match="every"):
            play("settle_cycle", {"every": slip}, at)


# --- Lifestyle -----------------------------------------------------------------------------


@pytest.mark.rules("resources.lifestyle.test_each_cycle")
def test_once_every_cycle_every_player_tests():
    at = table(rich=lives(3), poor=lives(1), odo={**lives(4), "npc": True}, eve={"resources": "B3"})
    run = upkeep(later(at, "12 months"), [3, 1, 3, 1])
    assert run.outcome.cycles == 2
    assert [(kept.character, kept.test.obstacle.total) for kept in run.outcome.tests] == [
        ("rich", 3),
        ("poor", 1),
        ("rich", 3),
        ("poor", 1),
    ]
    assert upkeep(run.table, []).outcome.cycles == 0


@pytest.mark.rules("resources.lifestyle.test_each_cycle")
def test_how_somebody_lives_is_chosen_from_the_list():
    run = play("settle_lifestyle", {"character": "rich"}, table(rich=lives(0)), {"lifestyle": 7})
    assert run.table.characters["rich"].resources.lifestyle == 7
    names = dict(run.asks["lifestyle"].question.names)
    assert {obstacle: len(lives.split("; ")) for obstacle, lives in names.items()} == {
        1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 1, 7: 2, 8: 3, 9: 2, 10: 2, 11: 1,
    }  # fmt: skip
    printed = {
        1: "day laborer", 2: "working poor; poor knight", 3: "city; cobbler; squire",
        4: "manor; wealthy peasant; small blacksmith",
        5: "fortress; wealthy merchant; brewer; gunsmith; poor court", 6: "baronial",
        7: "viscount; foundry", 8: "count's court; small castle; mine",
        9: "ducal; large castle", 10: "royal; palace", 11: "fantastic",
    }  # fmt: skip
    for obstacle, words in printed.items():
        assert all(word in names[obstacle] for word in words.split("; ")), names[obstacle]
    assert lifestyles(9).startswith("ducal court")
    with pytest.raises(BadInput, match="lifestyle"):
        play("settle_lifestyle", {"character": "rich"}, table(rich=lives(0)), {"lifestyle": 12})


@pytest.mark.rules("resources.lifestyle.is_resources_test")
def test_it_is_a_test_of_resources_like_any_other():
    failed = after_a_cycle(lives(5), [2])
    (kept,) = failed.outcome.tests
    assert not kept.kept
    # Five dice against Ob 5: difficult.
    assert (kept.test.difficulty, kept.test.tax) == ("difficult", 2)
    assert failed.table.characters["rich"].resources.taxed == 2
    passed = after_a_cycle(lives(5), [5])
    assert passed.changed["rich.resources.log.difficult"] == 1
    gift = after_a_cycle(lives(5), [2], {"gift": True})
    assert gift.outcome.tests[0].kept
    assert gift.table.characters["rich"].resources.taxed == 2
    cut = after_a_cycle(lives(5), [2], {"gift": True, "cut_losses": True})
    assert not cut.outcome.tests[0].kept
    assert cut.table.characters["rich"].resources.taxed == 1


def test_whoever_fails_lives_lower_until_the_next_success():
    run = after_a_cycle(lives(5, funds=[{"name": "a mill", "dice": 3}]), [2])
    wealth = run.table.characters["rich"].resources
    assert (wealth.lifestyle, wealth.fallen) == (5, 1)
    again = upkeep(later(run.table, "6 months"), [4])
    assert again.outcome.tests[0].test.obstacle.total == 4
    assert again.table.characters["rich"].resources.fallen == 0
    named = after_a_cycle(lives(5), [2], {"consequence": "the house is sold"})
    assert named.outcome.tests[0].consequence == "the house is sold"
    assert named.table.characters["rich"].resources.fallen == 0


@pytest.mark.rules("resources.lifestyle.test_each_cycle")
@pytest.mark.parametrize("wealth", [{"taxed": 5}, {"rating": "B0"}])
def test_who_has_nothing_left_fails_without_a_roll_and_holds_up_nobody(wealth: dict[str, Any]):
    """resources.amb.zero_dice."""
    run = after_a_cycle(lives(3, debts=[{"lender": "bo", "owed": 2}], **wealth), [2], bo=lives(2))
    poor, kept = run.outcome.tests
    assert (poor.passed, poor.kept, poor.test.tax, poor.test.dice.total) == (False, False, 0, 0)
    assert (poor.test.obstacle.total, poor.test.margin, poor.test.earned) == (4, -4, "")
    assert poor.debts[0].owed == 2
    assert "Rich has no Resources dice, and fails without a roll: keep up" in run.told
    after = run.table.characters["rich"].resources
    assert (after.fallen, after.taxed) == (1, wealth.get("taxed", 0))
    assert kept.passed
    # Who can bring a single die has to roll it.
    saved = after_a_cycle(lives(3, cash=1, **wealth), [1], {"cash": "1"})
    assert saved.outcome.tests[0].test.dice.total == 1


@pytest.mark.rules("resources.lifestyle.test_each_cycle")
def test_the_gm_may_waive_it_or_only_calls_for_it_as_the_table_reads_it():
    always = later(table({}, {"resources_lifestyle_test": "every_cycle"}, rich=lives()), "6 months")
    assert len(upkeep(always, [3]).outcome.tests) == 1
    assert upkeep(always, [], {"gm/waive": True}).outcome.tests == ()
    asked = table({}, {"resources_lifestyle_test": "when_gm_calls"}, rich=lives())
    asked = later(asked, "6 months")
    assert upkeep(asked, []).outcome.tests == ()
    assert len(upkeep(asked, [3], {"gm/call_for": True}).outcome.tests) == 1


@pytest.mark.rules("resources.lifestyle.test_each_cycle")
def test_a_test_called_for_within_the_cycle_is_its_test():
    run = play("lifestyle_test", {"character": "rich"}, table(rich=lives()), {}, [3])
    assert run.outcome.kept
    with pytest.raises(NotAllowed, match="already"):
        play("lifestyle_test", {"character": "rich"}, run.table, {}, [3])
    after = upkeep(later(run.table, "6 months"), [])
    assert (after.outcome.cycles, after.outcome.tests) == (1, ())
    assert len(upkeep(later(after.table, "6 months"), [3]).outcome.tests) == 1
    with pytest.raises(NotAllowed, match="Settle a lifestyle for Rich first"):
        play("lifestyle_test", {"character": "rich"}, table(rich=lives(0)))


def test_friends_may_help_to_keep_house():
    at = later(table(rich=lives(5), friend={"resources": "B5"}), "6 months")
    arguments = {"upkeep": [{"character": "rich", "helpers": ["friend"]}]}
    run = play("maintenance", arguments, at, {"friend/help": "Resources"}, [5])
    assert run.outcome.tests[0].test.dice.total == 7


def test_a_job_that_ends_with_the_cycle_pays_for_it():
    rich = {**lives(5, taxed=2), "skills": {"Cooking": "B6"}}
    work = {"character": "rich", "work": "cooks", "skill": "Cooking"}
    at = play("get_a_job", work, table(rich=rich), {}, [4]).table
    run = upkeep(later(at, "6 months"), [5])
    assert run.outcome.restored == (("rich", 2),)
    assert run.outcome.tests[0].test.dice.total == 5


# --- Debts ---------------------------------------------------------------------------------


ADA = {"lender": "ada", "owed": 3}


@pytest.mark.rules("resources.lifestyle.debt_penalty", "resources.debt.lifestyle_ob")
@pytest.mark.parametrize(
    ("debts", "obstacle"), [([], 3), ([ADA], 4), ([ADA, {"lender": "odo", "owed": 9}], 5)]
)
def test_each_debt_makes_life_a_point_dearer(debts: list[dict[str, Any]], obstacle: int):
    run = after_a_cycle(lives(3, debts=debts), [5])
    assert run.outcome.tests[0].test.obstacle.total == obstacle


@pytest.mark.rules("resources.debt.payment", "resources.debt.lifestyle_ob")
def test_a_success_pays_a_point_each_cycle_until_nothing_is_owed():
    at = table(rich=lives(3, debts=[ADA]), ada={"resources": "B4"})
    owed = []
    for _ in range(4):
        run = upkeep(later(at, "6 months"), [4])
        at = run.table
        owed.append(
            (run.outcome.tests[0].test.obstacle.total, [d.owed for d in run.outcome.tests[0].debts])
        )
    assert owed == [(4, [2]), (4, [1]), (4, []), (3, [])]


@pytest.mark.rules("resources.debt.failed_payment")
def test_a_failure_is_taxed_and_the_debt_runs_on_as_it_is():
    run = after_a_cycle(lives(3, debts=[ADA]), [1], ada={"resources": "B4"})
    wealth = run.table.characters["rich"].resources
    assert wealth.debts[0].owed == 3
    assert wealth.taxed == 2  # five dice against Ob 4: difficult
    assert run.table.characters["ada"].resources.repaid == 0


@pytest.mark.rules("resources.debt.repaid_links_to_lender")
@pytest.mark.parametrize(("owed", "successes", "dice"), [(1, 4, 0), (1, 5, 1), (2, 5, 0)])
def test_a_debt_repaid_with_successes_to_spare_is_a_die_for_the_lender_once(
    owed: int, successes: int, dice: int
):
    debts = [{"lender": "ada", "owed": owed}]
    run = after_a_cycle(lives(3, debts=debts), [successes], ada={"resources": "B4"})
    assert run.table.characters["ada"].resources.repaid == dice
    buy = {"character": "ada", "item": "x"}
    first = play("purchase", buy, run.table, {"price": 2}, [2])
    assert first.outcome.test.dice.total == 4 + dice
    second = play("purchase", buy, first.table, {"price": 2}, [2])
    assert second.outcome.test.dice.total == 4


def test_a_lender_who_is_not_at_the_table_gains_nothing():
    run = after_a_cycle(lives(3, debts=[{"lender": "a bank", "owed": 1}]), [5])
    assert run.table.characters["rich"].resources.debts == ()


@settings(max_examples=30, deadline=None)
@given(
    results=st.lists(st.integers(0, 9), min_size=1, max_size=6),
    debts=st.lists(st.integers(1, 3), max_size=2),
)
def test_over_the_years_an_account_by_hand_comes_to_the_same(results: list[int], debts: list[int]):
    """A rich man with a fund of ten dice, so that only debts and the fund can change."""
    wealth = {
        **lives(3)["resources"],
        "rating": "B9",
        "funds": [{"name": "a mine", "dice": 10}],
        "debts": [{"lender": "a bank", "owed": owed} for owed in debts],
    }
    at = table(rich={"resources": wealth})
    owed, fund = list(debts), 10
    for successes in results:
        run = upkeep(
            later(at, "6 months"),
            [successes],
            {"consequence": "shame"} if successes < 3 + len(owed) else {},
        )
        at = run.table
        if successes >= 3 + len(owed):
            owed = [each - 1 for each in owed if each > 1]
        else:
            fund -= 1  # nine dice and more against Ob 5 at most: routine
        after = at.characters["rich"].resources
        assert [debt.owed for debt in after.debts] == owed
        assert sum(each.dice for each in after.funds) == fund
        assert (after.rating.exponent, after.taxed) == (9, 0)


def test_maintenance_names_who_is_not_there():
    with pytest.raises(BadInput, match="upkeep"):
        play("maintenance", {"upkeep": [{"character": "nobody"}]}, table(rich=lives()))
