"""A campaign grows with what happens in it: a late test costs what an early one did."""

from __future__ import annotations

from astragal.play import GM
from table.company import Company, played

TESTS = 60


async def roll(at: Company, number: int) -> tuple[int, int]:
    """A test with an intent of its own; how long its entries and what was heard of it are."""
    kept = at.store.kept[at.id].log
    before = len(kept)
    began = await at.begin(
        GM,
        "standard_test",
        character="mara",
        intent=f"look about ({number:02})",
        task="at the window",
        ability="Will",
    )
    await at.play_on(began, answers={"obstacle": 2})
    heard = await at.clients["anna"].hear()
    return sum(map(len, kept[before:])), sum(map(len, heard))


@played
async def test_what_rides_is_not_written_and_told_again_with_every_test(at: Company):
    cost = [await roll(at, number) for number in range(TESTS)]
    assert len((await at.scene())["rides"]) == TESTS
    # Tests take different courses; the shortest is among every fifteen.
    for early, late in zip(
        *(map(min, zip(*part, strict=True)) for part in (cost[30:45], cost[45:])), strict=True
    ):
        assert late < 1.05 * early
    # The latest thirty results are shown one by one, those before them as a number.
    (shown,) = (part for part in (await at.view("anna"))["scene"] if part["title"] == "Let it Ride")
    labels = [row["label"] for row in shown["rows"]]
    assert labels == ["Earlier", *(f"Mara, Will: look about ({each})" for each in range(30, 60))]
    assert shown["rows"][0]["value"] == "30 results"
