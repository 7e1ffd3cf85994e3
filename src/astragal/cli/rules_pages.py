"""What `astragal rules` shows: lists of hits, pages of entries, options, chapters.

Each function makes one Rich renderable (or one plain record for JSON) and
prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec
from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from astragal.rules import (
    Catalogue,
    Chapter,
    Entry,
    Example,
    Hit,
    OptionSpec,
    Reading,
    Rule,
    RuleTable,
)

NAME = "bold cyan"
FAINT = "dim"
FOUND = "bold yellow"
HEADING = "bold"
EXCERPT = 140


def hits_page(hits: Sequence[Hit], sought: str, most: int) -> RenderableType:
    """The best hits with an excerpt each, and how many more there are."""
    parts: list[RenderableType] = []
    for hit in hits[:most]:
        parts += [_name_line(hit.entry), _indented(_excerpt(hit.entry, sought)), ""]
    if len(hits) > most:
        parts.append(Text(f"{len(hits) - most} more; show them with --all", FAINT))
    else:
        parts.append(Text(f"{len(hits)} found" if len(hits) > 1 else "1 found", FAINT))
    return Group(*parts)


def entry_page(book: Catalogue, entry: Entry) -> RenderableType:
    """One entry with everything that is linked to it."""
    chapter = book.chapter(entry.chapter)
    source = f"{'lines' if re.search(r'[-,]', entry.lines) else 'line'} {entry.lines}"
    parts: list[RenderableType] = [
        _name_line(entry),
        Text(f"{chapter.title} ({chapter.system}), source {source}", FAINT),
        "",
        _body(entry),
    ]
    links = Links(book, entry)
    for heading, others in (
        ("Examples", links.examples),
        ("Readings", links.readings),
        ("Related", links.related),
        ("Mentioned by", links.mentioned_by),
    ):
        if others:
            parts += ["", Text(heading, HEADING)]
            parts += [part for other in others for part in _link_lines(other)]
    parts.append("")
    return Group(*parts)


class Links:
    """The other entries that are linked to one, sorted by how."""

    def __init__(self, book: Catalogue, entry: Entry) -> None:
        """Follow the ids the entry mentions, and find the entries that mention it."""
        mentions = book.mentions.in_text("\n".join(entry.prose))
        self.related: list[Entry] = [book.entry(name) for name in mentions if name in book]
        incoming = [other for other in book.mentioning(entry.id) if other not in self.related]
        self.examples = [other for other in incoming if isinstance(other, Example)]
        self.readings = [other for other in incoming if isinstance(other, Reading)]
        self.mentioned_by = [other for other in incoming if isinstance(other, Rule | RuleTable)]


def readings_page(
    book: Catalogue, specs: Sequence[OptionSpec], fixed: Sequence[Reading]
) -> RenderableType:
    """The options chapter by chapter, then the readings that leave no choice."""
    parts: list[RenderableType] = []
    for name in book.chapters:
        here: list[RenderableType] = []
        for spec in specs:
            if spec.chapter == name:
                explained = Text.assemble(_short(spec.reading), " ", (f"[{spec.rule}]", FAINT))
                question = _indented(Text(spec.question))
                here += [_option_line(spec), question, _indented(explained), ""]
        for entry in fixed:
            if entry.chapter == name:
                here += [_name_line(entry), _indented(Text(_short(entry.reading))), ""]
        if here:
            parts += [Text(f"{book.chapter(name).title} ({name})", HEADING), "", *here]
    choices = f"{len(specs)} option{'s' * (len(specs) != 1)}"
    rest = f", {len(fixed)} readings without a choice" if fixed else ""
    return Group(*parts, Text(f"{choices}{rest}; the default is marked *", FAINT))


def chapters_page(book: Catalogue) -> RenderableType:
    """What every chapter holds, in numbers."""
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        expand=True,
        show_footer=True,
    )
    records = [chapter_record(book.chapter(name)) for name in book.chapters]
    longest = max(map(len, book.chapters))
    table.add_column("chapter", style=NAME, min_width=longest, footer=f"{len(records)} chapters")
    table.add_column("title", no_wrap=True, overflow="ellipsis", ratio=1)
    for column in ("rules", "tables", "examples", "readings", "options"):
        total = sum(number for r in records if isinstance(number := r[column], int))
        table.add_column(column, justify="right", min_width=len(column), footer=str(total))
    before = None
    for record in records:
        if before not in (None, record["system"]):
            table.add_section()
        before = record["system"]
        table.add_row(*(str(cell) for column, cell in record.items() if column != "system"))
    return table


def chapter_record(chapter: Chapter) -> dict[str, str | int]:
    """A chapter's name, title and counts."""
    return {
        "system": chapter.system,
        "chapter": chapter.name,
        "title": chapter.title,
        "rules": chapter.count("rule"),
        "tables": chapter.count("table"),
        "examples": chapter.count("example"),
        "readings": chapter.count("ambiguity"),
        "options": sum(reading.option is not None for reading in chapter.readings),
    }


def as_record(book: Catalogue, entry: Entry) -> dict[str, object]:
    """An entry for JSON: what it is, its chapter and game, and its own fields."""
    chapter = book.chapter(entry.chapter)
    own: dict[str, object] = msgspec.to_builtins(entry)
    if isinstance(entry, Reading) and entry.option is None:
        own = {name: value for name, value in own.items() if value is not None}
    return {"is": kind_of(entry), "system": chapter.system, "chapter": chapter.name, **own}


def as_full_record(book: Catalogue, entry: Entry) -> dict[str, object]:
    """An entry for JSON with all that hangs together with it."""
    links = Links(book, entry)
    return {
        **as_record(book, entry),
        "examples": [as_record(book, other) for other in links.examples],
        "readings": [as_record(book, other) for other in links.readings],
        "related": [other.id for other in links.related],
        "mentioned_by": [other.id for other in links.mentioned_by],
    }


def kind_of(entry: Entry) -> str:
    """What an entry is, in one word."""
    match entry:
        case Rule():
            return "rule"
        case RuleTable():
            return "table"
        case Example():
            return "example"
        case Reading():
            return "reading"


def _name_line(entry: Entry) -> Text:
    kind = entry.kind.value if isinstance(entry, Rule) else kind_of(entry)
    return Text.assemble((entry.id, NAME), "  ", (kind, FAINT))


def _body(entry: Entry) -> RenderableType:
    match entry:
        case Rule():
            return _indented(Text(entry.text))
        case RuleTable():
            drawn = _indented(_drawn(entry.in_words()))
            return Group(drawn, "", _indented(Text(entry.note))) if entry.note else drawn
        case Example():
            return _labelled(
                ("given", entry.given), ("rolls", entry.rolls), ("expect", entry.expect)
            )
        case Reading(option=None):
            return _labelled(("unclear", entry.issue), ("reading", entry.reading))
        case Reading():
            return _labelled(
                ("unclear", entry.issue),
                ("reading", entry.reading),
                ("asks", entry.question or ""),
                ("option", entry.option or ""),
                ("default", entry.default or ""),
                ("choices", ", ".join(entry.choices or ())),
            )


def _drawn(table: RuleTable) -> Table:
    drawn = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for name in table.columns:
        numbers = all(isinstance(cell, int | float) for cell in table.column(name))
        drawn.add_column(name.replace("_", " "), justify="right" if numbers else "left")
    for row in table.rows:
        drawn.add_row(*(Text(_cell(cell)) for cell in row))
    return drawn


def _cell(cell: object) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, tuple):
        return "; ".join(map(str, cell)) or "-"
    return str(cell)


def _labelled(*pairs: tuple[str, str]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=FAINT, no_wrap=True)
    grid.add_column()
    for label, text in pairs:
        grid.add_row(label, Text(text))
    return _indented(grid)


def _link_lines(entry: Entry) -> Iterable[RenderableType]:
    yield _indented(_name_line(entry))
    match entry:
        case Rule():
            text = entry.text
        case RuleTable():
            text = entry.note or ", ".join(entry.in_words().columns)
        case Example():
            text = f"{entry.given} Expected: {entry.expect}"
        case Reading():
            text = entry.reading
    yield _indented(Text(_short(text)), 4)
    if isinstance(entry, Reading) and entry.option:
        options = f"option {entry.option}: {_choices(entry.default, entry.choices)}"
        yield _indented(Text(options, FAINT), 4)


def _option_line(spec: OptionSpec) -> Text:
    return Text.assemble((spec.name, NAME), ": ", _choices(spec.default, spec.choices))


def _choices(default: str | None, choices: Iterable[str] | None) -> str:
    return ", ".join(f"{choice}*" if choice == default else choice for choice in choices or ())


def _excerpt(entry: Entry, sought: str) -> Text:
    """The words around the first place where something sought stands, marked."""
    words = [re.escape(word) for word in re.findall(r"[^\W_]+", sought)]
    phrase = re.compile(r"\b" + r"\W+".join(words), re.IGNORECASE)
    single = re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE)
    texts = [text for text in entry.prose if text]
    for pattern in (phrase, single):
        for text in texts:
            if found := pattern.search(text):
                excerpt = Text(_around(text, found.start()))
                excerpt.highlight_regex(pattern, FOUND)
                return excerpt
    return Text(_around(texts[0], 0) if texts else "")


def _around(text: str, place: int) -> str:
    """About two lines of a text with the place in them, cut between words."""
    if len(text) <= EXCERPT:
        return text
    start = 0
    if place > EXCERPT * 2 // 3:
        start = min(place - EXCERPT // 3, len(text) - EXCERPT)
        start = text.find(" ", start) + 1 or start
    end = start + EXCERPT
    if end >= len(text):
        return f"{'... ' * bool(start)}{text[start:]}"
    return f"{'... ' * bool(start)}{text[start : text.rfind(' ', start, end)]} ..."


def _short(text: str, most: int = 2 * EXCERPT) -> str:
    """The first sentences of a text that fit, or its beginning."""
    if len(text) <= most:
        return text
    sentences = [stop.end() for stop in re.finditer(r"[.;](?= )", text[:most])]
    if sentences and sentences[-1] > most // 3:
        return text[: sentences[-1]].rstrip(";") + " ..."
    return text[: text.rfind(" ", 0, most)] + " ..."


def _indented(what: RenderableType, by: int = 2) -> RenderableType:
    return Padding(what, (0, 0, 0, by), expand=False)
