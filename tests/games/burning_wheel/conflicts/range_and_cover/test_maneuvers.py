"""All pairs of maneuvers, played, and held against what the table says of them in words."""

from __future__ import annotations

import re

import pytest

from astragal.games.burning_wheel.conflicts.range_and_cover.maneuvers import maneuvers
from astragal.games.burning_wheel.conflicts.range_and_cover.maneuvers_in_words import meets
from astragal.play import DecisionEvent
from astragal.rules import catalogue
from games.burning_wheel.skirmishing import archer, field, one_volley

MATRIX = catalogue().table("range_and_cover.table.maneuver_matrix").records()
MINE = tuple(dict.fromkeys(str(row["mine"]) for row in MATRIX))

SKILLED = archer(
    stats={"Will": "B9"},  # a hesitation of one, which every roll of these reaches
    skills={"Stealthy": "B3", "Observation": "B4"},
)


@pytest.mark.rules("range_and_cover.script.maneuver_families")
def test_there_are_eight_maneuvers_in_three_families():
    assert len(maneuvers()) == 8
    families = {
        "close": {"speed", "stealthy", "steel"},
        "withdraw": {"speed", "stealthy", "steel"},
        "maintain": {"speed", "perception"},
    }
    assert set(maneuvers()) == {f"{how}_{what}" for what, hows in families.items() for how in hows}


def played(row, result: str):
    """A pair from extreme range, with dice that bring the result about; all shots miss."""
    keys, answers, rolls = [], {}, []
    for name, side in (("ann", "mine"), ("bob", "theirs")):
        key = str(row[side])
        if "observation" in key:
            answers[f"{name}/watch_with"] = "Observation"
        elif key == "perception_maintain" and "stealthy" in str(
            row["theirs" if side == "mine" else "mine"]
        ):
            answers[f"{name}/watch_with"] = "Perception"
        keys.append(key.replace("observation", "perception"))
        ahead = result == ("win" if side == "mine" else "lose")
        wanted = 5 if ahead else (4 if result == "tie" else 3)
        automatic = (
            3
            if "exponent automatic" in str(row["i_test" if side == "mine" else "they_test"])
            else 0
        )
        rolls.append(wanted - automatic)
    return keys, answers, rolls


@pytest.mark.slow
@pytest.mark.rules(
    "range_and_cover.win.intent_succeeds",
    "range_and_cover.win.close_effect",
    "range_and_cover.win.withdraw_effect",
    "range_and_cover.win.maintain_effect",
    "range_and_cover.tie.range.mixed",
    "range_and_cover.tie.range.like",
    "range_and_cover.lose.no_progress",
    "range_and_cover.lose.no_actions",
    "range_and_cover.range.change_only_by_positioning",
    "range_and_cover.speed_maintain.effect",
    "range_and_cover.perception_maintain.effect",
    "range_and_cover.steel_close.opponent_always_shoots",
    "range_and_cover.steel_close.opponent_shot_free",
    "range_and_cover.tie.shot.free",
    "range_and_cover.stealthy_withdraw.test",
    "range_and_cover.steel_withdraw.test",
)
@pytest.mark.parametrize("mine", MINE)
@pytest.mark.parametrize("result", ["win", "tie", "lose"])
def test_every_pair_does_what_the_table_says_in_words(mine: str, result: str):
    column = {"win": "if_i_win", "tie": "on_tie", "lose": "if_they_win"}[result]
    for row in (row for row in MATRIX if row["mine"] == mine):
        keys, answers, rolls = played(row, result)
        misses = [0, 0]
        came = None
        for many in range(3):  # as many shots as there are, all of which miss
            try:
                at = field(SKILLED, SKILLED)
                came = one_volley(
                    keys[0],
                    keys[1],
                    rolls + misses[:many],
                    answers,
                    at,
                    "extreme/extreme",
                    one={"cover_dice": 2},
                    other={"cover_dice": 2},
                )
            except AssertionError as error:
                if "rolled, but no dice" not in str(error):
                    raise
            else:
                break
        assert came is not None
        words = str(row[f"range_{column}"])
        ends = where(words)
        assert came.outcome.ranges == (ends,) * 2, (row["mine"], row["theirs"], result)
        said = [line for line in came.told.splitlines() if line.startswith("Range: ")]
        apart = "" if ends == "too close to shoot" else "both "
        assert said == ([] if ends == "extreme" else [f"Range: {apart}{ends}."])
        assert asked(came) == expected(row, column, words, result), (
            row["mine"],
            row["theirs"],
            result,
        )


def where(words: str) -> str:
    """From extreme range: one step nearer or farther, two if both move, or none."""
    steps = 2 if words.startswith("both") else 1
    if "advance" in words:
        return ("optimal", "too close to shoot")[steps - 1]
    return "out of range" if "retreat" in words else "extreme"


def asked(came) -> dict[str, str]:
    """Who was asked to shoot, and how: by winning or for nothing, or on a tie."""
    found = {}
    for event in came.events:
        if isinstance(event, DecisionEvent) and event.ask.key in ("shoot", "tie_shot"):
            found[event.ask.seat] = event.ask.key
    return found


def expected(row, column: str, moved: str, result: str) -> dict[str, str]:
    """Who may shoot by the words; with a margin of two nobody pays three successes.

    Whoever has got away by winning does not shoot any more.
    """
    words = str(row[f"shots_{column}"])
    if words == "both free, or duck":
        return {"ann": "tie_shot", "bob": "tie_shot"}
    said = re.fullmatch(r"I: (.+); they: (.+)", words)
    assert said
    found = {}
    for name, each, won in (("ann", said[1], result == "win"), ("bob", said[2], result == "lose")):
        gone = won and "retreat" in moved
        if (each.startswith("free") or each == "1 success") and not gone:
            found[name] = "shoot"
    return found


# --- In words --------------------------------------------------------------------------------

MOVED = {
    "I advance": "Ann comes nearer",
    "they advance": "Bob comes nearer",
    "both advance": "both come nearer",
    "I retreat": "Ann falls back",
    "they retreat": "Bob falls back",
    "both retreat": "both fall back",
    "no change": "the range stays",
}


@pytest.mark.rules("range_and_cover.table.maneuver_matrix")
@pytest.mark.parametrize("row", MATRIX, ids=lambda row: f"{row['mine']}/{row['theirs']}")
def test_the_sentence_says_what_the_words_of_the_table_say(row):
    keys = (str(row["mine"]), str(row["theirs"]))
    said = re.fullmatch(
        r"Ann tests (.+?), Bob (.+?)\. Ann wins: (.+?)\. Tie: (.+?)\. Bob wins: (.+)\.",
        meets(("Ann", "Bob"), keys),
    )
    assert said
    for place, column in ((said[1], "i_test"), (said[2], "they_test")):
        assert str(row[column]).startswith(place.split()[0])
        assert ("hesitation" in place) == ("hesitation" in str(row[column]))
    for text, column in ((said[3], "if_i_win"), (said[4], "on_tie"), (said[5], "if_they_win")):
        words = str(row[f"range_{column}"])
        (moved,) = [each for begins, each in MOVED.items() if words.startswith(begins)]
        assert text.startswith(moved)
        shots = str(row[f"shots_{column}"])
        if shots == "both free, or duck":
            assert text == f"{moved}; both shoot or duck"
            continue
        found = re.fullmatch(r"I: (.+); they: (.+)", shots)
        assert found
        for name, each in (("Ann", found[1]), ("Bob", found[2])):
            own = rf"(?:{name}[^;]*, and|; {name}) (may shoot \(([^)]+)\)|shoots for free)"
            mine = re.search(own, text)
            assert (mine is None) == (each == "none"), (text, shots)
            if mine is not None:
                assert (mine[2] or "free") == each.removesuffix(" (vs Steel)")


def test_a_side_that_cannot_act_is_said_to_be_so():
    said = meets(("Ann", "Bob"), ("", "speed_close"))
    assert said == (
        "Ann cannot act. Bob tests Speed. Bob wins: Bob comes nearer, and may shoot (1 success)."
    )
