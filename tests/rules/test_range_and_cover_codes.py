"""The codes of Range and Cover, held against a second reader that knows only the words."""

from __future__ import annotations

import re

import pytest

from astragal.rules import Record, catalogue


def table(name: str) -> tuple[Record, ...]:
    return catalogue().table(f"range_and_cover.table.{name}").records()


MATRIX = table("maneuver_matrix")
MANEUVERS = {str(row["maneuver"]): row for row in table("maneuvers")}
MINE = tuple(dict.fromkeys(str(row["mine"]) for row in MATRIX))
SIDES = ("mine", "theirs")


def rows_of(mine: str) -> tuple[Record, ...]:
    return tuple(row for row in MATRIX if row["mine"] == mine)


def maneuver(name: str) -> Record:
    """The maneuver; with Observation it is the one with Perception."""
    return MANEUVERS[name.replace("observation", "perception")]


# --- The matrix ----------------------------------------------------------------------------


@pytest.mark.parametrize("mine", MINE)
def test_tests_are_coded_as_they_are_worded(mine: str):
    for row in rows_of(mine):
        for side, column in zip(SIDES, ("i_test", "they_test"), strict=True):
            words, code = str(row[column]), str(row[f"{column}_code"])
            ability = words.split()[0].casefold()
            assert code == ability + "_automatic" * ("exponent automatic" in words)
            does = maneuver(str(row[side]))
            assert ability == does["ability_code"] or "observation_instead" in does["special_codes"]
            bonus = re.search(r"\+(\d)D", words)
            assert (int(bonus[1]) if bonus else 0) == does["bonus_dice"]
            open_ended = "open-ended" in words and "not open-ended" not in words
            assert open_ended == (does["open_ended"] and ability != "observation")
            hesitation = "own_hesitation" in does["special_codes"]
            assert ("must reach own hesitation" in words) == hesitation


@pytest.mark.parametrize("mine", MINE)
def test_the_form_of_the_test_follows_from_its_codes(mine: str):
    for row in rows_of(mine):
        codes = (row["i_test_code"], row["they_test_code"])
        form = "standard versus"
        for whose, code in zip(("my", "their"), codes, strict=True):
            if code == "stealthy_automatic":
                form = f"{whose} Stealthy exponent is automatic"
        steel = tuple(code == "steel" for code in codes)
        who = {(1, 0): "I", (0, 1): "they", (1, 1): "both"}.get(steel)
        assert row["test_form"] == form + (f"; {who} also check hesitation" if who else "")


@pytest.mark.parametrize("mine", MINE)
@pytest.mark.parametrize("column", ["range_if_i_win", "range_on_tie", "range_if_they_win"])
def test_ranges_are_coded_as_they_are_worded(mine: str, column: str):
    for row in rows_of(mine):
        words = str(row[column])
        moves = re.fullmatch(
            r"(I|they|both) (advance|retreat) 1 category(?: of (?:my|their) weapon)?", words
        )
        assert moves or words == "no change"
        assert row[f"{column}_code"] == (
            f"{moves[1].casefold()}_{moves[2]}" if moves else "no_change"
        )


@pytest.mark.parametrize("mine", MINE)
def test_ranges_follow_from_what_the_sides_intend(mine: str):
    """Whoever wins does what he intended; on a tie both do, if they intend the same."""
    verbs = {"close": "_advance", "withdraw": "_retreat", "maintain": ""}
    for row in rows_of(mine):
        verb, other = (verbs[str(maneuver(str(row[side]))["intent"])] for side in SIDES)
        both = verb if verb == other else ""
        assert row["range_if_i_win_code"] == (f"i{verb}" if verb else "no_change")
        assert row["range_if_they_win_code"] == (f"they{other}" if other else "no_change")
        assert row["range_on_tie_code"] == (f"both{both}" if both else "no_change")


def shots_in(words: str, costs: tuple[object, object]) -> tuple[str, str]:
    if words == "both free, or duck":
        return "free_or_duck", "free_or_duck"
    said = re.fullmatch(r"I: (.+); they: (.+)", words)
    assert said
    found = []
    for each, cost in zip(said.groups(), costs, strict=True):
        number = re.match(r"\d", each)
        assert number is None or int(number[0]) == cost
        found.append("paid" if number else each.removesuffix(" (vs Steel)"))
    return found[0], found[1]


@pytest.mark.parametrize("mine", MINE)
@pytest.mark.parametrize("column", ["shots_if_i_win", "shots_on_tie", "shots_if_they_win"])
def test_shots_are_coded_as_they_are_worded(mine: str, column: str):
    for row in rows_of(mine):
        costs = tuple(maneuver(str(row[side]))["action_cost"] for side in SIDES)
        assert row[f"{column}_codes"] == shots_in(str(row[column]), (costs[0], costs[1]))


@pytest.mark.parametrize("mine", MINE)
def test_every_pair_stands_mirrored(mine: str):
    other = {"i": "they", "they": "i", "both": "both", "no": "no"}

    def turned(code: object) -> str:
        who, _, what = str(code).partition("_")
        return f"{other[who]}_{what}"

    for row in rows_of(mine):
        (back,) = (
            each
            for each in MATRIX
            if (each["mine"], each["theirs"]) == (row["theirs"], row["mine"])
        )
        assert back["i_test_code"] == row["they_test_code"]
        assert back["range_if_i_win_code"] == turned(row["range_if_they_win_code"])
        assert back["range_on_tie_code"] == row["range_on_tie_code"]
        assert back["shots_if_i_win_codes"] == row["shots_if_they_win_codes"][::-1]


# --- The tables beside it ------------------------------------------------------------------


@pytest.mark.parametrize("row", MANEUVERS.values(), ids=list(MANEUVERS))
def test_what_is_special_is_coded_as_it_is_worded(row: Record):
    words = str(row["special"])
    if words.startswith("as "):
        words = str(MANEUVERS[words.removeprefix("as ")]["special"])
    marks = {
        "exponent automatic": "automatic_exponent",
        "must also meet own hesitation": "own_hesitation",
        "opponent always has a free shot": "opponent_shoots_free",
        "fortification dice usable": "fortification_dice",
        "if Observation is used": "observation_instead",
    }
    assert list(row["special_codes"]) == [code for mark, code in marks.items() if mark in words]
    assert row["ability_code"] == str(row["ability"]).partition(" ")[0].casefold()
    assert str(row["maneuver"]) == f"{row['ability_code']}_{row['intent']}"


@pytest.mark.parametrize("row", table("action_costs"), ids=lambda row: row["action"])
def test_costs_and_limits_are_coded_as_they_are_worded(row: Record):
    limits = {
        "one a volley": ("times_a_volley", 1),
        "total held: half Perception rounded up": ("half_perception", 0),
        "total held: 2D": ("dice_held", 2),
        "none stated": ("none", 0),
    }
    assert (row["limit_code"], row["limit_number"]) == limits[str(row["limit"])]
    effects = {"shot": "shoots", "aim": "aiming_dice", "take cover": "cover_dice"}
    assert row["effect_code"] == effects.get(str(row["action"]), "as_the_gm_says")
    assert ("a die" in str(row["effect"])) == (row["each"] == "die")
    withdraw, close = MANEUVERS["speed_withdraw"], MANEUVERS["speed_close"]
    assert row["cost_in_successes"] == close["action_cost"]
    assert row["cost_under_speed_withdraw"] == withdraw["action_cost"]


@pytest.mark.parametrize("row", table("steel_outcomes"), ids=lambda row: row["versus_result_code"])
def test_steel_is_coded_as_it_is_worded(row: Record):
    mover, shot, margin = (str(row[name]) for name in ("mover", "opponent_shot", "opponent_margin"))
    results = {"Steel user": "steel_wins", "opponent": "opponent_wins", "tie": "tie", "any": "any"}
    assert row["versus_result_code"] == results[str(row["versus_result"]).removesuffix(" wins")]
    moves = {"moves 1 category": "moves", "moves only if": "moves_if_alike", "does not": "stays"}
    assert [row["mover_code"]] == [code for words, code in moves.items() if words in mover]
    assert ("before the move" in shot) == (row["opponent_shot_code"] == "free_before_move")
    assert ("duck" in shot) == (row["opponent_shot_code"] == "free_or_duck")
    assert (margin == "none") == (row["opponent_margin_code"] == "none")
    assert ("minus" in margin) == (row["opponent_margin_code"] == "difference")
    assert ("hesitates for" in str(row["next"])) == (row["next_code"] != "continue")
    assert row["reached_hesitation"] == (row["next_code"] == "continue")


@pytest.mark.parametrize("row", table("hesitation_options"), ids=lambda row: row["option"])
def test_hesitation_is_coded_as_it_is_worded(row: Record):
    loses = row["positioning"] == "loses automatically"
    assert row["positioning_code"] == ("loses" if loses else "withdraws_without_dice")
    holds = str(row["movement"]).startswith("holds ground")
    assert row["movement_code"] == ("holds" if holds else "retreats_if_won")
    at = {"winner": "by_the_winner", "used Steel": "unless_speed_won", "Stealthy": "unless_hidden"}
    said = str(row["shots_at_hesitator"])
    assert [row["shots_at_hesitator_code"]] == [code for mark, code in at.items() if mark in said]
    after = str(row["on_recovery_or_end"])
    dice = re.search(r"(\d)D cover", after)
    assert row["cover_dice_on_recovery"] == (int(dice[1]) if dice else 0)
    ends = {
        "nothing": "nothing",
        "out of range ends": "escape_ends_all",
        "cover": "cover_dice",
        "not found": "must_be_found",
    }
    assert [row["on_recovery_or_end_code"]] == [c for mark, c in ends.items() if mark in after]


# --- The ladder of ranges ------------------------------------------------------------------

ORDER = ("out of range", "extreme", "optimal", "too close to shoot")
LADDER = table("joint_ladder")
WINS = [
    f"if_{side}_wins_{intent}" for side in ("longer", "shorter") for intent in ("close", "withdraw")
]


@pytest.mark.parametrize("row", LADDER, ids=lambda row: row["state"])
@pytest.mark.parametrize("column", WINS)
def test_a_win_moves_one_category_of_the_opponents_weapon(row: Record, column: str):
    """The mover counts in categories of the other's weapon; some steps have two readings."""
    _, mover, _, intent = column.split("_")
    other = "shorter_weapon" if mover == "longer" else "longer_weapon"
    states = {each["state"]: each for each in LADDER if each["case"] == row["case"]}
    step = 1 if intent == "close" else -1
    for state in row[column]:
        if state == "over":
            assert intent == "withdraw"
            assert row["longer_weapon"] != "optimal"
        elif state == "TC":
            assert intent == "close"
            assert row[other] == "optimal" or mover == "shorter"
        else:
            before, after = (ORDER.index(str(at[other])) for at in (row, states[state]))
            own = "longer_weapon" if mover == "longer" else "shorter_weapon"
            moved = ORDER.index(str(states[state][own])) - ORDER.index(str(row[own]))
            # A tenfold reach leaves the other's category where it was on some rungs.
            assert (after - before) * step >= 0
            assert abs(after - before) + abs(moved) > 0
    assert len(row[column]) == 1 or row["case"] == "tenfold"
