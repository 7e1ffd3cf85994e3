"""`astragal sheet`: a character sheet to read, with the grayscale and all that wounds cost now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from astragal.games.burning_wheel import Sheet
    from astragal.games.burning_wheel.pages.grayscale import BodyState
    from astragal.games.burning_wheel.sheet.sheet import Rated

NAME_WIDTH = 14
ACROSS = 3


def add_to(app: typer.Typer) -> None:
    """Add the command `sheet`."""
    app.command("sheet")(show_sheet)


def show_sheet(
    sheet: Annotated[str, typer.Argument(help="A sheet: a file, or a pre-made sheet by name.")],
    svg: Annotated[
        Path | None,
        typer.Option(help="Save the Physical Tolerances Grayscale as a picture to this file."),
    ] = None,
    time: Annotated[
        str, typer.Option(help="Campaign time that has passed, for wounds, such as '3 days'.")
    ] = "",
    json: Annotated[
        bool, typer.Option("--json", help="Write the sheet and wounds as JSON.")
    ] = False,
) -> None:
    """Show a Burning Wheel sheet: abilities as they are now, Beliefs, gear and wounds."""
    from rich.text import Text

    from astragal.cli.files import find_sheet, read_raw
    from astragal.cli.screen import print_json, write
    from astragal.errors import BadInput
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.pages.grayscale import as_svg, body_of
    from astragal.games.burning_wheel.sheet.durations import parse_duration
    from astragal.rules import Options

    path = find_sheet(sheet, GAME)
    read: Sheet = GAME.read_sheet(read_raw(path), path.stem)
    now = parse_duration(time, "--time")
    options = Options.of(GAME.name, {})
    body = body_of(read, now, options)
    if svg is not None:
        try:
            svg.write_text(as_svg(read, now, options), encoding="utf-8")
        except OSError as error:
            raise BadInput("--svg", str(svg), f"a file that can be written ({error})") from None
    if json:
        print_json({"sheet": GAME.write(read), "body": GAME.write(body)})
        return
    concept = f": {read.concept}" if read.concept else ""
    page = Text(f"{read.name}{concept}\n", style="bold")
    for heading, lines in sections(read, body):
        if lines:
            page.append(f"{heading}\n", style="bold")
            page.append("".join(f"  {line}\n" for line in lines))
    page.rstrip()
    write(page)


def sections(sheet: Sheet, body: BodyState) -> Iterator[tuple[str, list[str]]]:
    """The parts of the page, in the order of a sheet; empty ones are left out."""
    yield "Player", [sheet.player] if sheet.player else []
    for heading, kind in (("Stats", "stat"), ("Attributes", "attribute"), ("Skills", "skill")):
        yield heading, _rated(sheet, (r for r in sheet.abilities() if r.kind.value == kind))
    others = (r for r in sheet.abilities() if r.kind.value in ("resources", "circles"))
    yield "Resources and Circles", _rated(sheet, others)
    artha = sheet.artha
    yield "Artha", [f"fate {artha.fate}, persona {artha.persona}, deeds {artha.deeds}"]
    yield "Beliefs", [belief.text for belief in sheet.beliefs]
    yield "Instincts", [instinct.text for instinct in sheet.instincts]
    yield "Traits", [_trait(trait) for trait in sheet.traits]
    yield "Relationships", [_noted(each.name, each.note) for each in sheet.relationships]
    yield "Reputations", [f"{each.name}, {each.dice}D" for each in sheet.reputations]
    yield "Affiliations", [f"{each.name}, {each.dice}D" for each in sheet.affiliations]
    yield "Gear", [_gear(gear) for gear in sheet.gear]
    yield "Weapons", [weapon.called for weapon in sheet.weapons]
    yield "Armor and shield", _harness(sheet)
    yield f"Grayscale: {_condition(body)}", _grayscale(sheet)
    yield "Wounds", _wounds(body)
    yield "Scars", list(sheet.scars)


def _rated(sheet: Sheet, abilities: Iterable[Rated]) -> list[str]:
    """Abilities side by side; what wounds leave of one stands after an arrow."""
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conditions.lines import Tester
    from astragal.games.burning_wheel.conditions.wounds import wounds_on_test

    table = GAME.table({"character": sheet})
    cells = []
    for rated in abilities:
        lost = -wounds_on_test(Tester("character", rated, table)).lost
        if rated.name == "Mortal Wound":
            lost = 0
        now = f" -> {max(0, rated.exponent + lost)}D" if lost else ""
        cells.append(f"{rated.name:<{NAME_WIDTH}} {rated.rating}{now}")
    width = max((len(cell) for cell in cells), default=0) + 4
    rows = [cells[at : at + ACROSS] for at in range(0, len(cells), ACROSS)]
    return ["".join(f"{cell:<{width}}" for cell in row).rstrip() for row in rows]


def _trait(trait: Any) -> str:
    kind = trait.kind.value.replace("_", "-")
    return str(trait.name) if kind == "character" else f"{trait.name} ({kind})"


def _noted(name: str, note: str) -> str:
    return f"{name}, {note}" if note else name


def _gear(gear: Any) -> str:
    dice = ", ".join(f"+{dice}D {ability}" for ability, dice in gear.dice.items())
    return f"{gear.name} ({dice})" if dice else str(gear.name)


def _harness(sheet: Sheet) -> list[str]:
    from astragal.games.burning_wheel.sheet.armor_tables import piece_dice, shield_dice

    lines = [
        f"{location.replace('_', ' ')}: {piece.called}, {piece_dice(piece).total}D"
        for location, piece in sheet.armor.items()
    ]
    if sheet.shield is not None:
        lines.append(f"{sheet.shield.called}, {shield_dice(sheet.shield).total}D")
    return lines


def _condition(body: BodyState) -> str:
    costs = [f"{body.dice}D"] if body.dice else []
    costs += [f"+{body.obstacle} Ob"] if body.obstacle else []
    return ", ".join([body.condition, *costs])


def _grayscale(sheet: Sheet) -> list[str]:
    from astragal.games.burning_wheel.pages.grayscale import as_text

    if sheet.tolerances is None and not sheet.wounds:
        return ["no tolerances on the sheet"]
    return as_text(sheet).splitlines()


def _wounds(body: BodyState) -> list[str]:
    from astragal.games.burning_wheel.pages.grayscale import told

    return [told(shown) for shown in body.wounds]
