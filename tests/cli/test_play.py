import json
import tomllib
from pathlib import Path

import pytest

from astragal.cli import main

HAGGLING = """
title = "Moqtada haggles with a shipwright"
game = "burning_wheel"

[characters.moqtada]
name = "Moqtada"
skills.Haggling = "G5"

[characters.shipwright]
name = "The shipwright"
npc = true
skills.Haggling = "B5"

[[step]]
procedure = "versus_test"
rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]

[[step.arguments.sides]]
character = "moqtada"
intent = "a lower price"
task = "praises another yard"
ability = "Haggling"

[[step.arguments.sides]]
character = "shipwright"
intent = "hold the price"
task = "praises his wood"
ability = "Haggling"

[step.expect.outcome]
winner = "moqtada"
margin = 1
dice = [5, 5]
"""


@pytest.fixture
def play(tmp_path: Path, capsys):
    def run(text: str, *options: str):
        file = tmp_path / "haggling.toml"
        file.write_text(text)
        status = main(["play", str(file), *options])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_scenario_is_told_as_a_story(play):
    status, out, err = play(HAGGLING)
    assert (status, err) == (0, "")
    assert "Moqtada, Haggling (5D gray)" in out
    assert "= 4 successes" in out
    assert "As expected." in out


def test_a_wrong_expectation_names_the_field(play):
    status, out, _ = play(HAGGLING.replace("margin = 1", "margin = 2"))
    assert status == 1
    assert "DIFFERS  outcome.margin: expected 2, got 1" in out
    assert "1 difference." in out


def test_json_has_the_whole_result(play):
    status, out, _ = play(HAGGLING, "--json")
    assert status == 0
    (step,) = json.loads(out)["steps"]
    assert step["outcome"]["winner"] == "moqtada"
    assert [roll["faces"] for roll in step["rolls"]] == [[5, 5, 5, 5, 2], [4, 5, 6, 1, 2]]
    assert {"seat", "key", "answer"} == set(step["decisions"][0])


def test_without_scripted_dice_it_rolls_and_a_seed_repeats_it(play):
    free = HAGGLING.replace("rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]", "")
    free = free[: free.index("[step.expect.outcome]")]
    first = play(free, "--seed", "1", "--json")
    assert first == play(free, "--seed", "1", "--json")
    assert first != play(free, "--seed", "2", "--json")


RULE, EXAMPLE = "tests.let_it_ride.one_roll", "tests.ex.haggling"
TITLE = 'title = "Moqtada haggles with a shipwright"'
BAD = {
    'nam = "x"': ('name = "Moqtada"', "characters.moqtada.nam: found 'nam'"),
    'skills.Haggling = "X5"': (
        'skills.Haggling = "B5"',
        "characters.shipwright.skills.Haggling.rating: found 'X5', expected a shade",
    ),
    'procedure = "versus"': (
        'procedure = "versus_test"',
        "haggling.toml, step 1, procedure: found 'versus'",
    ),
    'game = "chess"': ('game = "burning_wheel"', "game: found 'chess', expected one of"),
    "margin == 1": ("margin = 1", "line"),
    f'rules = ["tests.versus.most_successes_win", "{RULE[:-1]}"]': (
        TITLE,
        f"haggling.toml.rules[1]: found '{RULE[:-1]}', expected the id of an entry; "
        f"nearest: {RULE}",
    ),
    f'example = "{EXAMPLE[:-1]}"': (
        TITLE,
        f"haggling.toml.example: found '{EXAMPLE[:-1]}', expected the id of an entry; "
        f"nearest: {EXAMPLE}",
    ),
    'example = "tests.versus.most_successes_win"': (
        TITLE,
        "haggling.toml.example: found 'tests.versus.most_successes_win', expected an example;",
    ),
    f'procedure = "versus_test"\nrules = ["{RULE[1:]}"]': (
        'procedure = "versus_test"',
        f"haggling.toml, step 1, rules[0]: found '{RULE[1:]}', expected the id of an entry",
    ),
    f'[step.expect]\nrefused = "{RULE[:-1]}"\n[step.expect.outcome]': (
        "[step.expect.outcome]",
        f"haggling.toml, step 1, expect.refused: found '{RULE[:-1]}', expected the id of an entry",
    ),
}


@pytest.mark.parametrize("wrong", BAD)
def test_what_does_not_fit_is_one_line_and_status_2(play, wrong):
    right, message = BAD[wrong]
    status, _, err = play(HAGGLING.replace(right, wrong, 1))
    assert status == 2
    assert message in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_options_that_do_not_exist_are_refused(play):
    status, _, err = play(
        HAGGLING.replace("[characters.moq", '[options]\ntests_erly = "x"\n[characters.moq', 1)
    )
    assert status == 2
    assert "options.tests_erly" in err


ROLLS = "rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]"
UNFIT = {
    'character = "moktada"': (
        'character = "moqtada"',
        "refused: character: found 'moktada', expected one of moqtada, shipwright",
    ),
    "rolls = [{ successes = 9 }]": (ROLLS, "rolls: roll 1 (Moqtada, Haggling): found 9"),
    "rolls = [[1, 2, 3, 4, 7]]": (
        ROLLS,
        "rolls: roll 1 (Moqtada, Haggling): found 7, expected a face of a d6",
    ),
    "rolls = [[1, 2, 3, 4]]": (ROLLS, "found [1, 2, 3, 4], expected 1 more for 5G"),
    "rolls = [{ successes = 4 }]": (
        ROLLS,
        "rolls: roll 2 (The shipwright, Haggling): found nothing, expected faces of 5B",
    ),
    "rolls = [{ successes = 4 }, { successes = 1 }, [1]]": (
        ROLLS,
        "rolls: roll 3: found [1], expected no more entries",
    ),
    '[step.answers]\nfits = true\ndefendr = "moqtada"\n[step.expect': (
        "[step.expect",
        "answers: found 'defendr', expected a question asked here; nearest: defender",
    ),
}


@pytest.mark.parametrize("wrong", UNFIT)
def test_what_shows_only_in_play_is_a_difference_after_what_happened_until_then(play, wrong):
    right, message = UNFIT[wrong]
    later = HAGGLING[HAGGLING.index("[[step]]") :].replace("a lower price", "a discount")
    later = later.replace("hold the price", "the full price")
    status, out, err = play(HAGGLING.replace(right, wrong, 1) + later)
    assert (status, err) == (1, "")
    first, second = out.split("2. Versus test")
    assert "DIFFERS  " in first
    assert message in " ".join(first.split())
    assert "Moqtada's intent: a lower price" in first or "moktada" in wrong
    assert "DIFFERS" not in second
    assert "Moqtada's intent: a discount" in second


def test_folders_and_several_files_get_a_line_each(tmp_path, capsys):
    (tmp_path / "deep").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "good.toml").write_text(HAGGLING)
    (tmp_path / "deep/other.toml").write_text(HAGGLING.replace("margin = 1", "margin = 2"))
    (tmp_path / "moqtada.toml").write_text('name = "Moqtada"\nskills.Haggling = "G5"\n')
    (tmp_path / ".hidden/not_mine.toml").write_text("nonsense")
    assert main(["play", str(tmp_path), str(tmp_path / "good.toml")]) == 1
    out = " ".join(capsys.readouterr().out.split())
    lines = out.replace(" ", "")  # a long path may go on in the next line
    assert lines.count(f"{tmp_path / 'good.toml'}:asexpected1step") == 1
    assert f"{tmp_path / 'deep/other.toml'}:1difference" in lines
    assert "1. Versus test DIFFERS outcome.margin: expected 2, got 1" in out
    assert "2 scenarios, 1 difference." in out
    assert "moqtada.toml" not in out
    assert "praises another yard" not in out


def test_a_file_that_is_not_valid_keeps_no_other_from_being_played(tmp_path, capsys):
    (tmp_path / "a.toml").write_text("margin == 1")
    (tmp_path / "b.toml").write_text(HAGGLING)
    assert main(["play", str(tmp_path)]) == 2
    out = " ".join(capsys.readouterr().out.split())
    lines = out.replace(" ", "")  # a long path may go on in the next line
    assert f"{tmp_path / 'a.toml'}:NOTVALID" in lines
    assert f"{tmp_path / 'b.toml'}:asexpected" in lines
    assert "2 scenarios, 1 not valid." in out
    assert main(["play", str(tmp_path), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert [("not_valid" in each, "steps" in each) for each in found["files"]] == [
        (True, False),
        (False, True),
    ]
    assert (found["differences"], found["not_valid"]) == (0, 1)


def test_the_story_of_a_whole_folder_can_be_told(tmp_path, capsys):
    (tmp_path / "good.toml").write_text(HAGGLING)
    assert main(["play", str(tmp_path), "--story"]) == 0
    out = capsys.readouterr().out
    assert "praises another yard" in out
    assert f"{tmp_path / 'good.toml'}:asexpected" in "".join(out.split())


def test_a_folder_without_scenarios_is_said_plainly(tmp_path, capsys):
    assert main(["play", str(tmp_path)]) == 2
    assert f"There is no scenario in the folder {tmp_path}." in capsys.readouterr().err


def test_a_missing_file_is_said_plainly(capsys):
    assert main(["play", "no/such/file.toml"]) == 2
    assert "There is no file no/such/file.toml." in capsys.readouterr().err


def test_sheets_can_be_named_instead_of_written_out(play, tmp_path):
    (tmp_path / "moqtada.toml").write_text('name = "Moqtada"\nskills.Haggling = "G5"\n')
    text = HAGGLING.replace(
        '[characters.moqtada]\nname = "Moqtada"\nskills.Haggling = "G5"\n',
        '[characters]\nmoqtada = "moqtada.toml"\n',
    )
    assert play(text)[0] == 0
    status, _, err = play(text.replace('"moqtada.toml"', '"nobody.toml"'))
    assert status == 2
    assert "characters.moqtada (sheet): found 'nobody.toml', expected a file, or a pre-made" in err
    assert "captain_orrin" in err


def test_a_scenario_that_comes_with_a_game_is_played_by_its_name(capsys):
    assert main(["play", "red_widow"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("A fight with the Red Widow")
    assert told.rstrip().endswith("As expected.")


def test_each_line_names_the_rule_behind_it(capsys):
    assert main(["play", "red_widow"]) == 0
    lines = " ".join(capsys.readouterr().out.split())
    for line in (
        "The Red Widow's charge fails: The Red Widow loses the next action. [fight.charge.failure]",
        "slehr, weapon part: Hilt or pommel [extended_example.strike.choose_weapon_part_late]",
        "slehr: artha.fate 1 -> 0 [artha.spend.points_are_consumed]",
        "The Red Widow rolls 3D = 3 Stealthy [tests.exponent.dice_rolled]",
    ):
        assert line in lines


def test_each_step_names_the_rules_that_it_shows_and_all_that_applied(capsys):
    scenario = Path("tests/examples/burning_wheel/advancement/a_long_fight.toml")
    steps = tomllib.loads(scenario.read_text())["step"]
    assert main(["play", str(scenario)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    shown = [", ".join(step["rules"]) for step in steps if step.get("rules")]
    assert shown
    assert all(f"Shows {rules}" in told for rules in shown)
    assert main(["play", "red_widow"]) == 0
    first = " ".join(capsys.readouterr().out.split()).split(" 2. Slehr casts ")[0]
    applied = first.split("Rules: ")[1].split(", ")
    # A question that got its default, the dice, and a change; each once.
    for rule in (
        "tests.advantage.one_sentence",
        "tests.exponent.dice_rolled",
        "tests.let_it_ride.one_roll",
    ):
        assert applied.count(rule) == 1


def test_a_name_that_no_scenario_has_is_refused_in_one_line(capsys):
    assert main(["play", "red_window"]) == 2
    assert capsys.readouterr().err.strip() == "astragal: There is no file red_window."
