"""Advantage, disadvantage, and the methods of working."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.tests.circumstances import methods, time_guideline, time_taken
from games.burning_wheel.playing import Played, a_test, declare, play, table

RICH = {"skills": {"Sword": "B4", "Oratory": {"rating": "B3", "category": "Social"}}}


# --- Advantage -----------------------------------------------------------------------------


@pytest.mark.rules("tests.advantage.one_die", "tests.advantage.gm_final")
@pytest.mark.parametrize(("granted", "dice"), [(True, 5), (False, 4)])
def test_a_claim_is_worth_one_die_if_the_gm_agrees(granted: bool, dice: int):
    answers = {"advantage": "He stands higher", "grant_advantage": granted}
    run = a_test(table(rich=RICH), "Sword", 1, [0], answers)
    assert run.outcome.dice.total == dice
    assert run.seats["grant_advantage"] == "gm"
    assert run.before_the_dice("advantage")


@pytest.mark.rules("tests.advantage.one_claim_per_test")
def test_the_player_has_one_claim():
    run = a_test(table(rich=RICH), "Sword", 1, [0], {"advantage": "He stands higher"})
    assert run.asked.count("advantage") == 1
    assert sum(line.rule == "tests.advantage.one_die" for line in run.outcome.dice) == 1


@pytest.mark.rules("tests.advantage.one_sentence")
@pytest.mark.parametrize(
    "claim",
    ["He is higher. And it is dark.", "He is higher! So am I", "Ice; and more ice", "x" * 201],
)
def test_a_claim_is_one_short_sentence(claim: str):
    with pytest.raises(BadInput, match=r"^advantage: found ") as refused:
        a_test(table(rich=RICH), "Sword", 1, [], {"advantage": claim})
    assert "\n" not in str(refused.value)


@pytest.mark.rules("tests.advantage.one_sentence")
@pytest.mark.parametrize("claim", ["He is higher.", "St.John's roof is wet", "Is he not drunk?"])
def test_one_sentence_may_end_as_sentences_do(claim: str):
    assert a_test(table(rich=RICH), "Sword", 1, [0], {"advantage": claim}).outcome.dice.total == 5


@pytest.mark.rules("tests.advantage.social")
def test_a_social_skill_may_earn_the_die_by_the_way_it_was_played():
    run = a_test(table(rich=RICH), "Oratory", 1, [0], {"played_well": True})
    assert run.outcome.dice.total == 4
    assert run.seats["played_well"] == "gm"
    assert a_test(table(rich=RICH), "Oratory", 1, [0]).outcome.dice.total == 3
    assert "played_well" not in a_test(table(rich=RICH), "Sword", 1, [0]).asked
    # by Beginner's Luck, where somebody's sheet says that the skill is a social one
    other = {"stats": {"Will": "B4"}}
    luck = a_test(
        table(rich=other, orator=RICH), "Oratory", 1, [0], {"roots": ["Will"], "played_well": True}
    )
    assert luck.outcome.dice.total == 5
    # one advantage die, not two: whoever made a claim is not asked again
    claimed = a_test(table(rich=RICH), "Oratory", 1, [0], {"advantage": "They love him"})
    assert "played_well" not in claimed.asked
    assert claimed.outcome.dice.total == 4


@pytest.mark.rules("tests.advantage.gm_may_add")
def test_the_limit_of_one_binds_the_player_and_not_the_gm():
    run = a_test(
        table(rich=RICH), "Sword", 1, [0], {"advantage": "He is higher", "gm_advantage": 3}
    )
    assert run.outcome.dice.total == 4 + 1 + 3
    assert run.seats["gm_advantage"] == "gm"


@pytest.mark.rules("tests.advantage.offset_by_target", "tests.amb.advantage_both_sides")
@pytest.mark.parametrize(
    ("answers", "dice"),
    [
        ({}, [5, 4]),
        ({"grant_advantage": False}, [4, 3]),  # they balance: both are denied
        ({"grant_advantage#1": False}, [4, 4]),
    ],
)
def test_both_sides_may_claim_and_claims_that_balance_are_denied(
    answers: dict[str, bool], dice: list[int]
):
    at = table(rich=RICH, foe={"skills": {"Sword": "B3"}})
    claims = {"rich/advantage": "He is higher", "foe/advantage": "His blade is longer"}
    sides = [declare("rich", "Sword"), declare("foe", "Sword", intent="keep him out")]
    run = play("versus_test", {"sides": sides}, at, claims | answers, [0, 1])
    assert [tally.total for tally in run.outcome.dice] == dice


# --- Disadvantage --------------------------------------------------------------------------


@pytest.mark.rules("tests.disadvantage.sources", "tests.disadvantage.gm_must_raise")
def test_the_gm_is_asked_for_every_source_of_disadvantage():
    run = a_test(table(rich=RICH), "Sword", 1, [0])
    ask = run.asks["disadvantages"]
    assert ask.seat == "gm"
    assert run.before_the_dice("disadvantages")
    labels = " ".join(option.label for option in ask.question.options)
    for source in ("haste", "dark", "smoke", "noise", "slippery", "language", "dress", "carrying"):
        assert source in labels
    assert len(ask.question.options) == 8


@pytest.mark.rules("tests.disadvantage.cumulative", "tests.disadvantage.sources")
def test_each_disadvantage_adds_one_without_limit():
    sources = [
        o.key
        for o in a_test(table(rich=RICH), "Sword", 1, [0]).asks["disadvantages"].question.options
    ]
    for number in range(len(sources) + 1):
        run = a_test(table(rich=RICH), "Sword", 2, [0], {"disadvantages": sources[:number]})
        assert run.outcome.obstacle.total == 2 + number
    more = [*sources, "bees", "a curse", "his mother watches"]
    run = a_test(table(rich=RICH), "Sword", 2, [0], {"disadvantages": more})
    assert run.outcome.obstacle.total == 2 + 11


# --- Methods -------------------------------------------------------------------------------


def hour(answers: dict[str, object], successes: int, **table_options: str) -> Played:
    """A test of four dice against Ob 2 that takes an hour."""
    at = table(options=table_options or None, rich={**RICH, "artha": {"persona": 1}})
    return a_test(at, "Sword", 2, [successes], answers, time="1 hour")


@pytest.mark.rules("tests.method.four")
def test_there_are_four_methods_and_normal_is_the_default():
    assert list(methods()) == ["normally", "carefully", "patiently", "quickly"]
    run = hour({}, 4)
    assert (run.outcome.seconds, run.outcome.patiently, run.outcome.quickly) == (3600, 0, 0)
    assert run.outcome.dice.total == 4


@pytest.mark.rules(
    "tests.method.carefully_die",
    "tests.method.carefully_time",
    "tests.method.carefully_declared_first",
)
def test_careful_work_gives_a_die_for_half_as_much_time_again():
    run = hour({"carefully": True}, 2)
    assert run.outcome.dice.total == 5
    assert run.outcome.seconds == 5400
    assert run.before_the_dice("carefully")
    assert run.asked.count("carefully") == 1


@pytest.mark.rules("tests.method.carefully_failure")
def test_careful_work_that_fails_may_run_out_of_time():
    run = hour({"carefully": True, "time_complication": "the bomb goes off"}, 0)
    assert run.outcome.complication == "the bomb goes off"
    assert "Time has run out: the bomb goes off." in run.told
    assert run.seats["time_complication"] == "gm"
    # a right, not a duty
    assert hour({"carefully": True}, 0).outcome.complication == ""
    # only careful work, only a failure
    assert "time_complication" not in hour({}, 0).asked
    assert "time_complication" not in hour({"carefully": True}, 2).asked


@pytest.mark.rules("tests.method.carefully_failure")
def test_focus_cancels_the_complication_but_not_the_failure():
    run = hour({"carefully": True, "time_complication": "the bomb", "focus": True}, 0)
    assert run.outcome.complication == ""
    assert "Focus averts this: the bomb." in run.told
    assert "Time has run out" not in run.told
    assert not run.outcome.passed
    assert run.changed["rich.artha.persona"] == 0


@pytest.mark.rules("tests.amb.careful_without_time_pressure")
@pytest.mark.parametrize(
    ("option", "agrees", "offered"),
    [
        ({"tests_careful_on_instantaneous": "not_available"}, None, False),
        ({"tests_careful_on_instantaneous": "gm_may_agree"}, True, True),
        ({"tests_careful_on_instantaneous": "gm_may_agree"}, False, False),
    ],
)
def test_careful_work_on_what_takes_no_time(
    option: dict[str, str], agrees: bool | None, offered: bool
):
    answers = {} if agrees is None else {"careful_allowed": agrees}
    if offered:
        answers["carefully"] = True
    run = a_test(table(options=option, rich=RICH), "Sword", 1, [1], answers)
    assert ("carefully" in run.asked) is offered
    assert ("careful_allowed" in run.asked) is (agrees is not None)
    assert run.outcome.dice.total == (5 if offered else 4)
    assert run.outcome.seconds == 0


@pytest.mark.rules("tests.method.patiently_quality", "tests.method.patiently_after_roll")
def test_patient_work_puts_extra_successes_into_quality():
    run = hour({"allocate": [2, 0]}, 4)
    assert run.outcome.patiently == 2
    assert run.outcome.seconds == 3600
    assert "2 into quality." in run.told
    assert not run.before_the_dice("allocate")
    assert run.seats["allocate"] == "rich"


@pytest.mark.rules("tests.method.patiently_skill_rules")
def test_a_skill_with_its_own_rule_for_extra_successes_goes_by_it():
    mending = {"rating": "B4", "patiently": "one more use each"}
    at = table(rich={"skills": {"Mending": mending}})
    run = a_test(at, "Mending", 1, [3], {"allocate": [2, 0]})
    assert "2 into one more use each." in run.told
    assert "quality" not in run.told
    told = [e.fact.rule for e in run.events if hasattr(getattr(e, "fact", None), "rule")]
    assert "tests.method.patiently_skill_rules" in told


@pytest.mark.rules("tests.method.quickly_time", "tests.method.quickly_after_roll")
@pytest.mark.parametrize(("quickly", "minutes"), [(0, 60), (1, 54), (2, 48)])
def test_quick_work_saves_a_tenth_of_the_time_for_each_extra_success(quickly: int, minutes: int):
    run = hour({"allocate": [0, quickly]}, 4)
    assert run.outcome.seconds == minutes * 60
    assert not run.before_the_dice("allocate")


@pytest.mark.rules("tests.method.quickly_time", "tests.standard.extra_successes")
def test_only_what_is_above_the_obstacle_can_be_spent():
    with pytest.raises(BadInput, match=r"allocate: .*at most 2"):
        hour({"allocate": [0, 3]}, 4)
    assert "allocate" not in hour({}, 2).asked
    failed = hour({"time_lost": "full_time"}, 1)
    assert "allocate" not in failed.asked
    assert failed.outcome.seconds == 3600


@pytest.mark.rules("tests.method.each_success_once", "tests.method.announce_allocation")
@pytest.mark.parametrize("patiently", range(3))
def test_each_extra_success_is_spent_once_in_any_split(patiently: int):
    run = hour({"allocate": [patiently, 2 - patiently]}, 4)
    assert (run.outcome.patiently, run.outcome.quickly) == (patiently, 2 - patiently)
    with pytest.raises(BadInput, match="allocate"):
        hour({"allocate": [patiently + 1, 2 - patiently]}, 4)


@pytest.mark.rules("tests.method.combine", "tests.amb.time_arithmetic")
def test_all_methods_combine():
    """An hour, carefully an hour and a half; one tenth of that off is 81 minutes."""
    run = hour({"carefully": True, "allocate": [1, 1]}, 4)
    assert (run.outcome.dice.total, run.outcome.patiently, run.outcome.quickly) == (5, 1, 1)
    assert run.outcome.seconds == 81 * 60


@pytest.mark.rules("tests.amb.time_arithmetic")
@pytest.mark.parametrize("careful", [True, False])
@pytest.mark.parametrize("quickly", range(13))
def test_time_is_cut_by_tenths_of_the_whole_and_never_by_more_than_nine(
    careful: bool, quickly: int
):
    longer = Fraction(3, 2) if careful else Fraction(1)
    left = max(Fraction(1, 10), 1 - Fraction(quickly, 10))
    assert time_taken(36000, careful=careful, quickly=quickly) == 36000 * longer * left


@pytest.mark.rules("tests.amb.time_missing_category")
def test_guidelines_by_category():
    assert time_guideline("Artisan") == time_guideline("Craftsman")
    assert time_guideline("stat") == "instantaneous; or minutes to hours; GM sets"
    assert time_guideline("attribute") == ""
    assert time_guideline("") == ""
