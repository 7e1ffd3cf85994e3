"""What a character has, on the page: wealth, people, gear, weapons, armor."""

from __future__ import annotations

from functools import lru_cache

from astragal.games.page import Pen, Row, Section
from astragal.rules import Options

from ..sheet.armor_tables import LOCATIONS, ArmorPiece, piece_dice, shield_dice
from ..sheet.parts import Ability, Gear, SocialStanding
from ..sheet.ratings import Rating
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import FIST, Weapon
from ..sheet.words import counted
from ..weapons.damage import cards_of


def wealth(pen: Pen) -> tuple[Section, ...]:
    """Cash, funds, titles, loans and debts; nothing for a character without Resources."""
    held = pen.sheet.resources
    if held is None:
        return ()
    counts = [
        pen.number(label, "resources", field, rule=rule, quiet=not getattr(held, field))
        for label, field, rule in (
            ("Cash dice", "cash", "resources.cash.bonus"),
            ("Taxed dice", "taxed", "resources.tax.temporary"),
        )
    ]
    if held.repaid:
        rule = "resources.debt.repaid_links_to_lender"
        counts.append(pen.number("Repaid debt dice", "resources", "repaid", rule=rule))
    rows = [pen.row("Home", "resources", "home", quiet=not held.home)]
    if held.lifestyle:
        rule = "resources.lifestyle.test_each_cycle"
        fallen = f"{held.fallen} lower for now" if held.fallen else ""
        rows.append(pen.number("Lifestyle Ob", "resources", "lifestyle", note=fallen, rule=rule))
    for at, fund in enumerate(held.funds):
        where = ("resources", "funds", at, "dice")
        dice, rule = f"{fund.dice}D", "resources.fund.bonus"
        rows.append(pen.number(f"Fund: {fund.name}", *where, value=dice, rule=rule))
    for at, title in enumerate(held.titles):
        rule = "resources.title.bonus"
        rows.append(pen.row("Title", "resources", "titles", at, value=title, rule=rule))
    for at, loan in enumerate(held.loans):
        where = ("resources", "loans", at, "dice")
        value, note = f"{loan.dice}D", f"for {counted(loan.tests, 'test')}"
        rule = "resources.loan.test"
        rows.append(
            pen.number(f"Loan from {loan.lender}", *where, value=value, note=note, rule=rule)
        )
    for at, debt in enumerate(held.debts):
        where, rule = ("resources", "debts", at, "owed"), "resources.debt.size"
        rows.append(pen.number(f"Debt to {debt.lender}", *where, rule=rule))
    for at, letter in enumerate(held.letters):
        label = "Letter of credit"
        rows.append(pen.row(label, "resources", "letters", at, value=letter))
    if held.job is not None:
        done = f"{held.job.restores} taxed dice, on day {held.job.until}"
        rows.append(Row(f"Job: {held.job.skill}", done, rule="resources.job.time"))
    return (Section("Wealth", "counters", tuple(counts)), Section("Holdings", "list", tuple(rows)))


def people(pen: Pen) -> tuple[Section, ...]:
    """Relationships, reputations, affiliations and contacts."""
    sheet: Sheet = pen.sheet
    relationships = tuple(
        pen.row(each.name, "relationships", at, "note", rule="circles.relationship.definition")
        for at, each in enumerate(sheet.relationships)
    )
    contacts = tuple(
        pen.row(
            each.name,
            "contacts",
            at,
            "sought",
            note=f"Ob {each.obstacle}",
            rule="circles.naming.written",
        )
        for at, each in enumerate(sheet.contacts)
    )
    return (
        Section(
            "Relationships",
            "list",
            relationships,
            add="relationships",
            example="Old Bess",
            ties="people",
        ),
        _standings("Reputations", "reputations", sheet.reputations, pen),
        _standings("Affiliations", "affiliations", sheet.affiliations, pen),
        Section("Contacts", "list", contacts, ties="people"),
    )


def _standings(title: str, group: str, held: tuple[SocialStanding, ...], pen: Pen) -> Section:
    rule = f"circles.{group.removesuffix('s')}.scope"

    def note(standing: SocialStanding) -> str:
        words = ["infamous" if standing.infamous else "", standing.scope]
        words.append(f"{counted(standing.lost, 'die')} lost" if standing.lost else "")
        words.append(f"as {standing.identity}" if standing.identity else "")
        return ", ".join(filter(None, words))

    rows = tuple(
        pen.number(each.name, group, at, "dice", value=f"{each.dice}D", note=note(each), rule=rule)
        for at, each in enumerate(held)
    )
    example = {"name": "the climber", "dice": 1}
    return Section(title, "list", rows, add=group, example=example, ties="groups")


def belongings(pen: Pen, options: Options) -> tuple[Section, ...]:
    """Gear, weapons with what they do in these hands, armor by location, the shield."""
    sheet: Sheet = pen.sheet
    gear = tuple(
        pen.row(
            each.name, "gear", at, "name", value="", note=about_gear(each), rule="tests.gear.effect"
        )
        for at, each in enumerate(sheet.gear)
    )
    worn = tuple(
        _worn(where, piece) for where in LOCATIONS if (piece := sheet.armor.get(where)) is not None
    )
    if sheet.shield is not None:
        dice, called = f"{shield_dice(sheet.shield).total}D", sheet.shield.called
        worn += (Row("Shield", dice, note=called, rule="armor.shield.dice", entry="shield"),)
    packed = tuple(
        Row(f"Packed: {piece.called}", "", note=_place(piece.location), entry=f"packed.{at}")
        for at, piece in enumerate(sheet.packed)
    )
    return (
        Section("Gear", "list", gear, add="gear", example="lantern"),
        Section("Weapons", "list", _weapons(pen, options), add="weapons", example="hatchet"),
        Section("Armor", "list", worn + packed),
    )


def about_gear(gear: Gear) -> str:
    """What a piece of gear does in the rules, in a few words.

    >>> about_gear(Gear("lantern", removes=("darkness",), dice={"Observation": 1}))
    '+1D Observation, removes darkness'
    """
    words = [f"+{dice}D {ability}" for ability, dice in gear.dice.items()]
    words += [f"removes {', '.join(gear.removes)}"] if gear.removes else []
    words += [f"adds {', '.join(gear.hinders)}"] if gear.hinders else []
    words += [f"tools for {', '.join(gear.tools)}"] if gear.tools else []
    return ", ".join(words)


def _weapons(pen: Pen, options: Options) -> tuple[Row, ...]:
    sheet: Sheet = pen.sheet
    strong = "Power" in sheet.stats  # without Power on the sheet the GM says what a blow does
    rows = []
    for at, carried in enumerate(sheet.weapons):
        does = _does(sheet, carried, options) if strong else ""
        broken = "broken; " if carried.broken else ""
        rows.append(
            pen.row(
                carried.called,
                "weapons",
                at,
                "name",
                value="",
                note=f"{broken}{does}",
                rule="weapons.ims.three_stages",
            )
        )
    return tuple(rows)


def _does(sheet: Sheet, carried: Weapon, options: Options) -> str:
    """What a weapon does in these hands: fists by traits as well, all else by Power alone."""
    if carried.weapon == FIST:
        return _said(sheet, carried, options)
    return _does_by_power(sheet.ability("Power").rating, carried, options)


@lru_cache(maxsize=1024)
def _does_by_power(power: Rating, carried: Weapon, options: Options) -> str:
    return _said(Sheet("", stats={"Power": Ability(power)}), carried, options)


def _said(sheet: Sheet, carried: Weapon, options: Options) -> str:
    return "; ".join(map(str, cards_of(sheet, carried, options)))


@lru_cache(maxsize=1024)
def _worn(where: str, piece: ArmorPiece) -> Row:
    lost = f", {counted(piece.lost, 'die')} lost" if piece.lost else ""
    return Row(
        _place(where),
        f"{piece_dice(piece).total}D",
        note=f"{piece.called}{lost}",
        rule="armor.location.own_dice",
        entry=f"armor.{where}",
    )


def _place(location: str) -> str:
    return location.replace("_", " ").capitalize()
