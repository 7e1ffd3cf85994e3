"""The two editions side by side: Resources, Circles, affiliations, relationships."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.circles.affiliations import Group, affiliation_price
from astragal.games.burning_wheel.circles.search_obstacle import modifier, station_modifier
from astragal.games.burning_wheel.conditions.wounds import pain
from astragal.games.burning_wheel.resources.tax import full_tax
from astragal.games.burning_wheel.sheet.editions import GOLD, REVISED
from astragal.games.burning_wheel.sheet.parts import Difficulty, Fund, WoundLevel
from astragal.rules import Options, catalogue
from games.burning_wheel.editions_beside import at_table, both, either
from games.burning_wheel.playing import play, sheet
from games.burning_wheel.seeking import knight


def buyer(edition: str, options: Any = None, **wealth: Any) -> Any:
    hero = {"resources": {"rating": "B4", **wealth}, "skills": {"Haggling": "B4"}}
    seller = {"skills": {"Haggling": "B4"}, "npc": True}
    return at_table(edition, options, rich=hero, seller=seller, tam={"resources": "B4"})


def buy(at, price=3, rolls=(3,), answers=None, **more):
    arguments = {"character": "rich", "item": "a horse", **more}
    return play("purchase", arguments, at, {"price": price, **(answers or {})}, rolls)


# --- Resources -----------------------------------------------------------------------------


@pytest.mark.rules("gold.resources.intent", "gold.resources.task")
@either
def test_a_purchase_names_the_thing_and_how_it_is_looked_for(edition):
    played = buy(buyer(edition), item="a white horse", task="asks at every stable")
    assert "Rich's intent: a white horse. Task: asks at every stable" in played.told
    with pytest.raises(BadInput, match="item"):
        buy(buyer(edition), item=" ")
    with pytest.raises(BadInput, match=r"task: found ' '.*gold\.resources\.task"):
        buy(buyer(edition), task=" ")


@pytest.mark.rules("gold.resources.say_yes", "gold.diff.say_yes")
@both(revised=False, gold=True)
def test_what_lies_within_ones_means_is_had_without_a_roll(edition, expected):
    if not expected:
        assert "at_stake" not in buy(buyer(edition)).asked
        return
    granted = buy(buyer(edition), rolls=[], answers={"at_stake": False})
    assert granted.outcome.acquired
    assert granted.outcome.test is None
    assert [gear.name for gear in granted.table.character("rich").gear] == ["a horse"]
    beyond = buy(buyer(edition), answers={"at_stake": False, "within_reach": False})
    assert beyond.outcome.test is not None  # both must hold
    assert buy(buyer(edition)).outcome.test is not None


@pytest.mark.rules("gold.resources.base_dice")
@either
def test_the_pool_is_what_tax_has_left(edition):
    assert buy(buyer(edition)).outcome.test.dice.total == 4
    assert buy(buyer(edition, taxed=3), rolls=[0]).outcome.test.dice.total == 1


@pytest.mark.rules("gold.resources.haggle", "gold.diff.haggling")
@both(revised=3, gold=1)
def test_haggling_takes_three_rounds_or_one_test(edition, expected):
    arguments = {"character": "rich", "item": "a horse", "seller": "seller"}
    won = [2, 1] * expected
    played = play("haggle", arguments, buyer(edition), {"price": 6}, [*won, 0])
    assert len(played.outcome.rounds) == expected
    assert played.outcome.price == 6 - expected
    assert played.outcome.purchase.test.obstacle.total == 6 - expected
    lost = play("haggle", arguments, buyer(edition), {"price": 6}, [1, 2, 0])
    assert lost.outcome.price == 6  # losing changes nothing
    tied = play("haggle", arguments, buyer(edition), {"price": 6}, [1, 1] * expected + [0])
    assert tied.outcome.price == 6
    left = play("haggle", arguments, buyer(edition), {"price": 6, "walk_away": True}, won)
    assert left.outcome.walked_away
    assert left.outcome.purchase is None


@pytest.mark.rules("gold.resources.bid", "gold.diff.bidding")
@either
def test_buyers_may_bid_for_the_base_obstacle(edition):
    arguments = {"item": "a horse", "bidders": ["rich", "tam"]}
    said = {"opening": 2, "rich/bid": True, "tam/bid#1": True, "tam/bid#2": False}
    played = play("auction", arguments, buyer(edition), said, [4])
    assert played.outcome.bids == (("rich", 2), ("tam", 3), ("rich", 4))
    assert played.outcome.purchase.test.obstacle.total == 4


@pytest.mark.rules(
    "gold.resources.affiliation_ob",
    "gold.resources.ob_low_nobility",
    "gold.resources.ob_high_nobility",
    "gold.resources.ob_elite",
    "gold.diff.affiliation_surcharge",
)
@pytest.mark.parametrize(
    ("group", "surcharge"),
    [
        ((), 0),
        ((Group.COSTLY,), 1),
        ((Group.EXALTED,), 2),
        ((Group.SECRET,), 3),
        ((Group.COSTLY, Group.EXALTED), 2),
    ],
)
@either
def test_an_affiliation_has_its_price_and_one_surcharge(edition, group, surcharge):
    options = Options.of("burning_wheel", {"edition": edition})
    for dice, base in ((1, 3), (2, 5)):
        price, advantage = affiliation_price(dice, group, options, raising=False)
        assert (price.total, advantage) == (base + surcharge, ())
    price, advantage = affiliation_price(2, group, options, raising=True)
    assert (price.total, sum(line.amount for line in advantage)) == (5 + surcharge, 2)


@pytest.mark.rules("gold.resources.affiliation_ob", "gold.diff.affiliation_3d")
@both(revised=None, gold=7)
def test_three_dice_have_a_price_in_the_later_edition(edition, expected):
    options = Options.of(
        "burning_wheel", {"edition": edition, "circles_affiliation_3d": "not_for_sale"}
    )
    if expected is None:
        with pytest.raises(BadInput, match="no more is for sale"):
            affiliation_price(3, (), options, raising=False)
    else:
        assert affiliation_price(3, (), options, raising=False)[0].total == expected
        assert affiliation_price(3, (Group.SECRET,), options, raising=True)[0].total == 10


@pytest.mark.rules("gold.resources.ob_distance", "gold.diff.distance")
@both(revised=10, gold=3)
def test_how_far_from_home_can_be(edition, expected):
    far = buy(buyer(edition), 2, [0], {"away": expected})
    assert far.outcome.test.obstacle.total == 2 + expected
    with pytest.raises(BadInput, match=f"away: found {expected + 1}"):
        buy(buyer(edition), 2, [0], {"away": expected + 1})


@pytest.mark.rules("gold.resources.ob_bulk", "gold.diff.bulk_multiplier")
@both(revised=(10, 100), gold=(12, 300))
def test_buying_in_bulk(edition, expected):
    for quantity, more in zip(expected, (1, 2), strict=True):
        said = {} if edition == "revised" else {"bulk": more}
        played = buy(buyer(edition), 1, [3], said, quantity=quantity)
        assert played.outcome.test.obstacle.total == 1 + more
        assert played.table.character("rich").gear[0].name == f"a horse (x{quantity})"
    if edition == "revised":
        with pytest.raises(BadInput, match="quantity: found 12"):
            buy(buyer(edition), quantity=12)
    else:
        with pytest.raises(BadInput, match="bulk: found 3"):
            buy(buyer(edition), 1, [3], {"bulk": 3}, quantity=12)
        with pytest.raises(BadInput, match="quantity: found 0"):
            buy(buyer(edition), quantity=0)
        assert buy(buyer(edition)).outcome.test.obstacle.total == 3  # one horse is no bulk


@pytest.mark.rules("gold.resources.dice_cash")
@both(revised=None, gold=3)
def test_cash_goes_by_the_die(edition, expected):
    at = buyer(edition, cash=5)
    if expected is None:  # a parcel of one or two, or all of it
        with pytest.raises(BadInput, match="cash: found '3'"):
            buy(at, answers={"cash": "3"})
        played = buy(at, answers={"cash": "2"})
        assert played.outcome.test.dice.total == 4 + 2
        return
    played = buy(at, rolls=[0], answers={"cash": expected})
    assert played.outcome.test.dice.total == 4 + expected
    assert played.table.character("rich").resources.cash == 2  # gone, though it failed
    with pytest.raises(BadInput, match="cash: found 6"):
        buy(at, answers={"cash": 6})


FUNDS = [{"name": "a mill", "dice": 2}, {"name": "a farm", "dice": 3}]


@pytest.mark.rules("gold.resources.dice_fund", "gold.diff.single_fund")
@both(revised=4 + 2 + 3, gold=4 + 2)
def test_all_funds_help_or_dice_of_one(edition, expected):
    at = buyer(edition, funds=FUNDS)
    said = {"fund": "a farm", "fund_dice": 2} if edition == "gold" else {}
    played = buy(at, 5, [0], said)
    assert played.outcome.test.dice.total == expected
    left = played.table.character("rich").resources
    if edition == "gold":
        # 6D against Ob 5: difficult, so 2D of Tax, which the fund that was used bears first.
        assert left.funds == (Fund("a mill", 2), Fund("a farm", 1))
        assert buy(at).outcome.test.dice.total == 4  # none need be used
        with pytest.raises(BadInput, match="fund_dice: found 4"):
            buy(at, 5, [0], {"fund": "a farm", "fund_dice": 4})
        bare = buy(at, 4, [0]).table.character("rich").resources  # 4D against Ob 4: difficult
        assert (bare.funds[0].dice, bare.funds[1].dice, bare.taxed) == (2, 3, 2)
    else:
        assert sum(fund.dice for fund in left.funds) == 5 - played.outcome.test.tax


@pytest.mark.rules("gold.resources.dice_loan", "gold.diff.loan_terms")
@both(revised=True, gold=False)
def test_lending_takes_a_test_or_only_the_dice(edition, expected):
    hero = {"resources": {"rating": "B4", "cash": 3, "funds": FUNDS}}
    at = at_table(edition, rich=hero, tam={"resources": "B2"})
    arguments = {"lender": "rich", "borrower": "tam", "dice": 2}
    played = play("lend", arguments, at, None, [4] if expected else [])
    assert played.outcome.lent
    assert bool(played.outcome.test) is expected
    assert played.outcome.debt == (4 if expected else 0)
    lender = played.table.character("rich").resources
    assert lender.cash == (3 if expected else 1)
    wants = {"character": "tam", "item": "a horse"}
    bought = play("purchase", wants, played.table, {"price": 3, "borrowed": ["0"]}, [4])
    assert bought.outcome.test.dice.total == 2 + 2
    assert bought.table.character("tam").resources.loans == ()
    if not expected:
        of_fund = play("lend", {**arguments, "fund": "a mill"}, at, None, [])
        assert of_fund.table.character("rich").resources.funds == (Fund("a farm", 3),)
        with pytest.raises(BadInput, match="dice: found 4"):
            play("lend", {**arguments, "dice": 4}, at)
        with pytest.raises(BadInput, match="fund: found 'a ship'"):
            play("lend", {**arguments, "fund": "a ship"}, at)


@pytest.mark.rules("gold.resources.advance_taxed", "gold.diff.taxed_advance")
@either
def test_what_tax_has_left_rises_with_the_exponent(edition):
    log = {"routine": 4, "difficult": 1}
    at = buyer(edition, taxed=2, log=log)  # 2D left
    played = buy(at, 2, [2])  # 2D against Ob 2: difficult, the second
    after = played.table.character("rich")
    assert str(after.resources.rating) == "B5"
    assert after.ability("Resources").exponent == 3


@pytest.mark.rules("gold.resources.titles", "gold.diff.titles")
@both(revised=True, gold=False)
def test_a_title_counts_as_long_as_it_is_held_or_for_good(edition, expected):
    title = {"character": "rich", "rank": "Knight"}
    granted = play("grant_title", title, buyer(edition), {"title_bonus": True})
    assert str(granted.table.character("rich").resources.rating) == "B5"
    none = play("grant_title", title, buyer(edition))  # the GM alone decides
    assert str(none.table.character("rich").resources.rating) == "B4"
    if expected:
        lost = play("lose_title", title, granted.table)
        assert str(lost.table.character("rich").resources.rating) == "B4"
    else:
        with pytest.raises(BadInput, match="a rank that raised Resources"):
            play("lose_title", title, granted.table)


@pytest.mark.rules("gold.diff.job_time_rate")
@either
def test_work_restores_a_die_or_saves_a_tenth_of_the_cycle(edition):
    hero = {"resources": {"rating": "B4", "taxed": 3}, "skills": {"Smith": "B6"}}
    job = {"character": "rich", "work": "at the forge", "skill": "Smith"}
    at = at_table(edition, rich=hero)
    # Ob 1 + 3; six successes are two more than it takes.
    dice = play("get_a_job", job, at, {"job_dice": 2}, [6]).outcome
    assert (dice.obstacle.total, dice.restores) == (4, 3)
    keys = play("get_a_job", job, at, {"job_dice": 0}, [6]).asked
    faster = next(key for key in keys if "fast" in key or "speed" in key or "time" in key)
    quick = play("get_a_job", job, at, {"job_dice": 0, faster: 2}, [6]).outcome
    assert quick.restores == 1
    assert quick.days == -(-dice.days * 8 // 10)


# --- Circles -------------------------------------------------------------------------------


def court(edition, options=None, scene=None, **more):
    return at_table(edition, options, scene, knight=knight(**more), tam={"circles": "B5"})


def seek(at, rolls=(4,), answers=None, **more):
    arguments = {
        "character": "knight",
        "sought": "a squire",
        "intent": "news of the court",
        "how": "asks in the stables",
        "through": "Knight",
        **more,
    }
    return play("circles_test", arguments, at, answers, rolls)


@pytest.mark.rules("gold.circles.intent", "gold.diff.circles_scope")
@both(revised=True, gold=False)
def test_whom_a_character_may_know(edition, expected):
    assert seek(court(edition)).outcome.found
    assert seek(court(edition), through="", setting="Noble").outcome.found
    outcast = {"through": "Knight", "setting": "Outcast"}  # a lead of the lifepath
    if expected:
        assert seek(court(edition), **outcast, rolls=[4]).outcome.obstacle.total
    else:
        with pytest.raises(NotAllowed, match="nothing connects"):
            seek(court(edition), **outcast)
    with pytest.raises(NotAllowed, match="nothing connects"):
        seek(court(edition), through="", setting="Dwarven Clansman")


@pytest.mark.rules("gold.circles.task")
@either
def test_how_the_search_is_made_must_be_said(edition):
    assert "Task: asks in the stables" in seek(court(edition)).told
    with pytest.raises(BadInput, match="how: found ' '"):
        seek(court(edition), how=" ")


@pytest.mark.rules("gold.circles.say_yes", "gold.diff.say_yes")
@both(revised=False, gold=True)
def test_a_contact_on_which_nothing_hangs_is_granted(edition, expected):
    if not expected:
        assert "at_stake" not in seek(court(edition)).asked
        return
    granted = seek(court(edition), [], {"at_stake": False})
    assert granted.outcome.found
    assert granted.outcome.granted
    assert granted.table.scene.rides == ()
    assert not seek(court(edition)).outcome.granted


@pytest.mark.rules("gold.circles.consequence", "gold.circles.failure")
@both(revised=("", ()), gold=("the Duke hears of it", ("tam",)))
def test_what_a_failed_search_brings_is_said_beforehand(edition, expected):
    consequence, _sharing = expected
    said = {"help": "Circles"} | ({"on_failure": consequence} if consequence else {})
    failed = seek(court(edition), [0], said, helpers=["tam"])
    assert (failed.outcome.consequence, failed.outcome.shared_by) == expected
    assert failed.before_the_dice("on_failure") is bool(consequence)
    if consequence:
        assert f"{consequence}." in failed.told
        passed = seek(court(edition), [4], said, helpers=["tam"]).outcome
        assert (passed.consequence, passed.shared_by) == ("", ())


@pytest.mark.rules("gold.dice.help_circles", "gold.circles.help", "gold.diff.help_circles")
@both(revised="tests.amb.attributes_helping", gold="gold.dice.help_circles")
def test_circles_may_help_circles_if_the_gm_finds_them_relevant(edition, expected):
    helped = seek(court(edition), [1], {"help": "Circles"}, helpers=["tam"])
    assert helped.outcome.dice.total == 4 + 2
    options = helped.asks["help"].question.options
    assert next(o.rule for o in options if o.key == "Circles") == expected
    said = {"help": "Circles", "allow_help": []}
    assert seek(court(edition), [1], said, helpers=["tam"]).outcome.dice.total == 4


STATIONS = {
    "same": (0, 0),
    "higher_1": (1, 2),
    "higher_2": (2, 2),
    "higher_3": (3, 2),
    "lower_1": (1, 1),
    "lower_2": (2, 1),
    "lowest": (2, 1),
    "highest": (3, 3),
}


@pytest.mark.rules(
    "gold.circles.ob_lower",
    "gold.circles.ob_higher",
    "gold.circles.ob_highest",
    "gold.diff.circles_station",
)
@pytest.mark.parametrize("station", STATIONS)
def test_what_rank_adds(station):
    for place, edition in enumerate(("revised", "gold")):
        more = STATIONS[station][place]
        assert seek(court(edition), station=station).outcome.obstacle.total == 1 + more


@pytest.mark.rules(
    "gold.circles.ob_uncommon", "gold.circles.ob_rare", "gold.diff.circles_occupation"
)
@either
def test_what_the_occupation_adds(edition):
    for occupation, more in (("common", 0), ("uncommon", 2), ("specific", 3)):
        assert seek(court(edition), occupation=occupation).outcome.obstacle.total == 1 + more
    # A lifepath of the setting that the character does not have:
    other = seek(court(edition), through="", setting="Noble")
    assert other.outcome.obstacle.total == (1 if edition == "revised" else 1 + 2)


@pytest.mark.rules(
    "gold.circles.ob_unusual_disposition",
    "gold.circles.ob_rare_disposition",
    "gold.diff.circles_disposition",
)
@either
def test_what_disposition_and_knowledge_add(edition):
    at = court(edition, {"circles_different_disposition": "gm_each_time"})
    assert seek(at, disposition="specific").outcome.obstacle.total == 1 + 3
    for amount in (1, 2):
        said = {"how_different": amount}
        unusual = seek(at, [4], said, disposition="different")
        assert unusual.outcome.obstacle.total == 1 + amount
    with pytest.raises(BadInput, match="how_different: found 3"):
        seek(at, [4], {"how_different": 3}, disposition="different")


@pytest.mark.rules(
    "gold.circles.ob_time_place", "gold.circles.ob_here_now", "gold.diff.circles_time_place"
)
@pytest.mark.parametrize(
    ("place", "time", "revised", "gold"),
    [
        ("anywhere", "eventually", 0, 0),
        ("local", "eventually", 1, 1),
        ("anywhere", "soon", 1, 1),
        ("local", "soon", 2, 2),
        ("specific", "soon", 4, 2),
        ("anywhere", "now", 3, 3),
        ("specific", "now", 6, 3),
    ],
)
def test_time_and_place_are_two_modifiers_or_one(place, time, revised, gold):
    for edition, more in (("revised", revised), ("gold", gold)):
        named = {"place_name": "the White Hart"} if place == "specific" else {}
        played = seek(court(edition), place=place, time=time, **named)
        assert played.outcome.obstacle.total == 1 + more
        assert ("time_and_place" in played.asked) is (edition == "gold")
    ruled = seek(court("gold"), [4], {"time_and_place": "unusual", "how_unusual": 2})
    assert ruled.outcome.obstacle.total == 3
    with pytest.raises(BadInput, match="how_unusual: found 3"):
        seek(court("gold"), [4], {"time_and_place": "unusual", "how_unusual": 3})


def test_every_row_of_the_guides_table_is_read():
    read = [
        ("occupation", modifier("occupation", "uncommon", GOLD)),
        ("occupation", modifier("occupation", "specific", GOLD)),
        ("station", station_modifier("lower_1", GOLD)),
        ("station", station_modifier("higher_1", GOLD)),
        ("station", station_modifier("highest", GOLD)),
        ("knowledge or disposition", modifier("disposition or knowledge", "different", GOLD)),
        ("knowledge or disposition", modifier("disposition or knowledge", "specific", GOLD)),
        ("time and place", modifier("time and place", "unusual", GOLD)),
        ("time and place", modifier("time and place", "here_and_now", GOLD)),
    ]

    found = {(group, row.condition, row.least, row.most) for group, row in read}
    rows = catalogue().table("gold.table.circles_obstacle").records()
    wanted = {(row["group"], row["case"], row["ob_least"], row["ob_most"]) for row in rows}
    assert found == {row for row in wanted if row[0] not in ("base", "linked")}
    assert modifier("occupation", "uncommon", REVISED).rule == "circles.test.occupation"


@pytest.mark.rules("gold.diff.circles_named")
@both(revised=5, gold=1)
def test_somebody_named_is_sought_with_a_die_and_at_which_obstacle(edition, expected):
    known = [{"name": "Bern", "sought": "a squire", "obstacle": 5}]
    played = seek(court(edition, contacts=known), contact="Bern")
    assert played.outcome.dice.total == 4 + 1
    assert played.outcome.obstacle.total == expected
    unsaid = seek(court(edition, contacts=known), contact="Bern", through="")
    assert unsaid.outcome.obstacle.total == expected  # how he is known has been said already


@pytest.mark.rules(
    "gold.circles.dice_affiliation",
    "gold.circles.dice_reputation",
    "gold.circles.dice_npc_reputation",
    "gold.diff.circles_npc_reputation",
)
@pytest.mark.parametrize("dice", [1, 3, 5])
@either
def test_standings_are_worth_three_dice_at_the_most_in_the_later_edition(edition, dice):
    worth = min(dice, 3) if edition == "gold" else dice
    for group in ("affiliations", "reputations"):
        at = court(edition, **{group: [{"name": "The Guild", "dice": dice}]})
        assert seek(at).outcome.dice.total == 4 + worth, group
    assert seek(court(edition), renown=dice).outcome.dice.total == 4 + worth


@pytest.mark.rules("gold.ob.infamous", "gold.diff.infamous_ob")
@pytest.mark.parametrize("dice", [1, 2, 3])
@either
def test_an_infamous_reputation_hampers_a_search_by_its_dice(edition, dice):
    at = court(edition, reputations=[{"name": "Kinslayer", "dice": dice, "infamous": True}])
    played = seek(at, [4], {"offended": ["Kinslayer"]})
    assert played.outcome.obstacle.total == 1 + dice


@pytest.mark.rules("gold.circles.aptitude")
@pytest.mark.parametrize(
    ("likes", "dislikes", "taps"),
    [((), (), 10 - 4), (("Just",), (), 10 - 4 - 2), (("Just",), ("Cruel",), 10 - 4 - 2 + 1)],
)
@either
def test_the_aptitude_for_a_relationship(edition, likes, dislikes, taps):
    known = [{"name": "Bern", "sought": "a squire", "obstacle": 1, "taps": taps - 2}]
    fame = [{"name": "Just", "dice": 2}, {"name": "Cruel", "dice": 1}]
    at = court(edition, contacts=known, reputations=fame)
    said = {"contact_likes": list(likes), "contact_dislikes": list(dislikes), "standings": []}
    played = seek(at, [4], said, contact="Bern")
    assert played.outcome.bond.aptitude == taps
    assert (played.outcome.bond.taps, played.outcome.bond.built) == (taps - 1, False)


@pytest.mark.rules("gold.circles.relationship", "gold.diff.relationship_status")
@both(revised=True, gold=False)
def test_a_contact_becomes_a_relationship_by_choice_or_by_rule(edition, expected):
    known = [{"name": "Bern", "sought": "a squire", "obstacle": 1, "taps": 5}]
    at = court(edition, contacts=known)
    said = {"build_relationship": False} if expected else {}
    played = seek(at, [4], said, contact="Bern")
    assert ("build_relationship" in played.asked) is expected
    made = [each.name for each in played.table.character("knight").relationships]
    assert made == ([] if expected else ["Bern"])
    early = court(edition, contacts=[{**known[0], "taps": 4}])
    assert not seek(early, [4], contact="Bern").outcome.bond.built


@pytest.mark.rules("gold.circles.enmity", "gold.diff.enemy_named_by")
@both(revised="gm", gold="knight")
def test_who_names_an_enemy(edition, expected):
    said = {"enmity": True, "enemy_name": "Ordog"}
    played = seek(court(edition), [0], said)
    assert played.seats["enemy_name"] == expected
    assert played.seats["enmity"] == "gm"  # whether it comes to that is for the GM
    assert [each.name for each in played.table.scene.enemies] == ["Ordog"]


@pytest.mark.rules("gold.circles.infamy", "gold.diff.infamy_trigger")
@pytest.mark.parametrize("successes", [0, 4])
@either
def test_what_turns_a_lost_die_into_infamy(edition, successes):
    fame = [{"name": "Just", "dice": 2}]
    at = court(edition, reputations=fame)
    searched = seek(at, [successes]).table
    ruin = {"character": "knight", "standing": "Just", "what": "the Duke is insulted."}
    may = edition == "revised" or successes == 0
    said = {"infamy": "escalate", "infamous_for": "Oathbreaker"} if may else {}
    if edition == "revised":
        said["deed"] = "he draws steel at table"
    played = play("disaster", ruin, searched, said)
    assert ("infamy" in played.asked) is may
    assert ("deed" in played.asked) is (edition == "revised")
    after = {r.name: (r.dice, r.infamous) for r in played.table.character("knight").reputations}
    if may:
        assert after == {"Just": (1, False), "Oathbreaker": (1, True)}
    else:
        assert after == {"Just": (1, False)}
    if may and edition == "gold":
        refused = {"infamy": "escalate", "story_justifies": False}
        lost = play("disaster", ruin, searched, refused).table.character("knight")
        assert [(r.name, r.dice) for r in lost.reputations] == [("Just", 1)]


@pytest.mark.rules("gold.circles.join")
@either
def test_joining_a_body_goes_from_circles_to_resources_at_once(edition):
    arguments = {
        "character": "knight",
        "affiliation": "The Guild",
        "dice": 1,
        "invitation": "its master owes him a debt",
    }
    at = court(edition, resources="B4")
    joined = play("buy_affiliation", arguments, at, None, [4, 4])
    assert [roll.label.split(", ")[1] for roll in joined.rolls] == ["Circles", "Resources"]
    assert joined.outcome.joined
    assert joined.table.character("knight").affiliations[0].dice == 1
    shut = play("buy_affiliation", arguments, at, None, [0])
    assert not shut.outcome.joined


@pytest.mark.rules("gold.diff.circles_extra_systems")
@either
def test_searches_can_be_noticed_hidden_and_covered_up(edition):
    quiet = seek(court(edition), [4], None, quietly=2)
    assert quiet.outcome.obstacle.total == 1 + 2
    assert quiet.table.scene.searches[0].hidden == 2
    cut = {"character": "knight", "affiliation": "The Guild", "dice": 1}
    at = court(edition, affiliations=[{"name": "The Guild", "dice": 2}])
    assert play("cut_ties", cut, at).table.character("knight").affiliations[0].dice == 1
    named = play("take_identity", {"character": "knight", "identity": "Brother Hal"}, at)
    assert seek(named.table).outcome.dice.total == 4


# --- Tables that both editions share -------------------------------------------------------


def test_the_guides_tax_and_wounds_are_those_in_force():
    taxes = {
        row["difficulty"]: row["tax_dice"] for row in catalogue().table("gold.table.tax").records()
    }
    for each in Difficulty:
        said = taxes[each.value]
        assert full_tax(each, 4) == (4 if "minus" in said else int(said))
    for row in catalogue().table("gold.table.wounds").records():
        name = row["wound"]
        if name == "one or two superficial":
            cases = [["Superficial"], ["Superficial"] * 2]
        elif name == "three superficial together":
            continue
        else:
            cases = [[name.capitalize()]]
        for wounds in cases:
            dice, obstacle = pain(sheet(wounds=[{"level": level} for level in wounds]))
            assert sum(line.amount for line in dice) == row["dice"], name
            assert sum(line.amount for line in obstacle) == row["obstacle"], name
    merged = sheet(wounds=[{"level": "Light", "merged": True}])
    assert merged.wounds[0].level is WoundLevel.LIGHT
    assert sum(line.amount for line in pain(merged)[0]) == -1
