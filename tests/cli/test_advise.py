"""`astragal advise` as a person types it, and as a program reads it."""

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


def test_the_plan_and_the_tables_behind_it(run):
    status, out, err = run("advise bw --dice 3 --ob 2 --fate 1 --persona 1")
    assert (status, err) == (0, "")
    assert "Plan: 1 persona before the roll; if 1 short with a six: 1 fate (Luck)." in out
    assert "50.0% with nothing spent, 72.9% with the plan" in out
    assert " ●  1 persona    72.9%" in out
    assert " 1 short, 1 six        8.3%  1 fate (Luck)   50.0%" in out
    assert " first persona  +18.8%         +16.7%" in out


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_longer_than_the_screen(run, width):
    _, out, _ = run("advise bw --dice 4 --ob 4 --fate 1 --persona 3 --deeds 1", width)
    assert max(map(len, out.splitlines())) <= width


def test_artha_comes_from_the_sheet_unless_it_is_said(run):
    _, out, _ = run("advise bw --sheet mara --ability Streetwise --ob 4")
    assert "To spend: 1 fate, 1 persona" in out
    assert "call on Cool-headed" in " ".join(out.split())
    _, said, _ = run("advise bw --sheet mara --ability Streetwise --ob 4 --persona 3 --fate 0")
    assert "To spend: 3 persona" in said


def test_a_contest_against_a_rival_who_waits_or_plays(run):
    contest = "advise bw --dice 2 --versus 2 --fate 1 --versus-fate 1 --json"
    _, waits, _ = run(contest)
    _, plays, _ = run(f"{contest} --rival-plays")
    assert json.loads(waits)["chance"] > json.loads(plays)["chance"]
    _, persona, _ = run("advise bw --dice 2 --versus 2 --versus-persona 1 --rival-plays")
    assert "Before the roll, the other side: Boon: +1D for each persona" in persona


def test_the_other_games(run):
    for command, plan in (
        ("advise percentile --target 43 --rerolls 1", "if the roll fails: re-roll"),
        ("advise signs score=8 tag=6 boons=1", "if the roll fails: Boon 1"),
        ("advise cores core=d8 dn=9 life_experience=1", "if 1 short: 1 Life Experience"),
    ):
        status, out, err = run(command)
        assert (status, err) == (0, "")
        assert plan in out


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("advise bw --dice 0 --ob 3", "dice: found 0, expected 1 to 20"),
        ("advise bw --dice 3 --ob 3 --fate -1", "fate: found -1, expected 0 to 99"),
        (
            "advise bw --dice 3 --ob 3 --rival-plays",
            "rival: found nothing, expected a test with another side",
        ),
        ("advise bw --dice 3 --ob 3 --luck 1", "--luck: found '1', expected an option"),
    ],
)
def test_what_does_not_fit_is_one_line_and_status_two(run, command, complaint):
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert err.startswith(f"astragal: {complaint}")
    assert err.count("\n") == 1
