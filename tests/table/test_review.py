"""Planted blunders are found, luck is told apart from skill, and secrets stay secret."""

from __future__ import annotations

import json
from math import comb
from typing import Any

import pytest

from astragal.cli import main
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.items import RolledItem
from astragal.table.review import review
from table.company import Company, encode, played, usual

FORKS = ("Stealthy", "Lockpick", "Persuasion", "Knives", "Harbour-wise", "Smuggler-wise")


def at_least(successes: int, dice: int) -> float:
    return sum(comb(dice, n) for n in range(successes, dice + 1)) / 2**dice


async def streetwise(at: Company, intent: str, **answers: Any) -> None:
    """Mara, with 4D, asks around."""
    asking = await at.begin(
        "anna", "standard_test", character="mara", intent=intent, task="asks", ability="Streetwise"
    )
    await at.play_on(asking, answers=answers)


async def an_evening(at: Company) -> None:
    await streetwise(at, "find the door", obstacle=3, forks=FORKS)
    await streetwise(at, "find the key", obstacle=3)  # no FoRK, though she has six
    await streetwise(at, "find the way out", obstacle=1, boon=1)  # a persona for very little


@played
async def test_planted_blunders_come_first_with_what_they_cost(at: Company):
    await an_evening(at)
    found = review("burning_wheel", await at.log())
    assert (found.reviewed, found.left_out) == (3, 0)
    # Whether there is a six to spend fate on is up to the dice.
    worst, second, *others = [each for each in found.decisions if each.key != "after_roll"]
    assert (worst.key, worst.seat, "find the key" in worst.procedure) == ("forks", "anna", True)
    assert worst.chance == pytest.approx(at_least(3, 4))
    assert worst.best_chance == pytest.approx(at_least(3, 5))
    assert worst.cost == pytest.approx(at_least(3, 5) - at_least(3, 4))
    # The persona is too dear for what it brings; and one more FoRK would have been free.
    again = {each.key: each for each in found.decisions if "way out" in each.procedure}
    assert again["boon"].chance == pytest.approx(at_least(1, 5))
    assert again["boon"].best == "boon: 0"
    assert again["boon"].cost == pytest.approx(0.1 - (at_least(1, 5) - at_least(1, 4)))
    assert second.key == "boon"
    well = [each for each in others if "find the door" in each.procedure]
    assert [each.cost for each in well] == [0] * len(well)
    assert [each.cost for each in found.decisions] == sorted(
        (each.cost for each in found.decisions), reverse=True
    )


@played
async def test_artha_saved_where_it_would_have_mattered_is_found(at: Company):
    """With one point of persona three successes are likely enough to be worth it."""
    await streetwise(at, "find the key", obstacle=3)
    (boon,) = [
        each for each in review("burning_wheel", await at.log()).decisions if each.key == "boon"
    ]
    assert (boon.answer, boon.best) == ("boon: 0", "boon: 1")
    assert boon.chance == pytest.approx(at_least(3, 4))
    assert boon.best_chance == pytest.approx(at_least(3, 5))
    assert boon.cost == pytest.approx(at_least(3, 5) - at_least(3, 4) - 0.1)
    (dear,) = [
        each
        for each in review("burning_wheel", await at.log(), price=0.2).decisions
        if each.key == "boon"
    ]
    assert dear.cost == 0, "saved with good reason"


@played
async def test_artha_for_what_cannot_succeed_is_found(at: Company):
    """Five dice do not come to nine successes, so the point changes no chance at all."""
    await streetwise(at, "find the dragon", obstacle=9, boon=1)
    found = review("burning_wheel", await at.log()).decisions
    # Enough sixes, and fate spent on them, might still do it: the dice say whether it is asked.
    (boon, *others) = [each for each in found if each.key != "after_roll"]
    assert (boon.key, boon.best, boon.cost) == ("boon", "boon: 0", pytest.approx(0.1))
    assert (boon.chance, boon.best_chance) == (0, 0)
    assert others == [], "what costs nothing does not matter here"


FATED = {
    "name": "Fay",
    "skills": {"Rhetoric": {"rating": "B4", "roots": ["Will"]}},
    "artha": {"fate": 1},
}


@pytest.mark.parametrize(
    ("faces", "choice", "chances", "cost"),
    [
        # One more is missing, and two sixes are rerolled.
        ([6, 6, 1, 1], "nothing", (0, 3 / 4), 3 / 4 - 0.1),
        ([6, 6, 1, 1], "luck", (3 / 4, 3 / 4), 0),
        # Two more are missing: the six has to show a six again, and then a success.
        ([6, 1, 1, 1], "nothing", (0, 0), 0),
        ([6, 1, 1, 1], "luck", (1 / 12, 0), 0.1 - 1 / 12),
    ],
    ids=["saved in vain", "well spent", "well saved", "wasted"],
)
@played
async def test_fate_saved_in_vain_or_wasted_is_found(
    at: Company, faces: list[int], choice: str, chances: tuple[float, float], cost: float
):
    await at.gm(do.AddCharacter("fay", sheet=FATED))
    await at.gm(do.GiveCharacter("fay", "anna"))
    await at.do("anna", do.UseOwnDice(True))
    argued = await at.begin(
        "anna", "standard_test", character="fay", intent="win", task="argues", ability="Rhetoric"
    )
    await at.play_on(argued, until="faces", answers={"obstacle": 3})
    await at.answer(argued, "anna", faces)
    await at.play_on(argued, until="faces", answers={"after_roll": choice})
    if choice == "luck":
        await at.answer(argued, "anna", [1] * faces.count(6))
    await at.play_on(argued)
    found = review("burning_wheel", await at.log()).decisions
    (fate,) = [each for each in found if each.key == "after_roll"]
    assert (fate.chance, fate.best_chance) == pytest.approx(chances)
    assert fate.cost == pytest.approx(cost)


@played
async def test_luck_is_what_the_dice_added_to_the_chance(at: Company):
    await streetwise(at, "find the key", obstacle=3)
    found = review("burning_wheel", await at.log())
    (anna,) = found.seats
    (rolled,) = [
        item
        for entry in await at.log()
        for item in getattr(entry.event, "items", ())
        if isinstance(item, RolledItem)
    ]
    passed = sum(bool(die.success) for die in rolled.faces) >= 3
    expected = float(passed) - at_least(3, 4)
    assert anna.luck == pytest.approx(expected)


@played
async def test_what_was_undone_is_not_reviewed(at: Company):
    await streetwise(at, "find the key", obstacle=3)
    began = review("burning_wheel", await at.log()).decisions[0].entry
    await at.gm(do.UndoEntries(began - 1))
    assert review("burning_wheel", await at.log()).reviewed == 0


@played
async def test_a_duel_with_scripts_that_the_file_does_not_have_is_left_out(
    at: Company, tmp_path, capsys
):
    suggested = game_named("burning_wheel").demo.suggestions[1]
    duel = await at.begin(GM, suggested.procedure, **suggested.arguments)
    for _ in range(400):
        if not await at.is_open(duel):
            break
        asked = await at.asked(duel)
        answer = ["concede"] * 3 if asked.key == "script" else usual(asked.question)
        await at.do(asked.seat, do.AnswerQuestion(duel, asked.step, answer))
    file = tmp_path / "campaign.json"
    assert not await at.is_open(duel)
    file.write_bytes(encode(await at.tables.export(at.id)))
    assert main(["review", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["reviewed"], found["left_out"], found["decisions"]) == (0, 1, [])


@pytest.mark.slow
@played
async def test_from_an_exported_file(at: Company, tmp_path, capsys):
    await an_evening(at)
    file = tmp_path / "campaign.json"
    file.write_bytes(encode(await at.tables.export(at.id)))
    assert main(["review", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    live = review("burning_wheel", await at.log())
    assert [each["cost"] for each in found["decisions"]] == [each.cost for each in live.decisions]
    assert main(["review", str(file), "--seat", "anna", "--artha", "0"]) == 0
    out = capsys.readouterr().out
    assert "3 tests and duels reviewed" in out
    assert out.index("forks: none") > 0
    assert main(["review", str(file), "--seat", GM]) == 2
    assert "a seat that made decisions: anna" in capsys.readouterr().err
    assert main(["review", str(tmp_path / "none.json")]) == 2
