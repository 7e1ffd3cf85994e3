"""Crucial opponents: burned in full, with artha, and stronger than burning allows."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.ready import ready_sheet
from games.burning_wheel.playing import play, table


def seated(**options: str) -> Any:
    wizard = {**ready_sheet(GAME, "rogue_wizard")}
    return table(options=options, wizard=wizard, ann={"player": "ann"})


@pytest.mark.rules("rogues.crucial.full_burn")
@pytest.mark.parametrize(
    ("field", "missing"),
    [
        ("beliefs", "Beliefs"),
        ("instincts", "Instincts"),
        ("traits", "traits"),
        ("gear", "gear"),
        ("skills", "skills"),
        ("tolerances", "tolerances"),
    ],
)
def test_a_full_burn_has_everything(field: str, missing: str):
    assert play("crucial_opponent", {"character": "wizard"}, seated()).outcome.complete
    raw = {**ready_sheet(GAME, "rogue_wizard")}
    del raw[field]
    run = play("crucial_opponent", {"character": "wizard"}, table(wizard=raw))
    assert run.outcome.missing == (missing,)
    assert not run.outcome.complete


@pytest.mark.rules("rogues.crucial.artha", "rogues.amb.crucial_artha_amount")
@pytest.mark.parametrize(
    ("method", "artha"),
    [("gritty", (1, 0, 0)), ("medium", (1, 1, 0)), ("one_shot", (3, 2, 0))],
)
def test_it_has_the_artha_that_players_start_with_but_no_deeds(
    method: str, artha: tuple[int, int, int]
):
    at = seated(artha_starting_points=method)
    run = play("crucial_opponent", {"character": "wizard"}, at)
    has = run.table.character("wizard").artha
    assert (has.fate, has.persona, has.deeds) == artha
    again = play("crucial_opponent", {"character": "wizard"}, run.table)
    assert not again.changed


@pytest.mark.rules("rogues.crucial.artha")
def test_by_lifepath_the_sheet_says_how_many():
    at = seated(artha_starting_points="by_lifepath")
    has = play("crucial_opponent", {"character": "wizard"}, at).outcome.artha
    start = play("start_artha", {"character": "wizard", "lifepaths": 5}, at).outcome.artha
    assert has == start


@pytest.mark.rules("rogues.crucial.tweak")
def test_an_opponent_can_be_made_stronger_than_burning_allows():
    run = play(
        "strengthen_opponent",
        {"character": "wizard", "spell": "The Fear", "money": 3, "gray_stat": "power"},
        seated(),
    )
    wizard = run.table.character("wizard")
    assert str(wizard.stats["Power"].rating) == "G3"
    assert wizard.resources.cash == 3
    fear = wizard.spells[-1]
    assert (fear.name, fear.obstacle, fear.actions) == ("The Fear", (2,), 1)  # as the book has it
    poor = table(thug={"npc": True})
    run = play("strengthen_opponent", {"character": "thug", "money": 2}, poor)
    assert run.table.character("thug").resources.cash == 2
    for wrong in ({}, {"money": -1}, {"gray_stat": "Luck"}):
        with pytest.raises(BadInput):
            play("strengthen_opponent", {"character": "wizard", **wrong}, seated())
    for procedure in ("strengthen_opponent", "crucial_opponent"):
        with pytest.raises(NotAllowed, match="a player's character"):
            play(procedure, {"character": "ann"}, seated())
