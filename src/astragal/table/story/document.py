"""The story of a campaign as a file: Markdown with front matter, or a page of HTML.

Written part by part from the log, as one seat may read it; after each session its pictures.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape
from typing import Protocol

import msgspec

from astragal.games.game import Game
from astragal.play import Seat
from astragal.table.log.events import LogEntry
from astragal.table.log.sentences import name_of
from astragal.table.log.state import Campaign
from astragal.table.story.chapters import (
    Paragraph,
    SceneHeading,
    SessionClosing,
    SessionHeading,
    SpokenLine,
    StoryPart,
    chapters,
)
from astragal.table.story.figures import SessionCounter, SessionFigures, figures_of
from astragal.table.story.pictures import SessionPicture, SessionPictures, pictures_of
from astragal.table.views.build import Views
from astragal.table.views.seen_by_gm import entries_as
from astragal.table.views.types import EntryView


class StoryWriter(Protocol):
    """How a story is written down."""

    def head(self, campaign: Campaign, game: Game, reader: str) -> str:
        """What comes before everything else."""
        ...

    def part(self, part: StoryPart) -> str:
        """A heading, a paragraph, or what somebody said."""
        ...

    def pictures(self, pictures: Iterable[SessionPicture]) -> str:
        """The pictures of a session."""
        ...

    def foot(self) -> str:
        """What comes after everything else."""
        ...


class StoryReader:
    """A campaign as a seat reads its story."""

    def __init__(self, campaign: Campaign, seat: Seat, *, by_gm: bool = False) -> None:
        """The campaign as it stands, and who reads; ``by_gm`` if the GM looks as that seat."""
        self.campaign = campaign
        self.seat = seat
        self.by_gm = by_gm
        self.views = Views(campaign)

    def entries(self, log: Iterable[LogEntry]) -> Iterable[EntryView]:
        """The entries that the seat may read."""
        if self.by_gm:
            return entries_as(self.views, self.seat, log)
        return self.views.entries(self.seat, log)

    def pictures(self, figures: SessionFigures) -> SessionPictures:
        """The pictures of a session, with the names that the seat knows."""
        return pictures_of(figures, lambda seat: name_of(seat, self.campaign), self._name)

    def _name(self, key: str) -> str | None:
        if not self.views.pages.knows(self.seat, key):
            return None
        return str(self.views.pages.characters[key].sheet.get("name", key))


def session_pictures(
    campaign: Campaign, log: Iterable[LogEntry], seat: Seat, number: int, *, by_gm: bool = False
) -> SessionPictures | None:
    """The pictures of one session as a seat may see them; None where there is none."""
    reader = StoryReader(campaign, seat, by_gm=by_gm)
    figures = figures_of(reader.entries(log), reader.views.game.at_table.counted, number)
    return None if figures is None else reader.pictures(figures)


def story(
    campaign: Campaign, log: Iterable[LogEntry], seat: Seat, writer: StoryWriter
) -> Iterator[str]:
    """The story of a campaign, part by part."""
    reader = StoryReader(campaign, seat)
    counter = SessionCounter(reader.views.game.at_table.counted)
    is_counting = False

    def counted(entries: Iterable[EntryView]) -> Iterator[EntryView]:
        for entry in entries:
            if entry.kind != "session_began":  # the heading comes when the pictures are drawn
                counter.add(entry)
            yield entry

    def drawn() -> str:
        return writer.pictures(reader.pictures(counter.figures()).pictures)

    yield writer.head(campaign, reader.views.game, name_of(seat, campaign))
    for part in chapters(counted(reader.entries(log))):
        if isinstance(part, SessionHeading):
            if is_counting:  # the one before was never ended
                yield drawn()
            counter.begin(part.number)
            is_counting = True
        yield writer.part(part)
        if isinstance(part, SessionClosing) and is_counting:
            yield drawn()
            is_counting = False
    if is_counting:
        yield drawn()
    yield writer.foot()


# --- Markdown --------------------------------------------------------------------------------


class MarkdownStory:
    """Markdown with front matter; the pictures are images with their words."""

    def head(self, campaign: Campaign, game: Game, reader: str) -> str:
        """The front matter, and the title."""
        facts = {"title": campaign.title, "game": game.title, "told for": reader}
        lines = [f"{key}: {msgspec.json.encode(said).decode()}" for key, said in facts.items()]
        matter = "\n".join(("---", *lines, "---"))
        return f"{matter}\n\n# {in_markdown(campaign.title)}\n"

    def part(self, part: StoryPart) -> str:
        """A heading, a paragraph, or a quotation."""
        match part:
            case SessionHeading(number=number, at=at):
                return f"\n## Session {number}\n\n*{in_markdown(at[:10])}*\n"
            case SceneHeading(title=title):
                return f"\n### {in_markdown(title)}\n"
            case SpokenLine(line=line, private=private):
                who, _, said = line.partition(": ")
                tag = " *(private)*" if private else ""
                return f"\n> **{in_markdown(who)}:** {in_markdown(said)}{tag}\n"
            case Paragraph(tale=tale, is_open=is_open):
                ends = " *(in progress)*" if is_open else ""
                if not tale.outcome:
                    return f"\n{in_markdown(tale.about)}.{ends}\n"
                return f"\n**{in_markdown(tale.about)}:** {in_markdown(tale.outcome)}{ends}\n"
        return ""

    def pictures(self, pictures: Iterable[SessionPicture]) -> str:
        """Images that hold their drawing."""
        return "".join(
            f"\n![{in_markdown(each.title)}. {in_markdown(each.told)}]({data_url(each.svg)})\n"
            for each in pictures
        )

    def foot(self) -> str:
        """Nothing more."""
        return ""


def data_url(svg: str) -> str:
    """A drawing as an address that holds it."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def in_markdown(text: str) -> str:
    """Text that means nothing to Markdown or to a browser."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    for mark in "\\`*_[]>#|~":
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", " ").replace("\r", " ")


# --- HTML ------------------------------------------------------------------------------------

_STYLE = (
    "body{max-width:42rem;margin:2rem auto;padding:0 1rem;line-height:1.6;"
    "font-family:Georgia,'Times New Roman',serif;color-scheme:light dark}"
    "h1,h2,h3{line-height:1.2}blockquote{margin:.6rem 0;padding-left:1rem;"
    "border-left:3px solid #9a8f80}.pictures{display:flex;flex-wrap:wrap;gap:1rem;margin:1.5rem 0}"
    ".pictures svg{max-width:100%;height:auto}.soft{opacity:.75}"
)


class HtmlStory:
    """One page of HTML that needs nothing else."""

    def head(self, campaign: Campaign, game: Game, reader: str) -> str:
        """The head of the page, and the title."""
        title = escape(campaign.title)
        told = f"{escape(game.title)}, told for {escape(reader)}"
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{title}</title><style>{_STYLE}</style></head><body><main>\n"
            f'<h1>{title}</h1>\n<p class="soft">{told}</p>\n'
        )

    def part(self, part: StoryPart) -> str:
        """A heading, a paragraph, or a quotation."""
        match part:
            case SessionHeading(number=number, at=at):
                return f'<h2>Session {number}</h2>\n<p class="soft">{escape(at[:10])}</p>\n'
            case SceneHeading(title=title):
                return f"<h3>{escape(title)}</h3>\n"
            case SpokenLine(line=line, private=private):
                who, _, said = line.partition(": ")
                tag = ' <span class="soft">(private)</span>' if private else ""
                said = f"<b>{escape(who)}:</b> {escape(said)}{tag}"
                return f"<blockquote>{said}</blockquote>\n"
            case Paragraph(tale=tale, is_open=is_open):
                ends = ' <span class="soft">(in progress)</span>' if is_open else ""
                if not tale.outcome:
                    return f"<p>{escape(tale.about)}.{ends}</p>\n"
                return f"<p><b>{escape(tale.about)}:</b> {escape(tale.outcome)}{ends}</p>\n"
        return ""

    def pictures(self, pictures: Iterable[SessionPicture]) -> str:
        """The drawings themselves."""
        drawn = "".join(each.svg for each in pictures)
        return f'<div class="pictures">{drawn}</div>\n' if drawn else ""

    def foot(self) -> str:
        """The end of the page."""
        return "</main></body></html>\n"
