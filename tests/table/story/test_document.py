"""The story as a file: what is in it, in which order, and for whom."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest

from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.state import Role
from astragal.table.story.document import HtmlStory, MarkdownStory
from table.company import Company, encode, played

TEST = game_named("burning_wheel").demo.suggestions[0]


async def told(at: Company, seat: str) -> str:
    return await at.tables.story(at.id, seat, MarkdownStory())


@played
async def test_sessions_and_scenes_are_headings_and_a_test_is_one_paragraph(at: Company):
    await at.gm(do.SendMessage("Scene: The harbour, at night"))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.do("anna", do.SendMessage("Who goes *there*?"))
    await at.play_on(test)
    await at.gm(do.EndDiceSession())
    story = await told(at, "ben")
    assert story.startswith('---\ntitle: "The Roll of Dues"\ngame: "The Burning Wheel"\n')
    places = [
        story.index(each)
        for each in (
            "\n# The Roll of Dues\n",
            "\n## Session 1\n",
            "\n### The harbour, at night\n",
            r"> **Anna:** Who goes \*there\*?",
            "\n**Get into the customs house unseen: asks the night porters",
            "\n![Luck against the odds. ",
        )
    ]
    assert places == sorted(places)
    (paragraph,) = [line for line in story.splitlines() if "customs house unseen" in line]
    assert re.search(r"Mara's Streetwise\):\*\* \d of \d\. (Success|Failed)", paragraph)
    assert paragraph.lower().count("customs house unseen") == 1
    assert "default" not in story
    drawn = [b64decode(each).decode() for each in re.findall(r"base64,([^)]+)\)", story)]
    assert len(drawn) == 2  # nobody earned or spent artha
    assert all(each.startswith("<svg ") for each in drawn)


@played
async def test_what_was_undone_or_cancelled_is_not_told(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test)
    await at.gm(do.UndoEntries(int(test[1:]) - 1))
    cancelled = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.gm(do.CancelProcedure(cancelled))
    story = await told(at, "anna")
    assert "customs house" not in story
    assert "rolled better" not in story
    begun = await at.begin("anna", TEST.procedure, **TEST.arguments)
    assert "*(in progress)*" in await told(at, "anna")
    await at.gm(do.CancelProcedure(begun))


@pytest.mark.parametrize("writer", [MarkdownStory(), HtmlStory()])
@played
async def test_nothing_secret_is_told_to_those_who_may_not_know(at: Company, writer):
    await at.do("anna", do.SendMessage("meet me at Zarquon", ("ben",)))
    await at.gm(do.ThrowDice("7B", "Zarquon notices", secret=True))
    secret = await at.begin(
        GM, TEST.procedure, True, character="captain_orrin", intent="Zarquon 2", ability="Will"
    )
    await at.play_on(secret)
    await at.gm(do.MakeRuling("an award", (do.RuledValue("captain_orrin", "artha.fate", 7),)))
    for seat, knows in (("ben", True), ("anna", True), ("watcher", False)):
        if seat == "watcher":
            await at.sit("watcher", role=Role.SPECTATOR)
        story = await at.tables.story(at.id, seat, writer)
        assert ("Zarquon" in story) is knows, seat
        assert "Orrin" not in story
        assert "Zarquon 2" not in story
        assert "notices" not in story
        seen = encode(await at.tables.pictures(at.id, seat, 1)).decode()
        assert "Orrin" not in seen
        assert "rolled better" not in seen  # nobody but the GM has rolled, and in secret
    gms = await at.tables.story(at.id, GM, writer)
    assert "meet me" not in gms
    pictures = encode(await at.tables.pictures(at.id, GM, 1)).decode()
    assert "Captain Orrin earned" in pictures


class Tags(HTMLParser):
    """What is open in a page, and what was closed in the wrong place."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@played
async def test_the_page_is_whole_and_sets_text_as_text(at: Company):
    await at.do("anna", do.SendMessage("<script>alert(1)</script> & more"))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test)
    page = await at.tables.story(at.id, "anna", HtmlStory())
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in page
    tags = Tags()
    tags.feed(page)
    assert (tags.open, tags.wrong) == ([], [])
    assert "<title>Luck against the odds</title>" in page


@played
async def test_there_are_no_pictures_of_a_session_that_never_was(at: Company):
    assert await at.tables.pictures(at.id, "anna", 9) is None
