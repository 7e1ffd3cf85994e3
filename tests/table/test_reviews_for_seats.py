"""A review for one seat tells nothing that the GM has not said yet."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.duel_reviews import shown_cards
from astragal.table.finished import finished
from astragal.table.insight_process import InsightProcess
from astragal.table.review import Review, review
from astragal.table.review_reader import ReviewReader
from table.company import Company, encode, played

FORKS = ("Stealthy", "Lockpick", "Persuasion", "Knives", "Harbour-wise", "Smuggler-wise")
PATIENCE = 300.0


async def for_seat(at: Company, seat: str) -> Review:
    here = await at.state()
    reader = ReviewReader(seat, here.standing, open_sheets=here.open_review)
    return review("burning_wheel", await at.log(), reader=reader)


async def a_look(at: Company, character: str, seat: str, *, secret: bool = False) -> None:
    arguments = {"intent": "see", "task": "looks", "ability": "Perception"}
    looking = await at.begin(seat, "standard_test", secret, character=character, **arguments)
    await at.play_on(looking, answers={"obstacle": 3})


@played
async def test_a_seat_is_told_of_its_own_tests_and_of_other_players(at: Company):
    await a_look(at, "mara", "anna")
    for seat in ("anna", "ben", GM):
        found = await for_seat(at, seat)
        assert found.reviewed == 1
        assert {each.seat for each in found.decisions} == {"anna"}


@played
async def test_what_the_gm_rolls_in_secret_changes_nothing_in_a_players_review(at: Company):
    await a_look(at, "mara", "anna")
    before = encode(await for_seat(at, "anna"))
    await a_look(at, "harbourmaster_dunn", GM, secret=True)
    assert encode(await for_seat(at, "anna")) == before
    assert (await for_seat(at, GM)).reviewed == 2


@played
async def test_a_hidden_character_is_reviewed_only_when_the_gm_has_shown_it(at: Company):
    await at.gm(do.GiveCharacter("tam", GM, hidden=True))
    before = encode(await for_seat(at, "anna"))
    await a_look(at, "tam", GM)
    assert encode(await for_seat(at, "anna")) == before
    await at.gm(do.GiveCharacter("tam", "ben"))
    assert (await for_seat(at, "anna")).reviewed == 1


@played
async def test_sheets_of_the_gms_characters_are_used_only_if_the_gm_allows_it(at: Company):
    await at.gm(do.GiveCharacter("harbourmaster_dunn", GM))
    await a_look(at, "harbourmaster_dunn", GM)
    shut = await for_seat(at, "anna")
    assert (shut.reviewed, shut.left_out, shut.decisions) == (0, 1, ())
    await at.gm(do.ChangeTitle("Dues", open_review=True))
    assert (await for_seat(at, "anna")).reviewed == 1
    await at.gm(do.GiveCharacter("harbourmaster_dunn", GM, hidden=True))
    again = await for_seat(at, "anna")
    assert (again.reviewed, again.left_out) == (0, 0)


@played
async def test_a_script_that_was_not_shown_makes_no_difference(at: Company):
    """Edda concedes: what else is on her script is never shown to anybody."""
    pytest.importorskip("scipy")
    from table.test_review_of_duels import a_duel

    await a_duel(at, ("point", "concede", "point"))
    found = await for_seat(at, "ben")
    assert (found.decisions, found.reviewed, found.left_out) == ((), 0, 1)


@pytest.mark.slow
@played
async def test_the_process_beside_the_table_finds_the_same(at: Company):
    await a_look(at, "mara", "anna")
    at.tables.insight.close()
    at.tables.insight = InsightProcess(PATIENCE)
    for seat in ("anna", GM):
        beside: Any = await at.tables.review(at.id, seat)
        assert beside == await for_seat(at, seat)


@pytest.mark.slow
@played
async def test_cards_that_were_never_shown_do_not_show(at: Company, monkeypatch, tmp_path):
    """The same volleys are shown, with other cards behind them: the reviews are the same."""
    pytest.importorskip("scipy")
    from table.test_review_of_duels import a_duel

    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path))
    await a_duel(at, ("point", "point", "point"))
    await at.gm(do.ChangeTitle("Dues", open_review=True))
    here, log = await at.state(), await at.log()
    reader = ReviewReader("ben", here.standing, open_sheets=True)
    told = review("burning_wheel", log, reader=reader, seconds=PATIENCE)
    assert told.reviewed == 1
    (duel,) = finished("burning_wheel", log)
    if len(shown_cards(duel)) >= 3:
        return  # with one point each, hardly a duel in a thousand is so long
    others = [_with_other_cards(entry) for entry in log]
    assert others != log
    assert review("burning_wheel", others, reader=reader, seconds=PATIENCE) == told


def _with_other_cards(entry: Any) -> Any:
    """An entry in which the last card of a script is another one, if it was never shown."""
    given = getattr(entry.event, "given", ())
    other = tuple(
        replace(each, answer=[*each.answer[:-1], "avoid"])
        if isinstance(each.answer, list) and each.answer[-1:] == ["point"]
        else each
        for each in given
    )
    return replace(entry, event=replace(entry.event, given=other)) if other != given else entry
