"""`astragal rules`: search the catalogue, open an entry, list the options.

What the answers look like is in `rules_pages`; what they are, in `astragal.rules`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from astragal.errors import Refusal
from astragal.rules import Catalogue, Chapter, Reading, catalogue

FIRST_HITS = 12

Json = Annotated[bool, typer.Option("--json", help="Write JSON for a program to read.")]


class SearchByDefault(TyperGroup):
    """A group in which words that name no command are words to search for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `search` in front where no command is named."""
        if not args:
            args = ["--help"]
        named = next((word for word in args if not word.startswith("-")), None)
        if named not in self.commands and not ({"--help", "-h"} & set(args) and named is None):
            args = ["search", *args]
        return super().parse_args(ctx, args)


def add_to(app: typer.Typer) -> None:
    """Add the group `rules`."""
    group = typer.Typer(
        cls=SearchByDefault,
        help="Search and read the rules, as in: astragal rules let it ride",
        rich_markup_mode="rich",
    )
    group.command("search")(search)
    group.command("show")(show)
    group.command("readings")(readings)
    group.command("chapters")(chapters)
    app.add_typer(group, name="rules")


def search(
    words: Annotated[list[str], typer.Argument(help="Words to find; all of them must occur.")],
    every: Annotated[bool, typer.Option("--all", help="Show every result.")] = False,
    json: Json = False,
) -> None:
    """Find entries by words ('search' may be left out)."""
    from astragal.cli import rules_pages as pages
    from astragal.cli.screen import print_json, write

    sought = " ".join(words)
    book = catalogue()
    if sought in book and not json:
        write(pages.entry_page(book, book.entry(sought)))
        return
    hits = book.search(sought)
    if json:
        shown = hits if every else hits[:FIRST_HITS]
        found = [{"score": hit.score, **pages.as_record(book, hit.entry)} for hit in shown]
        print_json({"words": sought, "found": len(hits), "hits": found})
        return
    if not hits:
        raise Refusal(f"Nothing found for {sought!r}: {_other_words(book, words)}.")
    write(pages.hits_page(hits, sought, len(hits) if every else FIRST_HITS))


def show(
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Such as tests.advantage.one_die.")
    ],
    json: Json = False,
) -> None:
    """Show rules, tables, worked examples or readings by id."""
    from astragal.cli import rules_pages as pages
    from astragal.cli.screen import print_json, write

    book = catalogue()
    entries = [book.entry(name) for name in ids]
    if json:
        records = [pages.as_full_record(book, entry) for entry in entries]
        print_json(records[0] if len(records) == 1 else records)
        return
    for entry in entries:
        write(pages.entry_page(book, entry))


def readings(
    chapter: Annotated[
        str | None, typer.Option("--chapter", help="Only this chapter, such as tests.")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", help="Only this game, such as burning_wheel.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Include readings without a choice.")
    ] = False,
    json: Json = False,
) -> None:
    """List how unclear rules are read, and the house rules to choose from."""
    from astragal.cli import rules_pages as pages
    from astragal.cli.screen import print_json, write

    book = catalogue()
    specs = [
        spec
        for system in ([game] if game else book.systems)
        for spec in book.options(system)
        if chapter in (None, spec.chapter)
    ]
    fixed = [
        entry
        for part in (_chapters(book, chapter, game) if every else ())
        for entry in part.readings
        if entry.option is None
    ]
    if chapter:
        book.chapter(chapter)
    if json:
        print_json({"options": specs, "fixed": [_plain(entry) for entry in fixed]})
        return
    write(pages.readings_page(book, specs, fixed))


def chapters(json: Json = False) -> None:
    """List the chapters of each game and what is in them."""
    from astragal.cli import rules_pages as pages
    from astragal.cli.screen import print_json, write

    book = catalogue()
    if json:
        print_json([pages.chapter_record(book.chapter(name)) for name in book.chapters])
        return
    write(pages.chapters_page(book))


def _chapters(book: Catalogue, chapter: str | None, game: str | None) -> Sequence[Chapter]:
    parts = book.chapters_of(game) if game else [book.chapter(name) for name in book.chapters]
    return [part for part in parts if chapter in (None, part.name)]


def _plain(entry: Reading) -> dict[str, str]:
    return {"rule": entry.id, "issue": entry.issue, "reading": entry.reading}


def _other_words(book: Catalogue, words: Sequence[str]) -> str:
    """Suggest words that do occur; the mistyped one may have been meant as a command."""
    if any(word in book for word in words):
        return "to open an entry, use astragal rules show ID"
    vocabulary = book.vocabulary()
    unknown = []
    for word in re.findall(r"[^\W_]+", " ".join(words).casefold()):
        if not any(known.startswith(word) for known in vocabulary):
            near = difflib.get_close_matches(word, vocabulary, n=3)
            unknown.append(
                f"{word!r} is not in the rules"
                + " (nearest: " * bool(near)
                + ", ".join(near)
                + ")" * bool(near)
            )
    if unknown:
        return "; ".join(unknown)
    return "no entry has all of these words; try fewer"
