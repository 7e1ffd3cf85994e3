"""The catalogue for the page: hits of a search, and an entry with all that belongs to it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from astragal.rules import Catalogue, Entry, Example, Reading, Rule, RuleTable, catalogue
from astragal.rules.entries import Cell

EXCERPT = 180


class RuleHit(msgspec.Struct, frozen=True):
    """An entry in a list: what it is called, of which kind it is, and its first words."""

    id: str
    kind: str
    """Of a rule what it asks for (mechanic, procedure ...); else table, example or reading."""
    game: str
    chapter: str
    chapter_title: str
    excerpt: str


class RulesFound(msgspec.Struct, frozen=True):
    """The best hits of a search, and how many there are in all."""

    results: tuple[RuleHit, ...]
    found: int


class RuleEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One entry of the catalogue; a rule has a text, a table columns and rows, and so on."""

    id: str
    kind: str
    game: str
    chapter: str
    chapter_title: str
    text: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    note: str = ""
    given: str = ""
    rolls: str = ""
    expect: str = ""
    rules: tuple[str, ...] = ()
    question: str = ""
    """What a group decides here."""
    reading: str = ""
    issue: str = ""
    option: str = ""
    default: str = ""
    choices: tuple[str, ...] = ()
    related: tuple[RuleHit, ...] = ()
    """What it mentions."""
    examples: tuple[RuleHit, ...] = ()
    readings: tuple[RuleHit, ...] = ()
    mentioned_by: tuple[RuleHit, ...] = ()


def search(words: str, game: str, limit: int) -> RulesFound:
    """The best hits, of one game or of all."""
    book = catalogue()
    hits = [
        hit.entry
        for hit in book.search(words)
        if (not game or book.chapter(hit.entry.chapter).system == game)
        and is_for_players(hit.entry)
    ]
    shown = tuple(_hit(book, entry, words) for entry in hits[:limit])
    return RulesFound(shown, len(hits))


def entry_page(name: str) -> RuleEntry:
    """An entry and its surroundings; refused if there is none of that id."""
    book = catalogue()
    entry = book.entry(name)
    chapter = book.chapter(entry.chapter)
    mentioned = [
        book.entry(each)
        for each in book.mentions.in_text("\n".join(entry.prose))
        if each in book and each != name
    ]
    others = [other for other in book.mentioning(name) if other not in mentioned]
    said = entry.in_words() if isinstance(entry, RuleTable) else entry
    own: dict[str, Any] = {
        field: _in_words(book, value) if isinstance(value, str) else value
        for field, value in msgspec.structs.asdict(said).items()
        if field in RuleEntry.__struct_fields__ and field not in ("id", "kind") and value
    }
    return RuleEntry(
        id=entry.id,
        kind=kind_of(entry),
        game=chapter.system,
        chapter=chapter.name,
        chapter_title=chapter.title,
        related=_hits(book, mentioned),
        examples=_hits(book, [each for each in others if isinstance(each, Example)]),
        readings=_hits(book, [each for each in others if isinstance(each, Reading)]),
        mentioned_by=_hits(book, [each for each in others if isinstance(each, Rule | RuleTable)]),
        **own,
    )


def kind_of(entry: Entry) -> str:
    """What an entry is, in one word."""
    match entry:
        case Rule():
            return str(entry.kind.value)
        case RuleTable():
            return "table"
        case Example():
            return "example"
        case Reading():
            return "reading"


def is_for_players(entry: Entry) -> bool:
    """Whether it says anything about play, and not only about the text that was read."""
    return not (isinstance(entry, Reading) and entry.editorial is True)


def title(name: str) -> str:
    """An id in words, as the page writes them.

    >>> title("steel.test.open_ended"), title("fight.get_up.*"), title("steel.test.gm_calls")
    ('steel: open ended', 'fight: get up', 'steel: GM calls')
    """
    parts = name.removesuffix(".*").split(".")
    words = f"{parts[0]}: {parts[-1]}".replace("_", " ")
    return _SHORT.sub(lambda found: _SPELLED.get(found[0], found[0].upper()), words)


_SPELLED = {"npcs": "NPCs", "ob": "Ob", "fork": "FoRK", "forks": "FoRKs"}
_SHORT = re.compile(r"\b(gm|npcs?|ob|mvp|dn|va|ims|ptgs|forks?|\d+d|[bgw]\d+)\b")
"""What the book writes with capital letters; the page has the same."""


def _in_words(book: Catalogue, text: str, *, keep: bool = True) -> str:
    """A text whose ids are words; those of entries may be kept, for the page to link."""
    return book.mentions.pattern.sub(
        lambda found: found[0] if keep and found[0] in book else title(found[0]), text
    )


def _hits(book: Catalogue, entries: list[Entry]) -> tuple[RuleHit, ...]:
    return tuple(_hit(book, entry, "") for entry in entries if is_for_players(entry))


def _hit(book: Catalogue, entry: Entry, words: str) -> RuleHit:
    chapter = book.chapter(entry.chapter)
    text = _in_words(book, excerpt(entry, words), keep=False)
    return RuleHit(entry.id, kind_of(entry), chapter.system, chapter.name, chapter.title, text)


def excerpt(entry: Entry, words: str) -> str:
    """Some of its words, with the first of those sought among them."""
    texts = [text for text in _prose(entry) if text]
    sought = [re.escape(word) for word in re.findall(r"[^\W_]+", words)]
    if sought:
        pattern = re.compile(rf"\b(?:{'|'.join(sought)})", re.IGNORECASE)
        for text in texts:
            if found := pattern.search(text):
                return _around(text, found.start())
    return _around(texts[0], 0) if texts else ""


def _prose(entry: Entry) -> tuple[str, ...]:
    """The texts of an entry; of a reading the decision comes first."""
    if isinstance(entry, Reading):
        return (entry.question or "", entry.reading, entry.issue)
    return entry.prose


def _around(text: str, place: int) -> str:
    """A line or two of a text with the place in them, cut between words."""
    if len(text) <= EXCERPT:
        return text
    start = 0
    if place > EXCERPT // 2:
        start = text.rfind(" ", 0, max(1, place - EXCERPT // 3)) + 1
    piece = text[start : start + EXCERPT]
    ends = start + EXCERPT >= len(text)
    if not ends and " " in piece:
        piece = piece[: piece.rfind(" ")]
    return f"{'... ' * bool(start)}{piece}{'' if ends else ' ...'}"
