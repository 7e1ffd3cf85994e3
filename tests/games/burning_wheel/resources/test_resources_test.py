"""The test of Resources: what adds dice, what raises the obstacle, and what failure may become."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.play import Scripted, best, exact
from games.burning_wheel.playing import Played, play, table


def buys(
    at: BurningTable,
    price: int,
    rolls: Any = None,
    answers: dict[str, Any] | None = None,
    **more: Any,
) -> Played:
    """The first character at the table buys a thing at a price."""
    arguments = {"character": next(iter(at.characters)), "item": "a thing", **more}
    return play("purchase", arguments, at, {"price": price, **(answers or {})}, rolls)


def helps(*names: str) -> dict[str, Any]:
    return {f"{name}/help": "Resources" for name in names}


# --- The test ------------------------------------------------------------------------------


@pytest.mark.rules("resources.test.standard", "resources.test.success", "resources.test.failure")
def test_as_many_successes_as_the_price_buy_it_and_fewer_do_not():
    rich = table(rich={"resources": "B5"})
    for successes in range(6):
        run = buys(rich, 3, [successes])
        assert run.outcome.acquired == run.outcome.passed == (successes >= 3)
        assert run.outcome.test.margin == successes - 3
        assert "carefully" not in run.asked
        wealth = run.table.characters["rich"].resources
        gear = [piece.name for piece in run.table.characters["rich"].gear]
        if successes >= 3:
            assert (wealth.taxed, gear) == (0, ["a thing"])
        else:
            assert wealth.taxed > 0
            assert gear == []


@pytest.mark.rules("resources.test.standard")
def test_the_odds_are_those_of_the_dice():
    at = table(rich={"resources": "G3"})
    procedure = GAME.procedure("purchase")
    arguments = GAME.read({"character": "rich", "item": "a thing"}, procedure.arguments, "a")
    odds = exact(procedure.start(arguments, at), Scripted({"price": 2}))
    passing = sum(1 for f in product(range(1, 7), repeat=3) if sum(x >= 3 for x in f) >= 2)
    won = odds.where(lambda outcome: outcome.passed)
    assert won == Fraction(passing, 216)
    # By the table 3 dice against Ob 2 are a routine test: a die of Tax, whatever is missing.
    lost = {outcome.test.tax for outcome in odds if not outcome.passed}
    assert lost == {1}


@pytest.mark.rules("resources.test.artha")
def test_artha_is_spent_as_usual():
    at = table(rich={"resources": "B3", "artha": {"fate": 1, "persona": 2, "deeds": 0}})
    run = buys(at, 3, [[6, 2, 2, 2], [5]], {"boon": 1, "after_roll": "luck"})
    assert run.outcome.test.dice.total == 4
    assert run.outcome.test.successes == 2
    assert run.table.characters["rich"].artha.fate == 0
    assert run.table.characters["rich"].artha.persona == 1
    # The Boon does not count: 3 dice against Ob 3 are a difficult test.
    assert (run.outcome.test.difficulty, run.outcome.test.tax) == ("difficult", 2)


def test_advice_knows_what_artha_is_worth_here():
    at = table(rich={"resources": "B1", "artha": {"fate": 0, "persona": 1, "deeds": 0}})
    procedure = GAME.procedure("purchase")
    arguments = GAME.read({"character": "rich", "item": "a thing"}, procedure.arguments, "a")
    advice = best(
        procedure.start(arguments, at),
        {"rich": lambda outcome: int(outcome.acquired)},
        Scripted({"price": 1}),
        about=("boon",),
    )
    assert advice.ask is not None
    assert advice.ask.key == "boon"
    assert {c.answer: c.worth for c in advice.choices} == {0: Fraction(1, 2), 1: Fraction(3, 4)}


@pytest.mark.rules("resources.test.no_forks")
def test_no_skill_is_forked_into_resources():
    run = buys(table(rich={"resources": "B4", "skills": {"Accounting": "B9"}}), 2, [2])
    assert "forks" not in run.asked
    assert run.outcome.test.dice.total == 4


def test_wounds_take_no_dice_from_resources():
    at = table(rich={"resources": "B4", "wounds": ["traumatic"]})
    assert buys(at, 2, [2]).outcome.test.dice.total == 4


@pytest.mark.rules("resources.test.when")
def test_resources_are_tested_by_procedures_of_their_own():
    at = table(rich={"resources": "B4"})
    arguments = {"character": "rich", "intent": "x", "task": "y", "ability": "Resources"}
    with pytest.raises(NotAllowed) as refused:
        play("standard_test", arguments, at)
    assert refused.value.rule == "resources.test.when"


@pytest.mark.rules("resources.ability.every_character")
def test_whoever_has_no_resources_written_down_has_them_at_zero():
    at = table(poor={}, rich={"resources": "B5"})
    run = buys(at, 1, [[4, 1]], helps("rich"), helpers=["rich"])
    assert run.changed["poor.resources"].rating.exponent == 0
    assert str(run.table.characters["poor"].resources.rating) == "B1"


def test_the_same_purchase_is_not_tried_twice_but_what_was_bought_may_be_bought_again():
    at = table(rich={"resources": "B5"})
    again = buys(buys(at, 3, [3]).table, 3, [3])
    assert again.outcome.passed
    failed = buys(at, 3, [0])
    assert [ride.passed for ride in failed.table.scene.rides] == [False]
    with pytest.raises(NotAllowed) as refused:
        buys(failed.table, 3, [3])
    assert refused.value.rule == "tests.let_it_ride.one_roll"
    assert buys(failed.table, 3, [3], {"conditions_changed": "the fair is in town"}).outcome.passed


# --- Help ----------------------------------------------------------------------------------


@pytest.mark.rules("resources.help.as_skill")
@pytest.mark.parametrize(("exponent", "dice"), [(1, 1), (4, 1), (5, 2), (9, 2)])
def test_resources_help_resources_as_skills_help_skills(exponent: int, dice: int):
    at = table(rich={"resources": "B3"}, friend={"resources": f"B{exponent}"})
    run = buys(at, 2, [2], helps("friend"), helpers=["friend"])
    assert run.outcome.test.dice.total == 3 + dice


@pytest.mark.rules("resources.help.as_skill")
def test_nothing_else_helps_resources_at_any_table():
    at = table(
        {},
        {"tests_skill_helps_attribute": "yes"},
        rich={"resources": "B3"},
        friend={"skills": {"Accounting": "B5"}, "circles": "B4", "resources": "B4"},
    )
    run = buys(at, 2, [2], helpers=["friend"])
    assert [option.key for option in run.asks["help"].question.options] == ["none", "Resources"]


@pytest.mark.rules("resources.help.all_taxed")
def test_if_one_is_taxed_all_are_by_as_much():
    at = table(
        rich={"resources": "B3"},
        friend={"resources": "B5", "player": "ben"},
        other={"resources": "B2"},
        bystander={"resources": "B4"},
    )
    answers = {"ben/help": "Resources", "other/help": "Resources"}
    # 3 + 2 + 1 dice against Ob 7: challenging, so the margin is the Tax.
    run = buys(at, 7, [5], answers, helpers=["friend", "other"])
    assert (run.outcome.test.difficulty, run.outcome.test.tax) == ("challenging", 2)
    assert run.outcome.test.taxed == ("rich", "friend", "other")
    after = {name: who.resources for name, who in run.table.characters.items()}
    assert {name: wealth.taxed for name, wealth in after.items()} == {
        "rich": 2,
        "friend": 2,
        "other": 1,  # down to 0, and a die lost for good
        "bystander": 0,
    }
    assert str(after["other"].rating) == "B1"


@pytest.mark.rules("resources.help.all_taxed")
def test_cutting_losses_spares_the_helpers_as_well():
    at = table(rich={"resources": "B3"}, friend={"resources": "B4"})
    answers = {**helps("friend"), "gift": True, "cut_losses": True}
    run = buys(at, 7, [1], answers, helpers=["friend"])
    assert [who.resources.taxed for who in run.table.characters.values()] == [1, 1]


def test_helpers_learn_only_from_success():
    at = table(rich={"resources": "B3"}, friend={"resources": "B4"})
    lost = buys(at, 3, [1], helps("friend"), helpers=["friend"])
    assert not any("log" in path for path in lost.changed)
    won = buys(at, 3, [3], helps("friend"), helpers=["friend"])
    # 4 dice against Ob 3 and, alone, 4 dice against Ob 3: both difficult by the table.
    assert won.changed["rich.resources.log.difficult"] == 1
    assert won.changed["friend.resources.log.difficult"] == 1


@pytest.mark.rules("resources.help.need_not_be_present")
def test_a_letter_of_credit_helps_without_its_writer_and_taxes_him_too():
    at = table(rich={"resources": "B3"}, banker={"resources": "B6", "npc": True})
    written = play("write_letter", {"helper": "banker", "holder": "rich"}, at)
    assert written.table.characters["rich"].resources.letters == ("banker",)
    run = buys(written.table, 6, [3], letters=["banker"])
    assert "help" not in run.asked
    assert run.outcome.test.dice.total == 5
    # 5 dice against Ob 6 are challenging; 3 were missing, all that Rich has.
    assert run.table.characters["banker"].resources.taxed == 3
    assert run.table.characters["rich"].resources.letters == ()
    with pytest.raises(BadInput, match="a letter of credit that Rich has, from nobody"):
        buys(run.table, 2, [2], letters=["banker"], item="another thing")


def test_a_letter_of_somebody_ruined_is_worth_nothing():
    at = table(
        rich={"resources": {"rating": "B3", "letters": ["banker"]}},
        banker={"resources": {"rating": "B2", "taxed": 2}},
    )
    with pytest.raises(NotAllowed, match="no Resources dice left"):
        buys(at, 2, [2], letters=["banker"])
    with pytest.raises(NotAllowed, match="no Resources dice left"):
        buys(
            table(rich={"resources": {"rating": "B3", "letters": ["odo"]}}, odo={}),
            2,
            [2],
            letters=["odo"],
        )
    with pytest.raises(BadInput, match="each helper once"):
        buys(at, 2, [2], letters=["banker"], helpers=["banker"])


@pytest.mark.parametrize(("wrote", "letters"), [(True, ("friend",)), (False, ())])
def test_nobody_writes_letters_against_his_will(wrote: bool, letters: tuple[str, ...]):
    at = table(rich={"resources": "B3"}, friend={"resources": "B4", "player": "ben"})
    run = play("write_letter", {"helper": "friend", "holder": "rich"}, at, {"ben/write": wrote})
    assert run.outcome.written == wrote
    assert run.table.characters["rich"].resources.letters == letters


@pytest.mark.parametrize(("accepts", "letters"), [(True, ("friend",)), (False, ())])
def test_nothing_is_put_on_a_sheet_whose_player_was_not_asked(
    accepts: bool, letters: tuple[str, ...]
):
    at = table(
        rich={"resources": "B3", "player": "ann"}, friend={"resources": "B4", "player": "ben"}
    )
    letter = {"helper": "friend", "holder": "rich"}
    run = play("write_letter", letter, at, {"ann/accept": accepts})
    assert (run.seats["write"], run.seats["accept"]) == ("ben", "ann")
    assert run.outcome.written == accepts
    assert run.table.characters["rich"].resources.letters == letters
    # Somebody who does not write has nothing to be accepted; one player is asked once.
    assert "accept" not in play("write_letter", letter, at, {"ben/write": False}).asked
    own = table(
        rich={"resources": "B3", "player": "ben"}, friend={"resources": "B4", "player": "ben"}
    )
    assert "accept" not in play("write_letter", letter, own).asked


# --- Home ----------------------------------------------------------------------------------


@pytest.mark.rules("resources.home.away_penalty", "resources.home.far_away")
@pytest.mark.parametrize(("away", "obstacle"), [(0, 3), (1, 4), (4, 7)])
def test_away_from_home_things_are_dearer(away: int, obstacle: int):
    run = buys(table(rich={"resources": "B4"}), 3, [3], {"away": away})
    assert run.outcome.test.obstacle.total == obstacle
    rules = run.outcome.test.obstacle.rules
    assert ("resources.home.away_penalty" in rules) == (away == 1)
    assert ("resources.home.far_away" in rules) == (away > 1)
    assert run.seats["away"] == "gm"
    names = dict(run.asks["away"].question.names)
    assert names == {0: "at home", 1: "away", 2: "very far away"}


@pytest.mark.rules("resources.home.agreed_before_play")
def test_where_home_is_is_settled_with_the_gm_once():
    at = table(rich={"resources": "B4"})
    settle = {"character": "rich", "home": "the harbour and its villages"}
    refused = play("settle_home", settle, at, {"gm/agree_home": False})
    assert not refused.changed
    run = play("settle_home", settle, at)
    assert run.table.characters["rich"].resources.home == "the harbour and its villages"
    assert "the harbour" in buys(run.table, 2, [2]).asks["away"].prompt
    with pytest.raises(
        NotAllowed, match=r"already has a home turf.*resources\.home\.agreed_before_play"
    ):
        play("settle_home", settle, run.table)
    with pytest.raises(BadInput, match="home"):
        play("settle_home", {"character": "rich", "home": " "}, at)


# --- Zero dice -----------------------------------------------------------------------------


def test_without_any_dice_there_is_no_test_but_a_boon_is_a_die():
    poor = {"resources": {"rating": "B2", "taxed": 2}, "artha": {"persona": 2}}
    with pytest.raises(NotAllowed) as refused:
        buys(table(rich=poor), 1, [])
    assert refused.value.rule == "resources.amb.zero_dice"
    run = buys(table(rich=poor), 2, [[4, 4]], {"boon": 2})
    assert run.outcome.passed
    assert run.changed["rich.resources.log.challenging"] == 1
    lost = buys(table(rich=poor), 2, [[4, 1]], {"boon": 2})
    assert (lost.outcome.test.difficulty, lost.outcome.test.tax) == ("challenging", 1)
    assert lost.table.characters["rich"].resources.taxed == 2  # nothing was left to take


# --- Gift and losses -----------------------------------------------------------------------


@pytest.mark.rules(
    "resources.gift.option", "resources.gift.still_taxed", "resources.gift.case_by_case"
)
def test_the_gm_may_give_it_all_the_same_for_full_tax():
    at = table(rich={"resources": "B5"})
    plain = buys(at, 6, [2])
    assert plain.seats["gift"] == "gm"
    assert plain.asks["gift"].question.default is False
    assert not plain.outcome.acquired
    gift = buys(at, 6, [2], {"gift": True})
    assert gift.outcome.acquired
    assert not gift.outcome.passed
    assert gift.outcome.test.tax == plain.outcome.test.tax == 4
    assert [piece.name for piece in gift.table.characters["rich"].gear] == ["a thing"]
    again = buys(gift.table, 6, [0], {"gift": False}, item="another")
    assert not again.outcome.acquired  # each time the GM decides anew


@pytest.mark.rules("resources.cut_losses.choice", "resources.cut_losses.effect")
@pytest.mark.parametrize("price", [2, 5, 9])
def test_whoever_declines_the_gift_cuts_the_losses_to_one_die(price: int):
    at = table(rich={"resources": "B5", "player": "anna"})
    assert "cut_losses" not in buys(at, price, [0]).asked  # no offer, no choice
    run = buys(at, price, [0], {"gift": True, "anna/cut_losses": True})
    assert not run.outcome.acquired
    assert run.outcome.test.tax == 1
    assert run.table.characters["rich"].resources.taxed == 1


@pytest.mark.rules("resources.tax.temporary", "resources.help.as_skill")
def test_what_tax_has_left_is_said_beside_the_rating():
    at = table(rich={"resources": {"rating": "B5", "taxed": 2}}, odo={"resources": "B6"})
    run = buys(at, 3, [3], {"help": "Resources"}, helpers=["odo"])
    assert "(Resources B5, taxed to 3)" in run.told
    poor = table(rich={"resources": "B5"}, odo={"resources": {"rating": "B6", "taxed": 3}})
    helped = buys(poor, 3, [3], {"help": "Resources"}, helpers=["odo"])
    # Three dice are left of six, and so one is given and not two.
    assert "5 Resources + 1 help: Resources B6, taxed to 3 against" in helped.told
