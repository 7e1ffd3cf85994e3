"""The four kinds of test, and the graduated one among them."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.editions_beside import at_table, both, either
from games.burning_wheel.playing import declare, play

RICH = {
    "skills": {"Sword": "B4", "Axe": "B1"},
    "stats": {"Perception": {"rating": "B1"}, "Agility": "B4"},
}
GUARD = {"skills": {"Sword": "B4"}, "npc": True}


def at(edition, **options):
    return at_table(edition, options, rich=RICH, guard=GUARD)


def degree(ability="Sword", rolls=(3,), answers=None, edition="gold", **more):
    name = "graduated_test" if edition == "gold" else "open_test"
    return play(name, declare("rich", ability, **more), at(edition), answers, rolls)


# --- Which kind ----------------------------------------------------------------------------


@pytest.mark.rules("gold.tests.kinds")
@both(
    revised={"standard", "open", "versus", "linked"},
    gold={"standard", "graduated", "versus", "linked"},
)
def test_the_gm_decides_which_of_four_kinds_it_is(edition, expected):
    plain = declare("rich", "Sword")
    foe = declare("guard", "Sword", intent="keep them out")
    then = declare("rich", "Agility", intent="get away")
    said = {"obstacle": 2, "on_failure": "it goes wrong"}
    kinds = set()
    for more, answers, rolls in (
        ({}, said, [2]),
        ({}, {"kind": next(iter(expected & {"open", "graduated"}))}, [2]),
        ({"opponent": foe}, {}, [3, 2]),
        ({"followed_by": [then]}, said, [2, 2]),
    ):
        played = play("test", {**plain, **more}, at(edition), answers, rolls)
        assert played.seats["kind"] == "gm"
        assert played.before_the_dice("kind")
        kinds.add(played.outcome.kind.value)
    assert kinds == expected
    other = ({"open", "graduated"} - expected).pop()
    with pytest.raises(BadInput, match=f"kind: found '{other}'"):
        play("test", plain, at(edition), {"kind": other})


@pytest.mark.rules("gold.tests.kinds")
@pytest.mark.parametrize("kind", ["standard", "open"])
def test_what_the_gm_picks_is_rolled_whatever_the_player_named(kind):
    foe = declare("guard", "Sword", intent="keep them out")
    then = declare("rich", "Agility", intent="get away")
    for more in ({"opponent": foe}, {"followed_by": [then]}):
        said = {"kind": kind, "obstacle": 2} if kind == "standard" else {"kind": kind}
        played = play("test", {**declare("rich", "Sword"), **more}, at("revised"), said, [2])
        assert (played.outcome.kind.value, len(played.rolls)) == (kind, 1)


@pytest.mark.rules("tests.help.must_be_accepted", "tests.help.dice_exponent_4_or_less")
@pytest.mark.parametrize(
    ("procedure", "edition", "more"),
    [
        ("standard_test", "revised", {"obstacle": 2}),
        ("open_test", "revised", {}),
        ("graduated_test", "gold", {}),
        ("test", "revised", {"obstacle": 2}),
        ("test", "gold", {"kind": "graduated"}),
        ("create", "revised", {"obstacle": 2}),
    ],
)
def test_help_may_be_asked_for_in_every_kind_of_test(procedure, edition, more):
    answers = {"ask_help": ["guard"], "help": "Sword", **more}
    played = play(procedure, declare("rich", "Sword"), at(edition), answers, [2])
    assert played.rolls[0].expression.dice.total == 5  # 4D and one of help
    assert played.seats["ask_help"] == "rich"


def test_each_kind_is_played_as_what_it_is():
    said = {"obstacle": 2, "on_failure": "it goes wrong"}
    plain = declare("rich", "Sword")
    standard = play("test", plain, at("gold"), said, [3]).outcome
    assert (standard.outcome.passed, standard.outcome.margin) == (True, 1)
    graduated = play("test", plain, at("gold"), {"kind": "graduated"}, [3]).outcome
    assert graduated.outcome.result == 3
    foe = declare("guard", "Sword", intent="keep them out")
    versus = play("test", {**plain, "opponent": foe}, at("gold"), None, [3, 2]).outcome
    assert versus.outcome.winner == "rich"
    chain = {**plain, "followed_by": [declare("rich", "Agility", intent="get away")]}
    linked = play("test", chain, at("gold"), said, [3, 2]).outcome
    assert [each.dice.total for each in linked.outcome.outcomes] == [4, 5]
    with pytest.raises(BadInput, match="followed_by"):
        play("test", {**chain, "opponent": foe}, at("gold"))


# --- Without a roll --------------------------------------------------------------------------

CLUES = [{"rating": 1, "text": "It is old."}, {"rating": 5, "text": "It is his."}]


@pytest.mark.rules("artha.play.no_stakes_no_roll", "tests.amb.say_yes", "gold.tests.say_yes")
@both(revised=False, gold=True)
def test_whoever_only_asks_is_told_where_nothing_is_at_stake(edition, expected):
    said = {"at_stake": "say_yes"}
    told = degree(rolls=[], answers=said, edition=edition, information=CLUES)
    assert (told.outcome.granted, told.outcome.successes, told.outcome.result) == (True, 0, 0)
    assert told.outcome.revealed == ("It is old.", "It is his.")
    assert not told.changed  # nothing rides, and nothing is logged
    assert ("within_reach" in told.asked) is expected
    assert told.seats["at_stake"] == "gm"
    if expected:  # beyond what the character can do, the dice decide after all
        said |= {"within_reach": False}
        rolled = degree(rolls=[1], answers=said, edition=edition, information=CLUES)
        assert (rolled.outcome.granted, rolled.outcome.revealed) == (False, ("It is old.",))


@pytest.mark.rules("advancement.award.gm_may_hold")
@either
def test_the_gm_may_have_a_question_wait(edition):
    with pytest.raises(NotAllowed, match="not the moment"):
        degree(answers={"at_stake": "not_now"}, edition=edition)


# --- Graduated tests -----------------------------------------------------------------------


@pytest.mark.rules("gold.tests.graduated_ob", "gold.diff.graduated_vs_open")
@both(revised=(0, ""), gold=(1, "against Ob 1"))
def test_a_graduated_test_states_obstacle_one_and_an_open_one_none(edition, expected):
    obstacle, told = expected
    played = degree(edition=edition, answers={"disadvantages": ["darkness"]})
    assert played.outcome.obstacle.total == obstacle  # always, whatever is against it
    assert told in played.told
    assert "obstacle" not in played.asked
    assert "on_failure" not in played.asked
    other = "open_test" if edition == "gold" else "graduated_test"
    with pytest.raises(NotAllowed, match=r"gold\.diff\.graduated_vs_open"):
        play(other, declare("rich", "Sword"), at(edition))


@pytest.mark.rules("gold.roll.graduated")
@pytest.mark.parametrize("successes", [0, 1, 2, 4])
def test_the_count_of_successes_is_the_degree(successes):
    clues = [{"rating": 1, "text": "a man"}, {"rating": 3, "text": "a limp"}]
    played = degree(rolls=[successes], information=clues)
    assert played.outcome.result == played.outcome.successes == successes
    assert len(played.outcome.revealed) == (successes >= 1) + (successes >= 3)
    assert "Failed" not in played.told


@both(revised="late", gold="")
def test_only_an_open_test_can_run_out_of_time(edition, expected):
    """A graduated test does not fail: no success is its lowest degree."""
    said = {"time": "1 hour", "carefully": True}
    if edition == "revised":
        said["time_complication"] = "late"
    played = degree(rolls=[0], answers=said, edition=edition)
    assert played.outcome.complication == expected


@pytest.mark.rules("gold.adv.graduated")
@either
def test_it_is_always_logged_as_routine(edition):
    for ability in ("Sword", "Axe"):  # one die against Ob 1 would be a choice otherwise
        played = degree(ability, rolls=[1], edition=edition)
        assert played.outcome.earned == "routine"
        assert "log_as" not in played.asked
        assert played.table.character("rich").skills[ability].log.routine == 1


@both(revised=0, gold=1)
def test_without_success_perception_learns_from_a_graduated_test_only(edition, expected):
    played = degree("Perception", rolls=[0], edition=edition)
    assert played.table.character("rich").stats["Perception"].log.routine == expected


@either
def test_a_graduated_link_of_a_chain_has_the_threshold_of_an_open_one(edition):
    chain = {
        "tests": [
            declare("rich", "Sword", is_open=True, open_threshold=2),
            declare("rich", "Agility", intent="get away"),
        ]
    }
    said = {"obstacle": 2, "on_failure": "it goes wrong"}
    played = play("linked_tests", chain, at(edition), said, [3, 2])
    assert played.outcome.outcomes[1].dice.total == 5
    assert played.outcome.outcomes[0].obstacle.total == (1 if edition == "gold" else 0)
