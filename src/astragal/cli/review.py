"""`astragal review`: what the decisions of an evening were worth, the most costly first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.table.export import CampaignExport
    from astragal.table.review import Review


def add_to(app: typer.Typer) -> None:
    """Add the command `review`."""
    app.command("review")(review)


def review(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="An exported campaign.")],
    seat: Annotated[str, typer.Option(help="Only the decisions of this seat.")] = "",
    most: Annotated[int, typer.Option(help="The most decisions to show.")] = 20,
    artha: Annotated[
        int, typer.Option(help="What a point of artha is worth to you, in percent.")
    ] = 10,
    solve: Annotated[
        bool, typer.Option("--solve", help="Solve duels first, which may take minutes.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Write the review as JSON.")] = False,
) -> None:
    """Review tests and duels: what each decision was worth, and the luck of the dice."""
    from math import inf

    from msgspec.structs import replace

    from astragal.cli.screen import print_json, write
    from astragal.lab import check_installed
    from astragal.table.review import SECONDS
    from astragal.table.review import review as review_of

    if solve:
        check_installed()
    if not 0 <= artha <= 100:
        raise BadInput("--artha", artha, "0 to 100 percent")
    campaign = _campaign(log)
    found = review_of(
        campaign.game, campaign.entries, price=artha / 100, seconds=inf if solve else SECONDS
    )
    if seat:
        if seat not in {each.seat for each in found.seats}:
            known = ", ".join(each.seat for each in found.seats) or "nobody"
            raise BadInput("--seat", seat, f"a seat that made decisions: {known}")
        found = replace(
            found,
            decisions=tuple(each for each in found.decisions if each.seat == seat),
            seats=tuple(each for each in found.seats if each.seat == seat),
        )
    if json:
        print_json(found)
    else:
        write(_page(found, campaign.title, most))


def _campaign(file: Path) -> CampaignExport:
    import msgspec

    from astragal.cli.files import read_raw
    from astragal.table.export import CampaignExport

    try:
        return msgspec.convert(read_raw(file), CampaignExport, str_keys=True)
    except msgspec.ValidationError as error:
        raise BadInput("log", str(file), f"an exported campaign ({error})") from None


def _page(found: Review, title: str, most: int) -> RenderableType:
    from fractions import Fraction

    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import percent

    def shown(chance: float) -> str:
        return percent(Fraction(chance).limit_denominator(10**6))

    dear = [each for each in found.decisions if each.cost > 0][:most]
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for name, right in (
        ("gave away", True), ("who", False), ("decision", False), ("chance", True),
        ("better", False), ("chance", True), ("entry", True),
    ):  # fmt: skip
        grid.add_column(name, justify="right" if right else "left")
    for each in dear:
        grid.add_row(
            shown(each.cost),
            each.seat,
            f"{each.key.replace('_', ' ')}: {each.answer}",
            shown(each.chance),
            each.best,
            shown(each.best_chance),
            str(each.entry),
        )
    luck = Grid(box=None, pad_edge=False, header_style="dim")
    for name in ("who", "played", "luck", "given away"):
        luck.add_column(name, justify="left" if name == "who" else "right")
    for seat in found.seats:
        luck.add_row(seat.seat, str(seat.tests), f"{seat.luck:+.2f}", f"{seat.given_away:.2f}")
    many = len(found.decisions)
    heading = f"{title}: {found.reviewed} tests and duels reviewed, {many} decisions"
    parts: list[RenderableType] = [Text(f"{heading}\n", style="bold")]
    parts += [grid, Text()] if dear else [Text("Nothing was given away.\n")]
    parts += [
        luck,
        Text("\nLuck and what was given away are counted in tests and duels won.", style="dim"),
    ]
    if found.left_out:
        text = f"{found.left_out} procedures are left out: not tests, or with secrets in them."
        parts.append(Text(text, style="dim"))
    if found.unsolved:
        text = f"{found.unsolved} of them are duels that are not solved yet: review with --solve."
        parts.append(Text(text, style="dim"))
    return Group(*parts)
