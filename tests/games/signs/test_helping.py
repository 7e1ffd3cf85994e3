"""Help: one person, before the roll, able and with a Tag, if the GM agrees."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.play import DecisionEvent, RollEvent
from games.signs.playing import play, rules_test, table_of

FRIENDS = {
    "ana": {},
    "bo": {"signs": {"Stag": "D6: Strong Arms"}},
    "cy": {"signs": {"Owl": "D6: Sharp Eyes, Lookout"}},
    "dee": {},
}


@pytest.mark.rules("signs.help.adv")
def test_however_many_offer_it_is_one_advantage():
    answers = {"bo/help": "Strong Arms", "cy/help": "Lookout"}
    table = table_of(**FRIENDS)
    played = rules_test(table, [[1, 1], [1]], answers, helpers=["bo", "cy"])
    assert [line.rule for line in played.outcome.modifiers] == ["signs.help.adv"]
    assert played.outcome.helper == "bo"
    assert played.keys.count("helper") == 1
    alone = rules_test(table, [[1, 1]], {**answers, "helper": "none"}, helpers=["bo", "cy"])
    assert (alone.outcome.helper, alone.outcome.modifiers.total) == ("", 0)


@pytest.mark.rules("signs.help.before")
def test_helpers_are_asked_before_the_roll_and_not_afterwards():
    played = rules_test(
        table_of(**FRIENDS), [[1, 1], [1]], {"bo/help": "Strong Arms"}, helpers=["bo", "cy"]
    )
    thrown = [at for at, event in enumerate(played.events) if isinstance(event, RollEvent)]
    about_help = [
        at
        for at, event in enumerate(played.events)
        if isinstance(event, DecisionEvent) and event.ask.key.startswith("help")
        if event.ask.key != "helpful"
    ]
    assert len(about_help) == 4  # both are asked, then the GM, then who rolls
    assert max(about_help) < min(thrown)


@pytest.mark.rules("signs.help.before")
def test_help_can_be_declared_ahead_until_the_dice_are_rolled():
    table = table_of(**FRIENDS)
    offer = {"helper": "bo", "tag": "strong arms", "character": "ana", "goal": "The goal"}
    offered = play(table, "offer_help", **offer).table
    assert len(offered.scene.offers) == 1
    # Offered again it is still one offer, and for another goal it does not count.
    assert len(play(offered, "offer_help", **offer).table.scene.offers) == 1
    other = rules_test(offered, [[1, 1]], goal="another goal")
    assert (other.outcome.helper, len(other.table.scene.offers)) == ("", 1)
    tested = rules_test(offered, [[1, 1], [1]])
    assert (tested.outcome.helper, tested.table.scene.offers) == ("bo", ())
    with pytest.raises(
        NotAllowed, match=r"help must be declared before the roll.*signs\.help\.before"
    ):
        play(tested.table, "offer_help", **offer)
    # For another goal of the same Scene it is not too late.
    another = play(tested.table, "offer_help", **{**offer, "goal": "another goal"}).table
    assert [each.goal for each in another.scene.offers] == ["another goal"]
    # In the next Scene the goal may come up again, and so may help.
    later = play(tested.table, "end_scene").table
    assert play(later, "offer_help", **offer).table.scene.offers
    assert play(offered, "end_scene").table.scene.offers == ()


@pytest.mark.rules("signs.help.before", "signs.help.adv")
def test_help_declared_ahead_is_for_one_character_and_not_for_another_with_the_same_goal():
    table = table_of(**FRIENDS, options={"signs_another_character_may_try": "yes"})
    offer = {"helper": "bo", "tag": "Strong Arms", "character": "ana", "goal": "the goal"}
    offered = play(table, "offer_help", **offer).table
    cy = rules_test(offered, [[1, 1]], character="cy", goal="the goal")
    assert (cy.outcome.helper, len(cy.table.scene.offers)) == ("", 1)
    ana = rules_test(cy.table, [[1, 1], [1]], goal="the goal")
    assert (ana.outcome.helper, ana.table.scene.offers) == ("bo", ())


@pytest.mark.rules("signs.help.conditions")
def test_without_a_tag_there_is_nothing_to_help_with():
    table = table_of(**FRIENDS)
    played = rules_test(table, [[1, 1]], helpers=["dee"])
    assert not {"help", "help_possible", "helper"} & set(played.keys)
    with pytest.raises(NotAllowed, match=r"Dee has no Tag.*signs\.help\.conditions"):
        play(table, "offer_help", helper="dee", tag="Strong Arms", character="ana", goal="the goal")
    assert [
        o.key for o in rules_test(table, [[1, 1]], helpers=["cy"]).question("help").options
    ] == [
        "none",
        "Sharp Eyes",
        "Lookout",
    ]


@pytest.mark.rules("signs.help.conditions", "signs.help.gm")
def test_the_gm_has_the_last_word_on_whose_help_is_possible():
    answers = {"bo/help": "Strong Arms", "cy/help": "Lookout", "help_possible": ["cy"]}
    played = rules_test(table_of(**FRIENDS), [[1, 1], [1]], answers, helpers=["bo", "cy"])
    assert played.outcome.helper == "cy"
    assert [ask.seat for ask in played.asked if ask.key == "help_possible"] == ["gm"]
    answers["help_possible"] = []
    refused = rules_test(table_of(**FRIENDS), [[1, 1]], answers, helpers=["bo", "cy"])
    assert (refused.outcome.helper, refused.outcome.modifiers.total) == ("", 0)


@pytest.mark.rules("signs.help.adv")
def test_nobody_helps_themselves():
    table = table_of(**FRIENDS)
    with pytest.raises(BadInput, match=r"helpers: .*a character other.*signs\.help\.adv"):
        rules_test(table, character="bo", helpers=["bo"])
    with pytest.raises(BadInput, match=r"helper: .*a character other.*signs\.help\.adv"):
        play(table, "offer_help", helper="bo", tag="Strong Arms", character="bo", goal="the goal")
