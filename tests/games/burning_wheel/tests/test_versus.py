"""Versus tests: who wins, and what a tie comes to."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.play import DecisionEvent
from astragal.rules import catalogue
from games.burning_wheel.playing import Played, declare, play, table

CALL_ON = {"name": "Lucky Fool", "kind": "call_on"}
HIDER = {"skills": {"Stealthy": "B6"}}
SEEKER = {"skills": {"Observation": "B6"}}
NOVICE = {"stats": {"Perception": "B6"}}
LINES = {"hider": "Stealthy", "seeker": "Observation", "third": "Stealthy", "novice": "Observation"}


def contest(
    rolls: list[Any],
    answers: dict[str, Any] | None = None,
    *,
    at: Any = None,
    **sides: dict[str, Any],
) -> Played:
    at = at or table(hider=HIDER, seeker=SEEKER)
    names = sides or {"hider": {}, "seeker": {}}
    given = [
        declare(who, LINES[who], **{"intent": f"{who} wins", **more}) for who, more in names.items()
    ]
    return play("versus_test", {"sides": given}, at, answers, rolls)


@pytest.mark.rules("tests.versus.when", "tests.versus.most_successes_win")
@pytest.mark.parametrize("hider", range(5))
@pytest.mark.parametrize("seeker", range(5))
def test_strictly_more_successes_win_and_a_tie_goes_to_the_defender(hider: int, seeker: int):
    run = contest([hider, seeker])
    assert run.outcome.winner == ("hider" if hider > seeker else "seeker")
    assert run.outcome.successes == (hider, seeker)
    assert run.outcome.margin == abs(hider - seeker)
    assert run.outcome.tie is (hider == seeker)
    assert len(run.rolls) == 2


@pytest.mark.rules("tests.versus.when")
@pytest.mark.parametrize("who", [["hider"], ["hider", "hider"], []])
def test_it_takes_two_different_characters(who: list[str]):
    sides = [declare(each, "Stealthy") for each in who]
    with pytest.raises(
        BadInput, match=r"sides: found .*two different characters.*tests\.versus\.when"
    ):
        play("versus_test", {"sides": sides}, table(hider=HIDER))


@pytest.mark.rules("tests.versus.when", "tests.ability.chosen_from_task")
def test_a_side_that_named_no_ability_is_asked_for_its_own():
    """Whoever begins says against whom; the other side fills in its half."""
    at = table(hider={**HIDER, "player": "anna"}, seeker={**SEEKER, "player": "bert"})
    sides = [declare("hider", "Stealthy"), {"character": "seeker"}]
    run = play("versus_test", {"sides": sides}, at, {"ability": "Observation"}, [2, 3])
    assert run.seats["ability"] == "bert"
    assert run.asks["ability"].kind == "needed"
    assert run.asks["ability"].prompt == "Ability (Seeker)"
    assert [roll.label for roll in run.rolls] == ["Hider, Stealthy", "Seeker, Observation"]
    assert run.outcome.winner == "seeker"
    assert "ability" not in contest([2, 3]).asked


@pytest.mark.rules("tests.versus.when")
def test_nobody_is_asked_for_an_ability_where_it_is_refused_anyway():
    sides = [declare("hider", "Stealthy", helpers=["nobody"]), {"character": "seeker"}]
    with pytest.raises(BadInput, match="helpers"):
        play("versus_test", {"sides": sides}, table(hider=HIDER, seeker=SEEKER), {}, [])


@pytest.mark.rules(
    "tests.versus.roles_by_intent", "tests.amb.who_is_defender", "tests.versus.tie_to_defender"
)
@pytest.mark.parametrize(
    ("defender", "winner"),
    [(None, "seeker"), ("seeker", "seeker"), ("hider", "hider"), ("nobody", None)],
)
def test_the_gm_says_before_the_roll_who_defends_and_a_tie_follows_that(
    defender: str | None, winner: str | None
):
    """The same pair of abilities can favour either side."""
    run = contest([2, 2], {} if defender is None else {"defender": defender})
    assert run.outcome.winner == winner
    assert run.seats["defender"] == "gm"
    assert run.before_the_dice("defender")
    # one defender or none: two who only defend are no contest
    keys = [option.key for option in run.asks["defender"].question.options]
    assert keys == ["seeker", "hider", "nobody"]


@pytest.mark.rules("tests.versus.tie_two_aggressors", "tests.amb.deadlock_reroll")
def test_two_aggressors_are_deadlocked_and_nothing_is_rolled_again():
    run = contest([2, 2], {"defender": "nobody"})
    assert (run.outcome.winner, run.outcome.tie, run.outcome.margin) == (None, True, 0)
    assert len(run.rolls) == 2
    assert "Tied: deadlock" in run.told
    assert "Intent achieved" not in run.told
    with pytest.raises(NotAllowed, match="one_roll"):
        contest([], at=run.table)


@pytest.mark.rules("tests.versus.tie_to_defender", "tests.versus.tie_two_aggressors")
def test_the_table_of_ties_says_the_same():
    rows = catalogue().table("tests.table.versus_tie").records()
    assert [row["result_on_equal_successes"].split(":")[0] for row in rows] == [
        "defender wins",
        "deadlock",
    ]
    assert "Tied: defender wins." in contest([1, 1]).told


# --- Ties and traits -----------------------------------------------------------------------


def with_traits(*owners: str) -> Any:
    people = {"hider": HIDER, "seeker": SEEKER}
    return table(
        **{
            who: {**raw, "traits": [CALL_ON] if who in owners else []}
            for who, raw in people.items()
        }
    )


@pytest.mark.rules("tests.versus.tie_accept_or_trait", "tests.amb.tie_trait_against_defender")
@pytest.mark.parametrize("defender", ["seeker", "nobody"])
def test_a_call_on_breaks_a_tie_even_against_the_defender(defender: str):
    answers = {"defender": defender, "hider/break_tie": "Lucky Fool"}
    run = contest([2, 2], answers, at=with_traits("hider"))
    assert (run.outcome.winner, run.outcome.broken_by, run.outcome.margin) == (
        "hider",
        "Lucky Fool",
        0,
    )
    assert run.table.character("hider").traits[0].called_this_session
    assert len(run.rolls) == 2


@pytest.mark.rules("tests.versus.tie_accept_or_trait")
def test_a_tie_may_be_accepted_and_then_nothing_is_used_up():
    run = contest([2, 2], {"defender": "nobody"}, at=with_traits("hider", "seeker"))
    assert run.asked.count("break_tie") == 2
    assert run.outcome.winner is None
    assert not run.table.character("hider").traits[0].called_this_session
    assert "break_tie" not in contest([2, 1], at=with_traits("hider")).asked


@pytest.mark.rules("tests.amb.tie_trait_against_defender")
@pytest.mark.parametrize(
    ("defender", "winner"), [("seeker", "seeker"), ("hider", "hider"), ("nobody", None)]
)
def test_two_call_ons_offset_each_other_and_are_both_used(defender: str, winner: str | None):
    answers = {"defender": defender, "break_tie": "Lucky Fool"}
    run = contest([2, 2], answers, at=with_traits("hider", "seeker"))
    assert (run.outcome.winner, run.outcome.broken_by) == (winner, "")
    for who in ("hider", "seeker"):
        assert run.table.character(who).traits[0].called_this_session


# --- Penalties and Beginner's Luck ---------------------------------------------------------


@pytest.mark.rules("tests.versus.obstacle_penalty", "tests.amb.versus_disadvantage")
@pytest.mark.parametrize(
    ("hider", "against", "seeker", "counted", "winner"),
    [
        (4, 1, 2, 3, "hider"),
        (3, 1, 2, 2, "seeker"),
        (3, 2, 2, 1, "seeker"),
        (1, 3, 0, 0, "seeker"),
        (0, 1, 0, 0, "seeker"),
    ],
)
def test_each_obstacle_takes_a_success_from_its_own_side(
    hider: int, against: int, seeker: int, counted: int, winner: str
):
    answers = {"disadvantages#1": ["darkness", "smoke", "noise"][:against]}
    run = contest([hider, seeker], answers)
    assert run.outcome.counted == (counted, seeker)
    assert run.outcome.successes == (hider, seeker)
    assert run.outcome.winner == winner


@pytest.mark.rules("tests.amb.versus_beginners_luck", "tests.beginner.double_base_obstacle")
@pytest.mark.parametrize(
    ("stealthy", "perception", "against", "winner", "tie"),
    [
        (2, 3, 0, "hider", False),  # two become four: three are too few
        (2, 4, 0, "novice", True),  # equal to the doubled number: a tie, to the defender
        (2, 5, 0, "novice", False),
        (2, 5, 1, "novice", True),  # 2 x 2 + 1
        (2, 5, 2, "hider", False),
        (0, 0, 0, "novice", True),
        (0, 1, 0, "novice", False),
    ],
)
def test_against_the_untrained_successes_are_doubled(
    stealthy: int, perception: int, against: int, winner: str, tie: bool
):
    at = table(hider=HIDER, novice=NOVICE)
    answers = {"disadvantages#2": ["smoke", "noise"][:against]}
    run = contest([stealthy, perception], answers, at=at, hider={}, novice={})
    assert (run.outcome.winner, run.outcome.tie) == (winner, tie)
    assert run.outcome.obstacles == (max(0, perception - against), 2 * stealthy + against)
    assert f"Ob {2 * stealthy}: the base obstacle is doubled." in run.told


@pytest.mark.rules("artha.amb.versus_after_roll_sequence")
@pytest.mark.parametrize(
    ("stealthy", "perception", "against", "order"),
    [
        (2, 3, 0, ["novice", "hider"]),  # two become four: three are losing
        (2, 5, 0, ["hider", "novice"]),
        (2, 5, 1, ["hider", "novice"]),  # a tie: the aggressor first
        (2, 5, 2, ["novice", "hider"]),
    ],
)
def test_who_is_losing_is_judged_with_beginners_luck(
    stealthy: int, perception: int, against: int, order: list[str]
):
    lucky = {"artha": {"fate": 1}}
    at = table(hider={**HIDER, **lucky}, novice={**NOVICE, **lucky})
    answers = {"disadvantages#2": ["smoke", "noise"][:against]}
    run = contest([stealthy, perception], answers, at=at, hider={}, novice={})
    assert [
        event.ask.seat
        for event in run.events
        if isinstance(event, DecisionEvent) and event.ask.key == "after_roll"
    ] == order


@pytest.mark.rules("tests.amb.versus_beginners_luck")
def test_for_the_trained_side_nothing_changes():
    at = table(hider=HIDER, novice=NOVICE)
    answers = {"disadvantages#1": ["darkness"]}
    # the hider's own penalty takes one of three; two doubled are four
    run = contest([3, 4], answers, at=at, hider={}, novice={})
    assert (run.outcome.winner, run.outcome.tie) == ("novice", True)


# --- Margins, time and loss ----------------------------------------------------------------


@pytest.mark.rules("tests.amb.versus_margin")
def test_the_margin_is_what_the_winner_may_spend():
    answers = {"time": "1 hour", "allocate": [1, 1]}
    run = contest([4, 2], answers)
    assert (run.outcome.margin, run.outcome.patiently, run.outcome.quickly) == (2, 1, 1)
    assert run.outcome.seconds == 54 * 60
    assert run.seats["allocate"] == "hider"
    with pytest.raises(BadInput, match=r"allocate: .*at most 2"):
        contest([4, 2], {"allocate": [3, 0]})
    assert "allocate" not in contest([2, 2]).asked


@pytest.mark.rules("tests.amb.versus_margin", "tests.versus.obstacle_penalty")
def test_the_margin_counts_after_penalties():
    assert contest([4, 1], {"disadvantages#1": ["smoke"]}).outcome.margin == 2


@pytest.mark.rules("tests.amb.versus_margin", "tests.amb.versus_beginners_luck")
@pytest.mark.parametrize(
    ("stealthy", "perception", "winner", "margin"),
    [
        (3, 1, "hider", 2),  # what the hider rolled beyond the novice, not twice that
        (3, 0, "hider", 3),
        (2, 3, "hider", 1),  # three of the four wanted: won outright, and so by one
        (2, 1, "hider", 1),
        (1, 1, "hider", 1),
        (4, 1, "hider", 3),
        (2, 5, "novice", 1),  # one beyond twice two
        (1, 6, "novice", 4),
    ],
)
def test_the_doubling_gives_a_trained_winner_no_extra_successes(
    stealthy: int, perception: int, winner: str, margin: int
):
    at = table(hider=HIDER, novice=NOVICE)
    run = contest([stealthy, perception], at=at, hider={}, novice={})
    assert (run.outcome.winner, run.outcome.margin, run.outcome.tie) == (winner, margin, False)
    assert f"Wins by {margin}." in run.told


@pytest.mark.rules("tests.amb.versus_margin", "tests.amb.versus_more_than_two")
def test_the_margin_over_several_is_that_over_the_nearest():
    at = table(hider=HIDER, novice=NOVICE, seeker=SEEKER)
    run = contest([4, 1, 2], at=at, hider={}, novice={}, seeker={})
    assert (run.outcome.winner, run.outcome.margin) == ("hider", 2)
    run = contest([4, 3, 2], at=at, hider={}, novice={}, seeker={})
    assert (run.outcome.winner, run.outcome.margin) == ("hider", 1)


@pytest.mark.rules("artha.play.versus_attack_defence", "tests.amb.versus_beginners_luck")
def test_an_untrained_defence_that_misses_the_doubled_number_is_an_injury():
    at = table(hider=HIDER, novice=NOVICE)
    sides = [declare("hider", "Stealthy"), declare("novice", "Observation")]
    for rolls, injured, protected in (
        ([2, 3], "novice", ""),
        ([2, 4], "", ""),
        ([2, 5], "", "novice"),
    ):
        run = play("versus_test", {"sides": sides, "attack": True}, at, {}, rolls)
        assert (run.outcome.injured, run.outcome.protected) == (injured, protected)


@pytest.mark.rules("tests.failure.stated_before_roll", "tests.time.stated_before_roll")
def test_what_losing_means_and_how_long_it_takes_is_said_before_the_roll():
    answers = {"hider/advantage": "", "on_failure#1": "you are caught", "time": "1 hour"}
    run = contest([1, 3], answers)
    assert run.before_the_dice("on_failure")
    assert run.before_the_dice("time")
    assert "Failure: you are caught. Time: 1 hour." in run.told
    assert "Hider: 1 success. Loses. You are caught." in run.told
    assert "Seeker: 3 successes. Wins by 2. Intent achieved: seeker wins." in run.told
    # by default the others get what they want
    assert run.asks["on_failure"].question.default == "hider wins"
    assert run.asks["on_failure"].prompt == "If Seeker loses"


def test_without_an_intent_beside_the_task_the_other_side_just_wins():
    run = contest([2, 2], hider={"intent": "hides", "task": "hides"}, seeker={})
    assert run.asks["on_failure"].question.default == "the other side wins"
    assert "Hider: 2 successes. Loses. Seeker wins." in run.told
    assert "Seeker: 2 successes. Wins the tie. Intent achieved: seeker wins." in run.told


def test_who_loses_where_nobody_wanted_anything_just_loses():
    run = contest([1, 3], hider={"intent": "", "task": ""}, seeker={"intent": "", "task": ""})
    assert "Hider: 1 success. Loses.\n" in f"{run.told}\n"


def test_the_gm_is_not_told_what_losing_means_for_the_gm():
    at = table(hider={**HIDER, "npc": True}, seeker={**SEEKER, "npc": True})
    assert "on_failure" not in contest([1, 2], at=at).asked


@pytest.mark.rules(
    "tests.method.carefully_failure", "tests.method.carefully_time", "tests.amb.primary_risk"
)
def test_careful_work_and_helpers_in_a_contest():
    at = table(hider=HIDER, seeker=SEEKER, friend={"skills": {"Stealthy": "B5"}})
    answers = {
        "time": "1 hour",
        "hider/carefully": True,
        "friend/help": "Stealthy",
        "time_complication": "dawn breaks",
        "helpers_share": True,
    }
    run = contest([1, 2], answers, at=at, hider={"helpers": ["friend"]}, seeker={})
    assert [tally.total for tally in run.outcome.dice] == [6 + 1 + 2, 6]
    assert run.outcome.complications == ("dawn breaks", "")
    assert run.outcome.shared_by == ("friend",)
    assert run.outcome.seconds == 3600


# --- More sides, kept successes ------------------------------------------------------------


@pytest.mark.rules("tests.amb.versus_more_than_two")
@pytest.mark.parametrize(
    ("rolls", "winner", "margin", "tie"),
    [
        ([4, 2, 1], "hider", 2, False),
        ([1, 2, 4], "third", 2, False),
        ([3, 3, 1], "seeker", 0, True),  # the defender among the tied
        ([3, 1, 3], None, 0, True),  # two aggressors
    ],
)
def test_three_sides_are_compared_pair_by_pair(
    rolls: list[int], winner: str | None, margin: int, tie: bool
):
    at = table(hider=HIDER, seeker=SEEKER, third=HIDER)
    run = contest(rolls, at=at, hider={}, seeker={}, third={})
    assert (run.outcome.winner, run.outcome.margin, run.outcome.tie) == (winner, margin, tie)


@pytest.mark.rules("tests.amb.versus_more_than_two")
def test_nobody_is_on_two_sides():
    at = table(hider=HIDER, seeker=SEEKER, friend=HIDER)
    for sides in (
        {"hider": {"helpers": ["seeker"]}, "seeker": {}},
        {"hider": {"helpers": ["friend"]}, "seeker": {"helpers": ["friend"]}},
    ):
        with pytest.raises(
            BadInput, match=r"sides\[\d\]\.helpers: found .*somebody who is on no other side"
        ):
            contest([], at=at, **sides)


@pytest.mark.rules("tests.amb.versus_more_than_two", "tests.help.must_be_accepted")
def test_nobody_helps_both_sides_when_help_is_asked_for_before_the_roll():
    at = table(hider=HIDER, seeker=SEEKER, friend=HIDER, other=HIDER)
    given = {"friend/help": "Stealthy", "hider/ask_help": ["friend"]}
    free = contest([0, 0], {**given, "other/help": "Stealthy", "seeker/ask_help": ["other"]}, at=at)
    assert [tally.total for tally in free.outcome.dice] == [8, 8]
    asked = r"seeker/ask_help: found .*friend.*, expected .*other"
    with pytest.raises(BadInput, match=asked):
        contest([], {**given, "seeker/ask_help": ["friend"]}, at=at)
    # nor those who were named with the other side's declaration, whichever side it is
    for helped, asks in (("hider", "seeker"), ("seeker", "hider")):
        sides = {"hider": {}, "seeker": {}, helped: {"helpers": ["friend"]}}
        with pytest.raises(BadInput, match=f"{asks}/ask_help"):
            contest([], {f"{asks}/ask_help": ["friend"]}, at=at, **sides)
    # who refused is free to help the others
    free = contest(
        [0, 0],
        {
            "friend/help#1": "none",
            "friend/help#2": "Stealthy",
            "hider/ask_help": ["friend"],
            "seeker/ask_help": ["friend"],
        },
        at=at,
    )
    assert [tally.total for tally in free.outcome.dice] == [6, 8]


@pytest.mark.rules("tests.amb.ride_versus_new_opponent", "tests.let_it_ride.successes_carry")
def test_kept_successes_stand_against_a_new_opponent_who_rolls_once():
    at = table(hider=HIDER, seeker=SEEKER, third={"skills": {"Stealthy": "B6"}})
    first = contest([4, 2], at=at)
    sides = {"hider": {"riding": True}, "third": {"intent": "find him"}}
    second = contest([3], at=first.table, **sides)
    assert (second.outcome.winner, second.outcome.successes) == ("hider", (4, 3))
    assert [roll.owner for roll in second.rolls] == ["third"]
    # nothing is added to dice that are not rolled
    assert second.asked.count("advantage") == 1
    assert not [path for path in second.changed if path.startswith("hider.")]
    hampered = contest([3], {"disadvantages#1": ["smoke"]}, at=first.table, **sides)
    assert (hampered.outcome.counted, hampered.outcome.winner) == ((3, 3), "third")


@pytest.mark.rules("tests.amb.tie_trait_against_defender", "tests.amb.ride_versus_new_opponent")
def test_a_trait_breaks_a_tie_for_kept_successes_too():
    ride = {
        "character": "hider",
        "ability": "Stealthy",
        "intent": "hider wins",
        "successes": 3,
        "passed": True,
    }
    at = table(scene={"rides": [ride]}, hider={**HIDER, "traits": [CALL_ON]}, seeker=SEEKER)
    run = contest([3], {"break_tie": "Lucky Fool"}, at=at, hider={"riding": True}, seeker={})
    assert run.outcome.winner == "hider"
    assert run.table.character("hider").traits[0].called_this_session


def test_riding_without_a_result_is_refused():
    with pytest.raises(
        BadInput, match=r"sides\[0\]\.riding: found True, expected a result that rides"
    ):
        contest([], hider={"riding": True}, seeker={})


@pytest.mark.rules("extended_example.stealth.double_perception", "tests.amb.versus_beginners_luck")
@pytest.mark.parametrize("said", ["Perception", "Observation"])
@pytest.mark.parametrize(
    ("hidden", "seen", "spotted"), [(2, 2, False), (2, 3, False), (2, 4, True)]
)
def test_without_observation_one_looks_with_perception_for_twice_the_successes(
    said: str, hidden: int, seen: int, spotted: bool
):
    at = table(hider=HIDER, novice=NOVICE)
    sides = [
        declare("hider", "Stealthy", intent="stay unseen"),
        declare("novice", said, intent="see who is there"),
    ]
    run = play("versus_test", {"sides": sides}, at, {}, [hidden, seen])
    assert run.outcome.winner == ("novice" if spotted else "hider")
    assert "roots" not in run.asked, "the rule names the stat"
    assert run.rolls[1].expression.dice.total == 6
    assert "needs twice the successes" in run.told


@pytest.mark.rules("extended_example.stealth.double_perception")
def test_with_observation_or_against_somebody_who_does_not_hide_nothing_is_doubled():
    trained = table(hider=HIDER, novice={**NOVICE, "skills": {"Observation": "B2"}})
    sides = [declare("hider", "Stealthy"), declare("novice", "Observation")]
    assert play("versus_test", {"sides": sides}, trained, {}, [1, 2]).outcome.winner == "novice"
    open_air = table(hider={"stats": {"Speed": "B4"}}, novice=NOVICE)
    sides = [declare("hider", "Speed"), declare("novice", "Perception")]
    run = play("versus_test", {"sides": sides}, open_air, {}, [2, 3])
    assert run.outcome.winner == "novice"
    assert "twice" not in run.told
