"""`astragal odds` as a person types it, and as a program reads it."""

from __future__ import annotations

import json

import pytest

from astragal.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command at a width and return its status, output and complaints."""

    def run(command: str, width: int = 80) -> tuple[int, str, str]:
        monkeypatch.setenv("COLUMNS", str(width))
        status = main(command.split())
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def test_plain_numbers(run):
    status, out, err = run("odds bw --dice 5 --shade gray --ob 3 --open")
    assert (status, err) == (0, "")
    assert out.startswith("5D gray open-ended against Ob 3\n")
    assert "84.2% chance of success; counts as a routine test" in out
    assert "·          2      -1   12.0%     96.2%" in out
    assert "●          3       0   23.0%     84.2%" in out


@pytest.mark.parametrize("dice", ["4", "4D", "4d", "B4"])
def test_a_number_of_dice_is_read_as_people_say_it(run, dice):
    status, out, _ = run(f"odds bw --dice {dice} --ob 3")
    assert status == 0
    assert "31.2% chance of success" in out  # 5 of the 16 throws of four even chances
    status, _, err = run("odds bw --dice four --ob 3")
    assert status != 0
    assert "expected a number of dice, as in 4, 4D or B4" in err


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_longer_than_the_screen(run, width):
    for command in (
        "odds bw --dice 5 --ob 3 --fork 2 --helper 5 --helper 3 --advantage --disadvantage 2",
        "odds bw --sweep dice 1..18 --sweep ob 1..8",
        "odds percentile --target 43",
    ):
        status, out, _ = run(command, width)
        assert status == 0
        assert max(map(len, out.splitlines())) <= width


def test_what_adds_dice_is_unfolded(run):
    _, out, _ = run("odds bw --dice 4 --ob 4 --fork 2 --helper 5 --persona 2", 120)
    assert "10 = 4 the ability + 1 FoRK: FoRK 1 + 1 FoRK: FoRK 2 + 2 help: Helping 1 B5" in out
    assert "82.8% chance of success" in out


def test_a_contest(run):
    _, out, _ = run("odds bw --dice 5 --versus 4")
    assert "50.0% chance of success; counts as difficult 6.2%, routine 93.8%" in out
    _, gray, _ = run("odds bw --dice 5 --versus 4 --versus-shade G --versus-open --json")
    assert json.loads(gray)["title"] == "5D against 4D gray open-ended"


def test_from_a_sheet(run):
    command = "odds bw --sheet mara --ability Streetwise --ob 4 --fork Harbour-wise"
    _, out, _ = run(command)
    assert "5 = 4 Streetwise + 1 FoRK: Harbour-wise" in out
    assert "18.8% chance of success; counts as a difficult test" in out
    _, helped, _ = run(f"{command} --helper tam:Observation --json")
    assert json.loads(helped)["reasons"]["dice"].startswith("7 = ")
    _, against, _ = run(
        "odds bw --sheet mara --ability Persuasion --versus captain_orrin:Haggling --json"
    )
    assert json.loads(against)["title"] == "Mara, Persuasion B4 against Captain Orrin, Haggling B5"


def test_the_other_games_take_their_numbers_by_name(run):
    for command, chance in (
        ("odds percentile --target 43", "43.0%"),
        ("odds percentile value=45 --difficulty=Hard --assistants 1", "35.0%"),
        ("odds signs --score 8 --tag 6 --advantages 1", "67.4%"),
        ("odds cores core=d8 dn=9 help=1", "56.2%"),
        ("odds cores --core d8 --dn 9", "43.8%"),
    ):
        status, out, err = run(command)
        assert (status, err) == (0, "")
        assert f"{chance} chance of success" in out, command


def test_json_has_every_number(run):
    _, out, _ = run("odds bw --dice 4 --ob 3 --json")
    data = json.loads(out)
    assert data["chance"] == 0.3125
    assert data["exact"] == "5/16"
    assert [row["chance"] for row in data["rows"]] == [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    assert data["difficulty"] == {"difficult": 1.0}


def test_pictures_and_tables_go_into_files(run, tmp_path):
    picture, values = tmp_path / "odds.svg", tmp_path / "odds.csv"
    status, out, _ = run(f"odds bw --dice 4 --ob 3 --svg {picture}")
    assert status == 0
    assert "31.2% chance of success" in out
    assert picture.read_text().startswith("<svg ")
    sweep = "odds bw --sweep dice 1..3 --sweep ob 1..2"
    assert run(f"{sweep} --svg {picture} --csv {values}")[0] == 0
    assert "dice 3" in picture.read_text()
    assert values.read_text().splitlines()[:2] == ["ob,dice,chance,exact", "1,1,0.5,1/2"]


def test_sweeps(run):
    status, out, _ = run("odds bw --sweep dice 1..10 --sweep ob 1..8")
    assert status == 0
    assert " ob \\ dice     1     2     3" in out
    assert "\n         3    0%    0%   12%   31%   50%" in out
    _, one, _ = run("odds bw --ob 3 --sweep dice 1..6")
    assert "    4   31.2%  ████████████▌" in one
    _, both, _ = run("odds bw --ob 2 --sweep=dice=2,4 --sweep shade B,W --json")
    data = json.loads(both)
    assert data["across"] == {"name": "dice", "values": [2, 4]}
    assert data["exact"] == [["1/4", "11/16"], ["25/36", "425/432"]]
    _, other, _ = run("odds percentile --value 40 --sweep modifier -20,0,20 --json")
    assert json.loads(other)["chances"] == [[0.2, 0.4, 0.6]]
    _, persona, _ = run("odds bw --dice 3 --ob 3 --sweep persona 0..3 --json")
    assert json.loads(persona)["exact"] == [["1/8", "5/16", "1/2", "21/32"]]


def test_any_procedure_from_sheets(run):
    status, out, err = run(
        "odds bw --sheet mara --procedure standard_test --set ability=Streetwise "
        "--set intent=find --set task=ask --answer obstacle=2"
    )
    assert (status, err) == (0, "")
    assert "68.8% chance of success" in out


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("odds bw --dice 0 --ob 3", "dice: found 0, expected 1 to 20"),
        ("odds bw --dice 1000 --ob 3", "dice: found 1000, expected 1 to 20"),
        ("odds bw --dice 4 --ob 0", "ob: found 0, expected 1 to 20"),
        ("odds bw --dice 4 --ob -1", "ob: found -1, expected 1 to 20"),
        ("odds bw --dice 4 --ob 3 --shade pink", "shade: found 'pink', expected B, G or W"),
        ("odds bw --dice 4", "ob: found nothing, expected an obstacle, or else another side"),
        ("odds bw --ob 3", "dice: found nothing, expected a number of dice, or a sheet"),
        ("odds bw --dice 4 --ob 3 --versus 4", "ob: found '3 and versus'"),
        ("odds bw --dice 4 --versus x", "--versus: found 'x', expected a number of dice, or SHEET"),
        ("odds bw --dice 4 --versus 0", "versus: found 0, expected 1 to 20"),
        ("odds bw --dice 4 --ob 3 --helper 15", "helper: found 15, expected the exponent"),
        ("odds bw --dice 4 --ob 3 --persona 9", "boon: found 9, expected 0 to 3 persona"),
        ("odds bw --dice 4 --ob 3 --frok 2", "--frok: found '2', expected an option of this"),
        ("odds bw --dice 4 --ob 3 --sheet mara --ability Will", "--dice: found 4, expected either"),
        ("odds bw --sheet mara --ob 3", "ability: found '', expected the ability"),
        ("odds bw --sheet nobody --ability Will --ob 3", "sheet: found 'nobody', expected a file"),
        ("odds bw --ob 3 --sweep dice 9..1", "sweep dice: found '9..1', expected a range"),
        ("odds bw --ob 3 --sweep dice", "--sweep dice: found nothing, expected values, as in"),
        ("odds bw --ob 3 --sweep dice x..y", "sweep dice: found 'x..y', expected a range"),
        ("odds bw --ob 3 --sweep dice 0..3", "dice: found 0, expected 1 to 20"),
        ("odds bw --ob 3 --dice 2 --sweep luck 1..3", "luck: found 1, expected one of dice"),
        ("odds bw --dice 4 --ob 3 --csv x.csv", "--csv: found 'x.csv', expected a --sweep"),
        ("odds bw --dice 4 --ob 3 --svg /no/x.svg", "file: found '/no/x.svg', expected a file"),
        ("odds chess --dice 4", "game: found 'chess', expected one of"),
        ("odds percentile --target 999", "target: found 999, expected"),
        ("odds percentile", "value: found nothing"),
        ("odds percentile 43", "43: found '43', expected NAME=VALUE"),
        ("odds signs --sheet someone", "procedure: found '', expected one of attack_roll"),
        ("odds", "Missing argument"),
    ],
)
def test_what_does_not_fit_is_one_line_and_status_two(run, command, complaint):
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert err.startswith(f"astragal: {complaint}")
    assert err.count("\n") == 1
