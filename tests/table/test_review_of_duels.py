"""Duels reviewed: bad scripts and splits are found, from the log and from an exported file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from astragal.cli import main
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.review import Review, review
from table.company import Company, encode, played, usual

pytest.importorskip("scipy")

SKILLS = ("Rhetoric", "Ugly Truth", "Etiquette")
LONG = 600.0
"""Seconds that solving may take: a busy machine is no reason for a duel to be left out."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path_factory.getbasetemp() / "solutions"))


def speaker(name: str, dice: int) -> dict[str, Any]:
    return {
        "name": name,
        "stats": {"Will": "B1"},
        "attributes": {"Steel": "B4"},
        "skills": {skill: {"rating": f"B{dice}", "roots": ["Will"]} for skill in SKILLS},
    }


async def a_duel(at: Company, *scripts: tuple[str, ...], split: int = 0) -> str:
    """Anna's Edda, with these scripts in turn, against Ottokar, who makes only points."""
    await at.gm(do.AddCharacter("edda", sheet=speaker("Edda", 3)))
    await at.gm(do.AddCharacter("ottokar", sheet=speaker("Ottokar", 2)))
    await at.gm(do.GiveCharacter("edda", "anna"))
    sides = [{"character": key, "skill": "Rhetoric"} for key in ("edda", "ottokar")]
    duel = await at.begin(GM, "duel_of_wits", about="the bridge", sides=sides)
    written = 0
    for _ in range(600):
        if not await at.is_open(duel):
            return duel
        asked = await at.asked(duel)
        answer = usual(asked.question)
        if asked.key == "body_method":
            answer = "not_a_big_deal"
        elif asked.key == "script" and asked.seat == "anna":
            answer = scripts[min(written, len(scripts) - 1)][-asked.question.slots :]
            written += 1
        elif asked.key == "script":
            answer = ["point"] * asked.question.slots
        elif asked.key == "split" and asked.seat == "anna":
            answer = [split, asked.question.amount - split]
        await at.do(asked.seat, do.AnswerQuestion(duel, asked.step, answer))
    raise AssertionError("the duel does not end")


async def reviewed(at: Company) -> Review:
    return review("burning_wheel", await at.log(), seconds=LONG)


@pytest.mark.slow
@played
async def test_a_script_that_throws_the_duel_away_is_found(at: Company):
    await a_duel(at, ("avoid", "avoid", "avoid"), ("incite", "incite", "incite"))
    found = await reviewed(at)
    assert (found.reviewed, found.left_out) == (1, 0)
    worst = found.decisions[0]
    assert (worst.seat, worst.key) == ("anna", "script")
    assert worst.cost > 0.2
    assert worst.best_chance - worst.chance == pytest.approx(worst.cost)
    assert "the bridge" in worst.procedure
    assert {each.seat for each in found.decisions} == {"anna"}
    (anna,) = found.seats
    assert anna.given_away == pytest.approx(sum(each.cost for each in found.decisions))


@played
async def test_a_split_that_keeps_too_much_for_the_defence_is_found(at: Company):
    """Both have one point to lose, so it can be worked out by hand."""
    await a_duel(at, ("rebuttal", "rebuttal", "rebuttal"), split=2)
    found = (await reviewed(at)).decisions
    still = next(each.best_chance for each in found if each.key == "script")
    splits = [each for each in found if each.key == "split"]
    assert splits

    def worth(hit: float, strikes: float) -> float:
        return strikes * (hit / 2 + (1 - hit)) + (1 - strikes) * (1 - hit) * still

    for each in splits:
        assert (each.answer, each.best) == ("2D defence, 1D riposte", "1D defence, 2D riposte")
        assert each.chance == pytest.approx(worth(hit=5 / 16, strikes=1 / 2))
        assert each.best_chance == pytest.approx(worth(hit=1 / 2, strikes=3 / 4))


@played
async def test_the_exported_file_tells_the_same(at: Company, tmp_path, capsys):
    await a_duel(at, ("avoid", "point", "dismiss"), ("rebuttal", "point", "incite"), split=1)
    live = await reviewed(at)
    file = tmp_path / "campaign.json"
    file.write_bytes(encode(await at.tables.export(at.id)))
    assert main(["review", str(file), "--json", "--solve"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["reviewed"] == 1
    assert [(each["answer"], each["cost"]) for each in found["decisions"]] == [
        (each.answer, pytest.approx(each.cost)) for each in live.decisions
    ]


@played
async def test_without_time_or_a_solution_a_duel_is_left_out_and_said_to_be(
    at: Company, tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path / "empty"))
    await a_duel(at, ("dismiss", "dismiss", "dismiss"))
    found = review("burning_wheel", await at.log(), seconds=0.0)
    assert (found.reviewed, found.left_out, found.unsolved) == (0, 1, 1)
    monkeypatch.setattr("astragal.table.duel_reviews.missing_packages", lambda: ["numpy"])
    found = review("burning_wheel", await at.log(), seconds=LONG)
    assert (found.reviewed, found.left_out, found.unsolved) == (0, 1, 1)
    monkeypatch.setattr("astragal.table.review.SECONDS", 0.0)
    file = tmp_path / "campaign.json"
    file.write_bytes(encode(await at.tables.export(at.id)))
    assert main(["review", str(file)]) == 0
    assert "review with --solve" in capsys.readouterr().out
