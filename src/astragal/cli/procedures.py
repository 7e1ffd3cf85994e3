"""`astragal procedures`: what can be begun, with which arguments, and what it asks."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from astragal.errors import Refusal

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.games.reference import ProcedureReference

Json = Annotated[bool, typer.Option("--json", help="Write JSON for a program to read.")]


class ListByDefault(TyperGroup):
    """A group in which a word that names no command is a game whose procedures are listed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `list` in front where no command is named."""
        named = next((word for word in args if not word.startswith("-")), None)
        if named not in self.commands and not {"--help", "-h"} & set(args):
            args = ["list", *args]
        return super().parse_args(ctx, args)


def add_to(app: typer.Typer) -> None:
    """Add the group `procedures`."""
    group = typer.Typer(
        cls=ListByDefault,
        help="What you can start in each game: arguments, questions and outcomes of every "
        "procedure, as in: astragal procedures show standard_test",
        rich_markup_mode="rich",
    )
    group.command("list")(list_them)
    group.command("show")(show)
    app.add_typer(group, name="procedures")


def list_them(
    game: Annotated[str | None, typer.Argument(help="Only this game, such as cores.")] = None,
    json: Json = False,
) -> None:
    """List the procedures, chapter by chapter ('list' may be left out)."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from astragal.cli.screen import print_json, write
    from astragal.games import game_named, games
    from astragal.games.reference import references

    chosen = [game_named(game)] if game else list(games().values())
    if json:
        found = [_short_record(each) for some in chosen for each in references(some)]
        print_json(found)
        return
    parts: list[RenderableType] = []
    for some in chosen:
        every = references(some)
        parts.append(Text(f"{some.title} ({some.name})", style="bold"))
        for chapter in dict.fromkeys(each.chapter for each in every):
            if chapter != some.name:
                parts.append(Text(f"\n  {chapter}", style="cyan"))
            rows = Table.grid(padding=(0, 2))
            for each in every:
                if each.chapter == chapter:
                    rows.add_row(Text(f"    {each.name}", no_wrap=True), Text(each.title, "dim"))
            parts.append(rows)
        parts.append(Text(""))
    parts.append(Text("Read one with: astragal procedures show NAME", style="dim"))
    write(Group(*parts))


def show(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME", help="A procedure, such as standard_test.")
    ],
    game: Annotated[
        str | None,
        typer.Option("--game", help="The game, if several have a procedure of that name."),
    ] = None,
    json: Json = False,
) -> None:
    """Show the arguments, questions and outcomes of procedures."""
    from astragal.cli.screen import print_json, write

    found = [each for name in names for each in _named(name, game)]
    if json:
        print_json(found[0] if len(found) == 1 else found)
        return
    for number, each in enumerate(found):
        if number:
            write("")
        write(page(each))


def _named(name: str, game: str | None) -> list[ProcedureReference]:
    from astragal.games import game_named, games
    from astragal.games.reference import reference_of

    chosen = [game_named(game)] if game else list(games().values())
    found = [
        reference_of(each, each.procedures[name]) for each in chosen if name in each.procedures
    ]
    if not found:
        known = [each for some in chosen for each in some.procedures]
        near = difflib.get_close_matches(name, known, n=3)
        hint = f"nearest: {', '.join(near)}" if near else "astragal procedures lists them all"
        raise Refusal(f"There is no procedure {name!r}; {hint}.")
    return found


def _short_record(each: ProcedureReference) -> dict[str, str]:
    return {"game": each.game, "chapter": each.chapter, "name": each.name, "title": each.title}


# --- One procedure as a page ---------------------------------------------------------------


def page(procedure: ProcedureReference) -> RenderableType:
    """Everything about a procedure, to be read in a terminal of any width."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    head = Text.assemble((procedure.name, "bold"), f"  {procedure.title}")
    head.append(f"  ({procedure.game}, {procedure.chapter})", "dim")
    parts: list[RenderableType] = [head]
    if procedure.gm_only:
        parts.append(Text("  Only the GM can start it.", "magenta"))
    about = [_plain(procedure.about), _plain(procedure.arguments_about)]
    parts += [Padding(Text(each), (0, 0, 0, 2)) for each in dict.fromkeys(about) if each]
    if procedure.rules:
        parts.append(Padding(Text(", ".join(procedure.rules), "dim"), (0, 0, 0, 2)))
    parts += _section("Arguments", _arguments(procedure), "It takes none.")
    parts += _section("Questions", _questions(procedure), "It asks nothing.")
    about_outcome = _plain(procedure.outcome_about)
    parts += _section("Outcome", _outcome(procedure), "It has no fields.", about_outcome)
    return Group(*parts)


def _section(
    title: str, rows: list[tuple[Any, Any]], otherwise: str, about: str = ""
) -> list[RenderableType]:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    heading = Text(f"\n{title}", "bold cyan")
    if not rows:
        return [heading, Text(f"  {otherwise}", "dim")]
    table = Table.grid(padding=(0, 2))
    for left, right in rows:
        table.add_row(left, right)
    said = [Padding(Text(about), (0, 0, 0, 2))] if about else []
    return [heading, *said, Padding(table, (0, 0, 0, 2))]


def _arguments(procedure: ProcedureReference) -> list[tuple[Any, Any]]:
    from rich.text import Text

    rows = []
    for each in procedure.arguments:
        default = "needed" if each.required else f"default {_plain(each.default)}"
        right = Text(f"{_plain(each.type)}; {default}")
        if each.meaning:
            right.append(f"\n{_plain(each.meaning)}", "dim")
        rows.append((Text(each.name, "bold" if each.required else ""), right))
    return rows


def _questions(procedure: ProcedureReference) -> list[tuple[Any, Any]]:
    from rich.text import Text

    from astragal.games.reference import answers_in_words, default_in_words

    rows = []
    for each in procedure.questions:
        default = default_in_words(each)
        default = default if default == "needed" else f"default {default}"
        parts = [" or ".join(each.seats), answers_in_words(each), default, each.kind]
        right = Text(_plain("; ".join(part for part in parts if part)))
        if each.prompt:
            right.append(f"\n{each.prompt}", "italic")
        if each.rules:
            right.append(f"\n{', '.join(each.rules)}", "dim")
        rows.append((Text(each.key, "bold" if default == "needed" else ""), right))
    return rows


def _outcome(procedure: ProcedureReference) -> list[tuple[Any, Any]]:
    from rich.text import Text

    rows = []
    for each in procedure.outcome:
        right = Text(_plain(each.type))
        if each.meaning:
            right.append(f"\n{_plain(each.meaning)}", "dim")
        rows.append((Text(each.name), right))
    return rows


def _plain(words: str) -> str:
    """Words without the marks that a page of documentation sets around names."""
    return words.replace("`", "")
