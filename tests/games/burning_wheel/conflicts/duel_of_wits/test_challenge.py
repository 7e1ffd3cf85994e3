"""The challenge, the cases and the terms."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.play import DecisionEvent
from games.burning_wheel.dueling import SPEAKER, argue, duel_arguments, hall, speaker
from games.burning_wheel.playing import play, somehow

POINTS, AVOIDS = ("point",) * 3, ("avoid",) * 3
WIN = [5, 0, 5, 0, 4]


@pytest.mark.rules("duel_of_wits.setup.offer", "duel_of_wits.setup.walk_away")
@pytest.mark.parametrize(("answers", "settled"), [
    ({"ann/duel": "walk_away"}, "walked_away"),
    ({"bob/duel": "walk_away"}, "walked_away"),
    ({"bob/duel": "fight"}, "fight"),
])  # fmt: skip
def test_each_player_accepts_leaves_or_draws(answers, settled):
    duel = play("duel_of_wits", duel_arguments(), hall(), answers)
    assert duel.outcome.settled == settled
    assert duel.outcome.winner is None
    assert duel.outcome.loser is None
    assert not duel.rolls
    assert [option.key for option in duel.asks["duel"].question.options] == [
        "accept",
        "walk_away",
        "fight",
    ]


@pytest.mark.rules("duel_of_wits.setup.walk_away_silence")
def test_whoever_walks_away_must_keep_silent_and_so_must_the_others():
    away = play("duel_of_wits", duel_arguments(), hall(), {"bob/duel": "walk_away"})
    assert "Bob walks away undefeated, and may not argue about this again" in away.told
    with pytest.raises(NotAllowed, match="walk_away_silence"):
        play("duel_of_wits", duel_arguments(), away.table)
    with pytest.raises(NotAllowed, match="walk_away_silence"):
        play("duel_of_wits", duel_arguments(about=" The  Bridge"), away.table)
    other = play(
        "duel_of_wits", duel_arguments(about="the mill"), away.table, {"ann/duel": "fight"}
    )
    assert other.outcome.settled == "fight"
    again = play(
        "duel_of_wits",
        duel_arguments(),
        away.table,
        {"reopened": "the river has risen", "ann/duel": "fight"},
    )
    assert again.table.scene.closed_arguments == ()


@pytest.mark.rules("duel_of_wits.link.follows_fight")
def test_a_quarrel_may_pass_into_a_fight_and_a_fight_into_a_duel():
    drawn = play("duel_of_wits", duel_arguments(), hall(), {"ann/duel": "fight"})
    assert "Ann draws steel: go on with a Fight!" in drawn.told
    duel = argue([POINTS], [AVOIDS], WIN, from_fight=True)
    assert duel.asked[0] == "out_of_reach"
    with pytest.raises(NotAllowed, match="follows_fight"):
        play("duel_of_wits", duel_arguments(from_fight=True), hall(), {"out_of_reach": False})


@pytest.mark.rules("duel_of_wits.setup.state_case")
def test_the_cases_are_stated_one_after_the_other_before_any_dice():
    answers = {"ann/case": "We need it.", "bob/case": "We do not."}
    unsaid = {"side_a": {"case": ""}, "side_b": {"case": ""}}
    duel = argue([POINTS], [AVOIDS], WIN, answers, **unsaid)
    cases = [
        e.ask.seat for e in duel.events if isinstance(e, DecisionEvent) and e.ask.key == "case"
    ]
    assert cases == ["ann", "bob"]
    assert duel.before_the_dice("case")
    assert "Ann states the case: We need it." in duel.told
    assert "states the case" not in argue([POINTS], [AVOIDS], WIN, **unsaid).told


def test_what_was_said_with_the_challenge_is_not_asked_again():
    duel = argue([POINTS], [AVOIDS], WIN)
    assert not {"case", "terms_wins", "terms_loses"} & set(duel.asked)
    assert "Ann states the case: so it is" in duel.told
    assert duel.outcome.terms == "the bridge is built"


def test_terms_may_be_agreed_on_without_writing_them_down():
    duel = argue([POINTS], [AVOIDS], WIN, side_a={"wins": "", "loses": ""})
    assert [ask.kind for key, ask in duel.asks.items() if "terms_" in key] == ["offered"] * 2
    assert duel.outcome.terms == "as agreed at the table"


@pytest.mark.rules("duel_of_wits.skill.main_list", "duel_of_wits.skill.secondary_list")
@pytest.mark.parametrize(
    "skill",
    [
        "Etiquette",
        "Falsehood",
        "Ugly Truth",
        "Soothing Platitudes",
        "Conspicuous",
        "Command",
        "Intimidation",
        "Seduction",
        "Will",
    ],
)
def test_a_supporting_skill_never_carries_a_duel(skill):
    with pytest.raises(BadInput, match=r"sides\[0\].skill.*secondary_list"):
        argue(side_a={"skill": skill})


@pytest.mark.rules("duel_of_wits.skill.chosen_at_body")
def test_the_skill_is_chosen_once_and_the_best_is_the_default():
    at = hall(ann=speaker("Persuasion B3", "Rhetoric B6"))
    duel = argue([POINTS], [AVOIDS], [6, 0, 4, 0, 4], at=at, side_a={"skill": ""})
    assert duel.asked.count("dueling_skill") == 1
    assert duel.rolls[0].label == "Ann, Point, Rhetoric"
    only = argue(
        [POINTS],
        [AVOIDS],
        [3, 0, 3, 0, 3, 0, 4],
        {"bob/concede": True},
        hall(ann=speaker("Persuasion B3")),
        side_a={"skill": ""},
    )
    assert "dueling_skill" not in only.asked


@pytest.mark.rules("duel_of_wits.skill.main_list")
def test_who_has_no_main_skill_is_refused_before_anybody_is_asked():
    at = hall(ann=speaker("Etiquette B5"))
    asked = []

    def hear(ask):
        asked.append(ask.key)
        return somehow(ask)

    with pytest.raises(NotAllowed, match=r"Ann needs a main dueling skill.*skill\.main_list"):
        play("duel_of_wits", duel_arguments(side_a={"skill": ""}), at, otherwise=hear)
    assert not asked


@pytest.mark.rules("tests.amb.zero_dice", "duel_of_wits.body.standard")
def test_a_skill_without_dice_left_gives_no_successes_and_is_no_default():
    """A Severe wound leaves nothing of Oratory B3 and one die of Rhetoric B4."""
    hurt = {**speaker("Oratory B3", "Rhetoric B4"), "wounds": [{"level": "severe"}]}
    answers = {"body_method": "standard", "bob/concede": True}
    duel = argue([POINTS], [AVOIDS], [5, 4], answers, hall(ann=hurt))
    assert "Ann has no dice left of Oratory." in duel.told
    assert duel.outcome.started == (5, 10)
    other = argue(
        [], [], [1, 5, 5], {"body_method": "standard", "bob/concede": True}, hall(ann=hurt),
        side_a={"skill": ""},
    )  # fmt: skip
    assert other.asks["dueling_skill"].question.default == "Rhetoric"
    assert other.outcome.started == (6, 10)


@pytest.mark.rules(
    "duel_of_wits.terms.agree_before_start", "duel_of_wits.terms.player_level_promise"
)
def test_no_script_before_both_players_have_given_their_word():
    answers = {"bob/accept_terms#1": "restate", "ann/terms_wins": "half a bridge"}
    duel = argue([POINTS], [AVOIDS], WIN, answers)
    accepted = [
        e.ask for e in duel.events if isinstance(e, DecisionEvent) and e.ask.key == "accept_terms"
    ]
    assert [ask.seat for ask in accepted] == ["ann", "bob", "ann", "bob"]
    assert accepted[0].because == "duel_of_wits.terms.player_level_promise"
    assert duel.outcome.terms == "half a bridge"
    assert duel.asked.index("accept_terms") < duel.asked.index("script")


@pytest.mark.rules("duel_of_wits.setup.walk_away", "duel_of_wits.terms.agree_before_start")
def test_without_terms_there_is_no_duel_but_the_rolls_for_the_bodies_stay_earned():
    answers = {"body_method": "standard", "bob/accept_terms": "walk_away"}
    duel = play("duel_of_wits", duel_arguments(), hall(), answers, [3, 2])
    assert duel.outcome.settled == "walked_away"
    assert "script" not in duel.asked
    assert duel.table.character("ann").skills["Oratory"].log.routine == 1
    assert duel.table.scene.series == ()
    assert duel.table.scene.closed_arguments[0].character == "bob"


# --- Afterwards ------------------------------------------------------------------------------


@pytest.mark.rules(
    "duel_of_wits.purpose.let_it_ride", "duel_of_wits.purpose.loser_may_try_again_later"
)
def test_what_was_lost_stands_until_circumstances_change():
    lost = argue([POINTS], [AVOIDS], WIN)
    rides = {
        ride.character: ride.passed
        for ride in lost.table.scene.rides
        if ride.ability == "Duel of Wits"
    }
    assert rides == {"ann": True, "bob": False}
    with pytest.raises(NotAllowed, match="one_roll"):
        play("duel_of_wits", duel_arguments(), lost.table)
    again = {"conditions_changed": "a flood", "ann/duel": "fight"}
    assert play("duel_of_wits", duel_arguments(), lost.table, again).outcome.settled == "fight"
    other = play(
        "duel_of_wits", duel_arguments(about="the mill"), lost.table, {"ann/duel": "fight"}
    )
    assert other.outcome.settled == "fight"


@pytest.mark.rules("duel_of_wits.purpose.no_belief_change")
def test_no_result_touches_a_belief_and_only_the_player_may_be_persuaded():
    at = hall(bob={**SPEAKER, "beliefs": ["No bridge will ever stand here."]})
    duel = argue([POINTS], [AVOIDS], WIN, at=at)
    assert duel.table.character("bob").beliefs == at.character("bob").beliefs
    assert duel.outcome.persuaded is False
    willing = argue([POINTS], [AVOIDS], WIN, {"persuaded": True}, at)
    assert willing.asks["persuaded"].seat == "bob"
    assert willing.outcome.persuaded is True
    assert "Bob is persuaded, by the player's choice." in willing.told
    assert "persuaded" not in duel.told
    assert not any("beliefs" in path for path in willing.changed)
