"""`astragal solve duel`: the value, the best scripts, the picture, and the check."""

from __future__ import annotations

import json

import pytest

from astragal.cli import main
from lab.duels import SKILLS

SHEET = """
name = "{name}"
[stats]
Will = "B1"
[attributes]
Steel = "B4"
[skills]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("solved")


@pytest.fixture
def speakers(folder, monkeypatch) -> list[str]:
    monkeypatch.setenv("ASTRAGAL_CACHE", str(folder / "cache"))
    paths = []
    for name, dice in (("Ann", 3), ("Bob", 2)):
        skills = "".join(
            f'"{skill}" = {{ rating = "B{dice}", roots = ["Will"] }}\n' for skill in SKILLS
        )
        path = folder / f"{name.casefold()}.toml"
        path.write_text(SHEET.format(name=name) + skills, encoding="utf-8")
        paths.append(str(path))
    return paths


def run(capsys, *arguments: str):
    status = main(["solve", "duel", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_value_the_scripts_the_map_and_the_check(capsys, speakers, tmp_path):
    picture = tmp_path / "map.svg"
    status, out, err = run(
        capsys, *speakers, "--bodies", "2", "2", "--certify", "--svg", str(picture)
    )
    assert (status, err) == (0, "")
    assert "Ann (Rhetoric, body 2) against Bob (Rhetoric, body 2)" in out
    assert "Ann: best scripts" in out
    assert "Bob: best scripts" in out
    assert "nobody gains more than" in out
    assert "Left out: artha" in out
    assert picture.read_text(encoding="utf-8").count("<rect") >= 5


def test_splits_can_be_part_of_the_play(capsys, speakers):
    """What they gain against the usual ones is said, and then they are planned by both sides."""
    said = (*speakers, "--bodies", "2", "1", "--certify")
    _, out, _ = run(capsys, *said)
    assert "Who divides Rebuttals with regard to the rest gains at most: Ann " in out
    assert "divided in the way that gains most in its volley" in " ".join(out.split())
    _, out, _ = run(capsys, *said, "--json")
    usual = json.loads(out)
    assert usual["splits"] == "meeting"
    assert usual["exploitability"] < 1e-8 < usual["gained_by_splits"]
    _, out, _ = run(capsys, *said, "--splits", "planned", "--json")
    planned = json.loads(out)
    assert planned["splits"] == "planned"
    assert planned["exploitability"] < 1e-8
    assert "gained_by_splits" not in planned
    assert abs(planned["value"] - usual["value"]) <= usual["gained_by_splits"]
    assert planned["value"] != usual["value"]


def test_planned_splits_are_shown_by_the_cards_that_are_met(capsys, speakers):
    said = (*speakers, "--bodies", "2", "1", "--splits", "planned")
    _, out, _ = run(capsys, *said)
    table = out[out.index("Ann: Rebuttals") : out.index("Bob: best scripts")]
    assert "Bob shows" in table
    assert "With one volley left here" in table
    assert "Bob: Rebuttals" not in out, "there is one way to divide two dice"
    _, out, _ = run(capsys, *said, "--json")
    data = json.loads(out)
    anns, bobs = data["plans"]
    for side, plans in enumerate((anns, bobs)):
        shares = [{key: each[key] for key in ("cards", "chance")} for each in plans["scripts"]]
        assert shares == data["scripts"][side]
    for each in anns["last_volley"]:
        dice = f"{each['defence']}D + {each['riposte']}D"
        assert dice in table
        assert each["defence"] + each["riposte"] == 3
    assert bobs["last_volley"] == []


def test_as_json_and_from_a_later_state(capsys, speakers):
    status, out, _ = run(capsys, *speakers, "--bodies", "2", "2", "--positions", "--json")
    assert status == 0
    start = json.loads(out)
    assert start["values"][1][1] == start["value"] > 0.5  # Ann has more dice
    assert start["value"] > start["values"][0][1]  # and more with a larger body
    sits_out = next(
        number
        for number, said in start["positions"].items()
        if said == "Ann loses the first volley"
    )
    _, out, _ = run(
        capsys, *speakers, "--bodies", "2", "2", "--at", "1", "2", "--position", sits_out, "--json"
    )
    later = json.loads(out)
    assert later["value"] < start["values"][0][1]
    assert {len(script["cards"]) for script in later["scripts"][0]} == {2}
    for mix in later["scripts"]:
        assert sum(script["chance"] for script in mix) == pytest.approx(1)


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        (("--payoff", "glory"), "one of win, compromise"),
        (("--splits", "evenly"), "one of meeting, planned"),
        (("--against", "shout a lot"), "three actions (point point point), or never CARD"),
        (("--bodies", "1", "1", "--against", "never point, always point"), "forbids every script"),
        (("--bodies", "0", "3"), "a Body of Argument from 1 to 20"),
        (("--bodies", "2", "2", "--at", "3", "1"), "a Body of Argument from 1 to 2"),
        (("--bodies", "1", "1", "--position", "999"), "--positions lists them"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(capsys, speakers, said, refused):
    status, out, err = run(capsys, *speakers, *said)
    assert (status, out) == (2, "")
    assert refused in err
    assert err.count("\n") == 1


def test_without_the_packages_it_says_what_to_install(capsys, speakers, monkeypatch):
    monkeypatch.setattr("astragal.lab.find_spec", lambda name: None)
    status, _, err = run(capsys, *speakers)
    assert status == 2
    assert err == "astragal: This needs numpy and scipy: pip install 'astragal[lab]'.\n"


def test_a_rule_of_thumb_is_judged_by_what_it_gives_away(capsys, speakers, tmp_path):
    picture = tmp_path / "given.svg"
    said = (*speakers, "--bodies", "2", "2", "--against", "avoid avoid avoid")
    status, out, _ = run(capsys, *said, "--svg", str(picture))
    assert status == 0
    assert "Bob keeps the rule: avoid avoid avoid." in out
    assert "Ann, in answer: best scripts" in out
    assert "Given away by Bob" in picture.read_text(encoding="utf-8")
    _, out, _ = run(capsys, *said, "--json")
    judged = json.loads(out)
    # Somebody who only avoids never wins, so all that the duel was worth is given away.
    _, out, _ = run(capsys, *speakers, "--bodies", "2", "2", "--json")
    assert judged["given_away"] == pytest.approx(1 - json.loads(out)["value"])
    _, out, _ = run(capsys, *speakers, "--bodies", "2", "2", "--against", "never Incite", "--json")
    assert json.loads(out)["given_away"] == pytest.approx(0, abs=1e-8)  # it is never worth it


def test_many_duels_are_drawn_by_policies(capsys, speakers):
    def drawn(*said: str):
        status = main(["lab", "duels", *speakers, "--bodies", "2", "2", "--processes", "1", *said])
        return status, capsys.readouterr()

    status, said = drawn("--runs", "3000", "--policy", "point point point", "--json")
    assert (status, said.err) == (0, "")
    found = json.loads(said.out)
    assert found["duels"] == 3000 == sum(found["wins"]) + found["ties"]
    assert found["policies"] == ["point point point", "best"]
    status, said = drawn("--runs", "200", "--policy", "random")
    assert status == 0
    assert "nobody (a tie)" in said.out
    status, said = drawn("--policy", "shout")
    assert status == 2
    assert "best, random, a temperament and a dial (bold:60), or three of" in said.err
    status, said = drawn("--runs", "3000", "--policy", "sly:0", "--json")
    careless = json.loads(said.out)
    assert careless["wins"][0] < careless["wins"][1]


def test_the_program_plays_the_other_side_of_a_duel(capsys, speakers):
    said = (
        "--body", "not_a_big_deal", "--seed", "4", "--no-ask", "--answer", "case=it is so",
        "--answer", "terms_wins=yes", "--answer", "terms_loses=no",
        "--answer", "ann/script=['point', 'point', 'point']",
    )  # fmt: skip
    assert main(["duel", *speakers, *said, "--spar", "100", "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["started"] == [1, 1]
    assert outcome["exchanges"] >= 1
    assert main(["duel", *speakers, *said, "--spar", "101"]) == 2
    assert "0 (careless) to 100 (merciless)" in capsys.readouterr().err
    assert main(["duel", *speakers, *said, "--spar", "1", "--temperament", "odd"]) == 2
    assert "one of any, bold, careful, sly" in capsys.readouterr().err


def test_what_a_rule_gives_away_is_checked_by_the_second_program(capsys, speakers):
    said = (*speakers, "--bodies", "2", "2", "--against", "avoid avoid avoid", "--certify")
    status, out, _ = run(capsys, *said, "--json")
    assert status == 0
    found = json.loads(out)
    low, high = found["checked"]
    assert low - 1e-9 <= found["given_away"] <= high + 1e-9
    assert high - low < 1e-8
    _, out, _ = run(capsys, *said)
    assert f"Checked: it gives away at least {low:.6%} and at most {high:.6%}." in out
