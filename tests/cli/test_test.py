import io
import json

import pytest

from astragal.cli import main


def run(capsys, *arguments: str):
    status = main(["test", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_plain_numbers_and_typed_in_faces(capsys):
    status, out, _ = run(capsys, "--rating", "B5", "--ob", "2", "--faces", "1,2,2,4,5", "--no-ask")
    assert status == 0
    assert "Chance of success: 81.2%" in out  # 26 of 32
    assert "2 successes. Success, exactly." in out


def test_a_sheet_with_help_forks_and_care(capsys):
    status, out, _ = run(
        capsys, "mara", "--ability", "streetwise", "--ob", "4", "--fork", "Harbour-wise",
        "--helper", "tam:Observation", "--time", "2 hours", "--carefully", "--boon", "1",
        "--disadvantage", "darkness", "--gear", "lantern", "--failure", "the watch comes",
        "--no-ask", "--seed", "1", "--json",
    )  # fmt: skip
    assert status == 0
    outcome = json.loads(out)
    assert sum(line["amount"] for line in outcome["dice"]["lines"]) == 4 + 1 + 2 + 1 + 1
    assert sum(line["amount"] for line in outcome["obstacle"]["lines"]) == 4
    assert outcome["spent"]["persona"] == 1


def test_versus_a_sheet_or_a_rating(capsys):
    status, out, _ = run(
        capsys, "mara", "--ability", "Persuasion", "--versus", "captain_orrin:Haggling",
        "--faces", "4,4,4,1", "--faces", "1,1,1,1,6", "--no-ask",
    )  # fmt: skip
    assert status == 0
    assert "Mara: 3 successes. Wins" in out
    status, out, _ = run(
        capsys, "--rating", "B3", "--versus", "G2", "--faces", "1,1,4", "--faces", "3,3", "--no-ask"
    )
    assert "Somebody: 1 success. Loses" in out


def test_beginners_luck_says_which_root(capsys):
    status, out, _ = run(
        capsys, "tam", "--ability", "Forgery", "--answer", "roots=['Agility']", "--ob", "2",
        "--no-ask", "--seed", "3", "--json",
    )  # fmt: skip
    assert status == 0
    outcome = json.loads(out)
    assert [line["amount"] for line in outcome["obstacle"]["lines"]] == [2, 2]
    assert outcome["dice"]["lines"][0]["label"] == "Agility"


def test_what_is_left_open_is_asked_with_the_odds_in_view(capsys, monkeypatch):
    answers = ["", "3", "2", "the watch comes", "", "", "", ""]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
    status, out, _ = run(
        capsys, "tam", "--ability", "Climbing", "--intent", "up the wall", "--task", "climbs",
        "--faces", "1,1,1", "--ask",
    )  # fmt: skip
    assert status == 0
    assert "Difficult  12.5%" in out  # three dice against three: one in eight
    assert "12.5% to succeed" in out
    assert "the watch comes" in out
    assert "Failed, 3 short" in out


def test_one_screen_and_one_key(capsys, monkeypatch):
    """With the obstacle given nothing is needed: the card is shown once, and Enter rolls."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 3))
    status, out, _ = run(capsys, "--rating", "B3", "--ob", "1", "--faces", "6,5,4", "--ask")
    assert status == 0
    assert out.count("Enter to roll") == 1
    assert "87.5% to succeed" in out  # one in eight that no die of three succeeds
    assert "3 successes" in out


def test_what_is_hardly_ever_wanted_is_shown_on_demand(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("+\n" + "\n" * 3))
    status, out, _ = run(capsys, "--rating", "B3", "--ob", "1", "--faces", "6,5,4", "--ask")
    assert status == 0
    assert "Does failure mean death?" in out.partition("Enter to roll")[2]
    assert "Does failure mean death?" not in out.partition("Enter to roll")[0]


def test_a_wrong_answer_is_asked_again(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("maybe\n99\n" + "\n" * 20))
    status, out, _ = run(
        capsys, "--rating", "B3", "--ob", "1", "--failure", "x", "--ask", "--seed", "1"
    )
    assert status == 0
    assert "'maybe' is not valid: expected 1 to" in out
    assert "'99' is not valid: expected 1 to" in out


BAD = [
    (["--rating", "X4", "--ob", "2"], "found 'X4', expected a shade and an exponent"),
    (["--rating", "B0", "--ob", "2"], "--rating: found 'B0', expected at least one die"),
    (["--rating", "B100", "--ob", "2"], "found 'B100', expected a shade and an exponent up to 10"),
    (["--rating", "B4"], "obstacle: found nothing, expected an answer from the GM"),
    (["--rating", "B4", "--ob", "0"], "obstacle: found 0, expected a whole number, 1 to 20"),
    (["--rating", "B4", "--ob", "2", "--faces", "1,2,3"], "expected 1 more for 4B"),
    (["--rating", "B4", "--ob", "2", "--faces", "1,2,3,9"], "found 9, expected a face of a d6"),
    (["--rating", "B4", "--ob", "2", "--faces", "a,b"], "--faces: found 'a,b', expected numbers"),
    (["--rating", "B4", "--ob", "2", "--faces", "²,1,1,1"], "--faces: found '²,1,1,1'"),
    (["--rating", "B4", "--ob", "2", "--faces", "9" * 5000], "expected numbers"),
    (["--rating", "B4", "--answer", "obstacle=" + "9" * 5000], "expected a whole number"),
    (["--rating", "B4", "--ob", "2", "--faces", "1,1,1,1", "--seed", "1"], "--seed: found '1'"),
    (["--rating", "B2", "--ob", "2", "--faces", "1,1", "--faces", "2"], "expected no more faces"),
    (["--rating", "B4"], "give it with --ob"),
    (["--game", "cores", "robin", "--set", "core=mental"], "give it with --answer dn=VALUE"),
    (["--game", "percentile", "--set", "value=45", "--rating", "B3"], "--rating: found 'B3'"),
    (["--game", "percentile", "--set", "value=45", "--ob", "3"], "--answer obstacle: found 3"),
    (["--game", "percentile", "ilse", "--gear", "x"], "arguments.gear: found 'gear'"),
    (["mara", "--ob", "2"], "--ability: found '', expected an ability of Mara"),
    (["mara", "--ability", "Streetwize", "--ob", "2"], "an ability of Mara: Streetwise"),
    (["nobody", "--ability", "Sword", "--ob", "2"], "sheet: found 'nobody'"),
    (["--ob", "2"], "sheet: found nothing, expected a sheet, or --rating"),
    (["tam", "--ability", "Climbing", "--ob", "2", "--helper", "mara:Will"], "help"),
    (["mara", "--ability", "Streetwise", "--ob", "2", "--boon", "3"], "boon: found 3"),
    (["mara", "--ability", "Streetwise", "--ob", "2", "--gear", "rope"], "gear that Mara carries"),
    (["mara", "--ability", "Streetwise", "--ob", "2", "--answer", "x=1"], "--answer x: found 1"),
    (["mara", "--ability", "Streetwise", "--ob", "2", "--answer", "x"], "expected FIELD=VALUE"),
    (["--game", "chess"], "game: found 'chess', expected one of"),
    (["mara", "--ability", "Mortal Wound", "--ob", "2"], "never tested"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_clear_line(capsys, arguments, message):
    status, _, err = run(capsys, *arguments, "--no-ask")
    assert status == 2
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "chance"),
    [
        (["--game", "percentile", "--set", "target=43"], "43.0%"),
        (["--game", "signs", "--set", "score=8", "--set", "tag=6"], "47.9%"),  # 1 - 5/8 * 5/6
        (["--game", "cores", "--set", "core=d8", "--set", "dn=9"], "43.8%"),  # 21 of 48
        (["--game", "bw", "--rating", "G3", "--ob", "3"], "29.6%"),  # (2/3)^3
        (["--game", "percentile", "ilse", "--set", "ability=Dodge"], "38.0%"),
        (["--game", "percentile", "ilse", "--ability", "Dodge"], "38.0%"),
    ],
)
def test_every_game_can_be_tested_from_numbers_or_sheets(capsys, arguments, chance):
    status, out, err = run(capsys, *arguments, "--no-ask", "--seed", "1")
    assert (status, err) == (0, "")
    assert f"Chance of success: {chance}" in out


def test_a_number_the_game_does_not_know_is_refused(capsys):
    status, _, err = run(capsys, "--game", "percentile", "--set", "targt=43", "--no-ask")
    assert status == 2
    assert "targt: found 43, expected one of target" in err


def test_two_sheets_of_one_name_are_told_apart_or_refused(capsys, tmp_path):
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "kit.toml").write_text('name = "Kit"\nskills.Sword = "B4"\n')
    one, two = (str(tmp_path / folder / "kit.toml") for folder in ("here", "there"))
    assert run(capsys, one, one, "--ability", "Sword", "--ob", "2", "--no-ask")[0] == 0
    status, _, err = run(capsys, one, two, "--ability", "Sword", "--ob", "2", "--no-ask")
    assert status == 2
    assert "expected a file with another name: kit" in err


@pytest.mark.parametrize("name", ["scene", "gm"])
def test_some_names_are_taken(capsys, tmp_path, name):
    file = tmp_path / f"{name}.toml"
    file.write_text('name = "Kit"\nskills.Sword = "B4"\n')
    status, _, err = run(capsys, str(file), "--ability", "Sword", "--ob", "2", "--no-ask")
    assert status == 2
    assert f"characters.{name}: found '{name}', expected another name" in err
