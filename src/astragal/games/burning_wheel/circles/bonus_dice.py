"""What affects a Circles test: reputations, affiliations and names, as dice or obstacle."""

from __future__ import annotations

import msgspec

from astragal.play import GM, Line, Option, PickSeveral, Seat, Step, ask
from astragal.rules import catalogue

from ..conditions.enmity import own_standings
from ..sheet.editions import REVISED, Edition, edition
from ..sheet.parts import Contact, SocialStanding
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .searches import Search


class StandingEffect(msgspec.Struct, frozen=True):
    """What reputations, affiliations, names and Wises do to a search."""

    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    standings: tuple[str, ...] = ()
    reputation_dice: int = 0


def counts_in(standing: SocialStanding, circle: str) -> bool:
    """Whether a standing counts in a circle, as far as words can tell; the GM has the last one.

    circles.reputation.scope, circles.affiliation.scope.
    """
    return standing.scope.casefold() in ("", circle.casefold())


def standing_effect(
    sheet: Sheet, seat: Seat, circle: str, played: Edition = REVISED
) -> Step[StandingEffect]:
    """Bonus dice from affiliations and reputations (circles.ability.bonus_dice_sources).

    In the later edition each is worth at most three dice (gold.circles.dice_affiliation,
    gold.circles.dice_reputation), and so is what an infamous one costs (gold.ob.infamous).
    """
    own = own_standings(sheet)
    if not own:
        return StandingEffect()
    offended = yield from _offended(own, circle, played)
    usable = tuple(each for each in own if each.name not in offended)
    used = yield from _used(usable, seat, circle, played)
    infamy = "circles.infamy.penalty"
    return StandingEffect(
        dice=tuple(
            Line(played.standing_dice(s.dice), s.name, "circles.ability.bonus_dice_sources")
            for s in used
        ),
        obstacle=tuple(
            Line(played.standing_dice(s.dice), f"infamous: {s.name}", infamy)
            for s in own
            if s.name in offended
        ),
        standings=tuple(each.name for each in used),
        reputation_dice=sum(
            played.standing_dice(each.dice) for each in used if each in sheet.reputations
        ),
    )


def _offended(
    own: tuple[SocialStanding, ...], circle: str, played: Edition
) -> Step[tuple[str, ...]]:
    """Infamous reputations that offend the circle: an obstacle for each die.

    circles.infamy.penalty.
    """
    infamous = tuple(each for each in own if each.infamous)
    if not infamous:
        return ()
    rule = "circles.infamy.penalty"
    options = tuple(
        Option(s.name, s.name, rule, note=f"+{played.standing_dice(s.dice)} Ob") for s in infamous
    )
    hostile = tuple(s.name for s in infamous if s.scope and counts_in(s, circle))
    chosen: tuple[str, ...] = yield from ask(
        GM,
        "offended",
        "Which infamous reputations offend the people asked?",
        PickSeveral(options=options, default=hostile),
        because=rule,
        kind="consent",
    )
    return chosen


def _used(
    usable: tuple[SocialStanding, ...], seat: Seat, circle: str, played: Edition
) -> Step[tuple[SocialStanding, ...]]:
    """The player says which dice to use, if any; the GM which of them count here.

    circles.ability.bonus_dice_optional. Those whose scope is in other words are not used unless
    somebody thinks of them: an affiliation is good for what is directly related to it, too
    (circles.affiliation.scope). An infamous reputation is good only among those who
    approve of it (circles.infamy.opens_circles, circles.amb.infamy_bonus_dice).
    """
    if not usable:
        return ()
    options = tuple(
        Option(
            each.name,
            each.name,
            _scope_rule(each),
            note=f"+{played.standing_dice(each.dice)}D{_where(each, circle)}",
        )
        for each in usable
    )
    plain = tuple(e.name for e in usable if not e.infamous and counts_in(e, circle))
    wanted = yield from ask(
        seat,
        "standings",
        "Which affiliations and reputations do you use?",
        PickSeveral(options=options, default=plain),
        because="circles.ability.bonus_dice_optional",
    )
    if not wanted:
        return ()
    allowed = yield from ask(
        GM,
        "allow_standings",
        f"Which of these count here? ({circle})" if circle else "Which of these count here?",
        PickSeveral(options=tuple(o for o in options if o.key in wanted), default=wanted),
        because="circles.reputation.scope",
        kind="consent",
    )
    return tuple(each for each in usable if each.name in allowed)


def _where(standing: SocialStanding, circle: str) -> str:
    if standing.infamous:
        return ", among those who approve"
    return "" if counts_in(standing, circle) else f", for {standing.scope}"


def _scope_rule(standing: SocialStanding) -> str:
    if standing.infamous:
        return "circles.infamy.opens_circles"
    return "circles.ability.bonus_dice_sources"


def renown(search: Search, seat: Seat, table: BurningTable) -> Step[tuple[Line, ...]]:
    """The reputation of the person sought makes them easier to find.

    circles.test.sought_reputation; by at most three dice in the later edition
    (gold.circles.dice_npc_reputation, gold.diff.circles_npc_reputation).
    """
    played = edition(table.options)
    rule = "circles.test.sought_reputation"
    lines: tuple[Line, ...] = (Line(search.renown, "reputation of the person sought", rule),)
    if search.person:
        theirs = table.character(search.person, "person")
        known = tuple(r for r in theirs.reputations if r.identity == theirs.identity)
        if not known:
            return ()
        options = tuple(
            Option(r.name, r.name, rule, note=f"+{played.standing_dice(r.dice)}D") for r in known
        )
        used = yield from ask(
            seat,
            "sought_reputation",
            f"Which reputations of {theirs.name} help to find them?",
            PickSeveral(options=options, default=tuple(r.name for r in known)),
            because=rule,
            kind="aside",
        )
        lines = tuple(Line(r.dice, r.name, rule) for r in known if r.name in used)
    return tuple(
        msgspec.structs.replace(line, amount=played.standing_dice(line.amount))
        for line in lines
        if line.amount
    )


def name_die(known: Contact | None) -> tuple[Line, ...]:
    """Somebody whose name is written down is easier to find (circles.naming.bonus).

    In both editions (gold.diff.circles_named).
    """
    if known is None:
        return ()
    table = catalogue().table("circles.table.test_dice_and_other_modifiers")
    dice = table.number("dice", source="contact already named")
    return (Line(dice, f"named contact: {known.name}", "circles.naming.bonus"),)
