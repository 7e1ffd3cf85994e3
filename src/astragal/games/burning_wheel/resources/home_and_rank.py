"""Home turf and titles: where a character's money is good, and what rank does for it."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, confirm, consent

from ..sheet.editions import edition
from ..sheet.ratings import HIGHEST_EXPONENT, Rating
from ..sheet.scene import BurningTable
from .tax import wealth_of, with_resources


class SettleHome(Arguments, frozen=True):
    """The home turf of a character's Resources."""

    character: str
    home: str


class HomeAgreement(Outcome, frozen=True):
    """Whether player and GM agreed."""

    agreed: bool


def _no_home_yet(character: str, table: BurningTable) -> None:
    settled = wealth_of(table, character).home
    if settled:
        what = f"{table.character(character).name} already has a home turf: {settled}"
        raise NotAllowed(what, "resources.home.agreed_before_play")


def settle_home(arguments: SettleHome, table: BurningTable) -> Play[HomeAgreement]:
    """Player and GM settle the home turf once, before play (resources.home.agreed_before_play)."""
    rule = "resources.home.agreed_before_play"
    home = arguments.home.strip()
    if not home:
        raise BadInput("home", arguments.home, "a place or a region", rule)
    name = table.character(arguments.character).name
    _no_home_yet(arguments.character, table)
    prompt = f"Home turf of {name}'s Resources: {home}. Agree?"
    agreed = yield from consent(GM, "agree_home", prompt, because=rule)
    if agreed:
        table = yield from with_resources(table, arguments.character)
        yield from table.amend(arguments.character, "resources.home", home, because=rule)
    return HomeAgreement(agreed)


class Rank(Arguments, frozen=True):
    """A character's title or rank."""

    character: str
    rank: str


class RankOutcome(Outcome, frozen=True):
    """Resources after a change of rank, and whether that changed them."""

    resources: Rating
    changed: bool


def grant_title(arguments: Rank, table: BurningTable) -> Play[RankOutcome]:
    """A rise in station may raise Resources by 1 (resources.title.bonus).

    Whether it does is for the GM alone, and it may do nothing, above all for the wealthy
    (resources.title.gm_decides). In the later edition it advances Resources for good
    (gold.resources.titles, gold.diff.titles).
    """
    rule = "resources.title.gm_decides"
    rank = arguments.rank.strip()
    wealth = wealth_of(table, arguments.character)
    if not rank or rank.casefold() in (title.casefold() for title in wealth.titles):
        raise BadInput("rank", arguments.rank, "a rank that does not count yet", rule)
    raises = False
    if wealth.rating.exponent < HIGHEST_EXPONENT:
        name = table.character(arguments.character).name
        prompt = f"Does the title raise {name}'s Resources ({wealth.rating})? ({rank})"
        raises = yield from confirm(GM, "title_bonus", prompt, default=False, because=rule)
    if not raises:
        return RankOutcome(wealth.rating, False)
    table = yield from with_resources(table, arguments.character)
    if edition(table.options).titles_advance:
        # Resources rise by a title, and stay so (gold.resources.titles); each counts once.
        rating, because = wealth.rating.raised(), "gold.resources.titles"
        titles = (*wealth.titles, rank)
        table = yield from table.amend(
            arguments.character, "resources.titles", titles, because=because
        )
        yield from table.amend(arguments.character, "resources.rating", rating, because=because)
        return RankOutcome(rating, True)
    return (yield from _with_titles(arguments.character, (*wealth.titles, rank), table))


def _has_title(character: str, table: BurningTable) -> None:
    if edition(table.options).titles_advance:
        raise NotAllowed("What a title did for Resources is for good", "gold.diff.titles")
    if not wealth_of(table, character).titles:
        what = f"{table.character(character).name} has no rank that raised Resources"
        raise NotAllowed(what, "resources.title.kept_while_held")


def lose_title(arguments: Rank, table: BurningTable) -> Play[RankOutcome]:
    """The increase lasts as long as the rank (resources.title.kept_while_held).

    In the later edition it stays, so that there is nothing to lose (gold.diff.titles).
    """
    _has_title(arguments.character, table)
    wealth = wealth_of(table, arguments.character)
    if arguments.rank not in wealth.titles:
        expected = f"a rank that raised Resources: {', '.join(wealth.titles)}"
        rule = "resources.title.kept_while_held"
        raise BadInput("rank", arguments.rank, expected, rule)
    titles = tuple(title for title in wealth.titles if title != arguments.rank)
    return (yield from _with_titles(arguments.character, titles, table))


def _with_titles(character: str, titles: tuple[str, ...], table: BurningTable) -> Step[RankOutcome]:
    """Store the ranks that count, each worth a point of the underlying exponent.

    resources.amb.title_exponent_or_bonus.
    """
    wealth = wealth_of(table, character)
    change = len(titles) - len(wealth.titles)
    rule = "resources.title.bonus" if change > 0 else "resources.title.kept_while_held"
    exponent = max(0, wealth.rating.exponent + change)
    rating = Rating(wealth.rating.shade, exponent)
    table = yield from table.amend(character, "resources.titles", titles, because=rule)
    table = yield from table.amend(character, "resources.rating", rating, because=rule)
    taxed = min(wealth.taxed, exponent)
    yield from table.amend(character, "resources.taxed", taxed, because=rule)
    return RankOutcome(rating, rating != wealth.rating)


PROCEDURES = (
    Procedure("settle_home", "Settle the home turf", SettleHome, settle_home, check=_no_home_yet),
    Procedure("grant_title", "Grant a title", Rank, grant_title, gm_only=True),
    Procedure("lose_title", "Lose a title", Rank, lose_title, gm_only=True, check=_has_title),
)
