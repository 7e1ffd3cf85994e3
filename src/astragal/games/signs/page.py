"""The character sheet and the scene of the game of Signs, as pages."""

from __future__ import annotations

from astragal.games.page import Page, Pen, Row, Section, Tap, present, who
from astragal.play import Option

from .scene import SignsTable
from .sheet import SCORES, Influence, Sheet
from .successes import die_names


def abilities(sheet: Sheet) -> tuple[Option, ...]:
    """The Exploration Scores, with their dice."""
    return tuple(
        Option(name, f"{name} {die}", "signs.roll.scores") for name, die in sheet.scores.items()
    )


def page(sheet: Sheet, key: str, table: SignsTable) -> Page:
    """The whole sheet, as a player would print it."""
    pen = Pen(sheet)
    offers = tuple(
        Row("Helps", table.characters[offer.character].name, note=offer.tag, rule="signs.help.adv")
        for offer in table.scene.offers
        if offer.helper == key and offer.character in table.characters
    )
    tags = tuple(Option(tag.name, f"{tag.name} ({tag.sign})") for tag in sheet.all_tags())
    influences: tuple[Section, ...] = ()
    if not sheet.npc:
        influences = (
            _influences("Boons", "boons", "signs.boon.effect", pen),
            _influences("Banes", "banes", "signs.bane.effect", pen),
        )
    return Page(
        sheet.name,
        sheet.concept,
        badges=(*_badges(sheet), *offers),
        sections=present(
            who(pen),
            Section("Exploration Scores", "ratings", _scores(pen), rule="signs.roll.scores"),
            Section("Signs", "list", _signs(pen), add="signs", example=["Owl", "D6: Night Eyes"]),
            *influences,
        ),
        choices={"ability": abilities(sheet), **({"tag": tags} if tags else {})},
    )


def _badges(sheet: Sheet) -> tuple[Row, ...]:
    counted = (
        ("Boons", sheet.boons, "signs.boon.effect"),
        ("Banes", sheet.banes, "signs.bane.effect"),
    )
    return tuple(Row(label, str(len(held)), rule=rule) for label, held, rule in counted if held)


def _scores(pen: Pen) -> tuple[Row, ...]:
    return tuple(
        pen.row(
            name,
            "scores",
            name,
            kind="choice",
            choices=die_names(),
            rule="signs.roll.scores",
            tap=Tap("rules_test", {"score": name}),
        )
        for name in SCORES
        if name in pen.sheet.scores
    )


def _signs(pen: Pen) -> tuple[Row, ...]:
    """Each Sign with its die, and its Tags as the list that one edits."""
    rows: list[Row] = []
    for name, sign in pen.sheet.signs.items():
        rule = "signs.roll.tag_die"
        die = pen.row(
            name,
            "signs",
            name,
            "die",
            value=": ".join(filter(None, (sign.die, ", ".join(sign.tags)))),
            bare=sign.die,
            kind="choice",
            choices=die_names(),
            rule=rule,
            entry=2,
        )
        rows += [
            die,
            pen.row(f"Tags of {name}", "signs", name, "tags", kind="list", rule=rule, quiet=True),
        ]
    return tuple(rows)


def _influences(title: str, group: str, rule: str, pen: Pen) -> Section:
    def about(held: Influence) -> str:
        words = [held.condition, f"until {held.until}" if held.until else ""]
        words.append("also on other rolls" if held.other_rolls else "")
        return ", ".join(filter(None, words))

    rows = tuple(
        pen.row(held.name, group, at, "name", value="", note=about(held), rule=rule)
        for at, held in enumerate(getattr(pen.sheet, group))
    )
    return Section(title, "list", rows, add=group, example="a night of good sleep")


# --- The scene -----------------------------------------------------------------------------


def scene_page(table: SignsTable) -> tuple[Section, ...]:
    """Which Scene it is, what was tried in it and before, and who has offered help."""
    scene = table.scene

    def named(key: str) -> str:
        return table.characters[key].name if key in table.characters else key

    title = f"Scene {scene.number}"
    tried = tuple(
        Row(
            ": ".join(filter(None, (named(attempt.character), attempt.goal))),
            "passed" if attempt.passed else "failed",
            note="" if attempt.scene == scene.number else f"in Scene {attempt.scene}",
            rule="signs.attempt.scene",
        )
        for attempt in scene.attempts
    )
    offers = tuple(
        Row(
            f"{named(offer.helper)} helps {named(offer.character)}",
            offer.tag,
            note=offer.goal,
            rule="signs.help.before",
        )
        for offer in scene.offers
    )
    return present(
        Section("Scene", "list", (Row(title, scene.title),)),
        Section("Tried", "list", tried),
        Section("Help offered", "list", offers),
    )
