import json
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
    'procedure = "versus"': ('procedure = "versus_test"', "step[0].procedure: found 'versus'"),
    'game = "chess"': ('game = "burning_wheel"', "game: found 'chess', expected one of"),
    'character = "moktada"': (
        'character = "moqtada"',
        "step[0].character: found 'moktada', expected one of moqtada, shipwright",
    ),
    "rolls = [{ successes = 9 }]": (
        "rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]",
        "step[0].rolls[0] (Moqtada, Haggling): found 9",
    ),
    "rolls = [[1, 2, 3, 4, 7]]": (
        "rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]",
        "step[0].rolls[0] (Moqtada, Haggling): found 7, expected a face of a d6",
    ),
    "rolls = [[1, 2, 3, 4]]": (
        "rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]",
        "found [1, 2, 3, 4], expected 1 more for 5G",
    ),
    "rolls = [{ successes = 4 }]": (
        "rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]",
        "step[0].rolls[1]: found nothing, expected faces for The shipwright, Haggling",
    ),
    "rolls = [{ successes = 4 }, { successes = 1 }, [1]]": (
        "rolls = [{ successes = 4 }, [4, 5, 6, 1, 2]]",
        "step[0].rolls[2]: found [1], expected no more entries",
    ),
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
        f"haggling.toml.step[0].rules[0]: found '{RULE[1:]}', expected the id of an entry",
    ),
    f'[step.expect]\nrefused = "{RULE[:-1]}"\n[step.expect.outcome]': (
        "[step.expect.outcome]",
        f"haggling.toml.step[0].expect.refused: found '{RULE[:-1]}', expected the id of an entry",
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


def test_options_and_answers_that_do_not_exist_are_refused(play):
    status, _, err = play(
        HAGGLING.replace("[characters.moq", '[options]\ntests_erly = "x"\n[characters.moq', 1)
    )
    assert status == 2
    assert "options.tests_erly" in err
    status, _, err = play(
        HAGGLING.replace("[step.expect", '[step.answers]\nforkz = ["x"]\n[step.expect', 1)
    )
    assert status == 2
    assert "step[0].answers.forkz" in err


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
