"""Artha at the end of a session: everybody's awards on one card, GM and table together.

Players nominate each other, and the GM ticks what each character has earned: every Belief,
Instinct and trait by itself, and the other awards. Each is one of those in ``artha/awards``; what
is voted on when a whole scenario has ended stays there (:func:`~.awards.scenario_votes`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Fact, Option, PickSeveral, Play, Step, Text, ask, note, tell

from ..beliefs.trait_vote import electorate
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.words import as_sentence
from .awards import CONDITIONS, Decider, awards, give, table_agrees

LONGEST_NOMINATION = 400
"""The longest nomination that is accepted, in characters."""


class SessionArtha(Arguments, frozen=True):
    """Who took part in the session; if nobody is named, all players' characters."""

    participants: tuple[str, ...] = ()


class AwardGiven(msgspec.Struct, frozen=True):
    """An award that somebody has earned, and for what."""

    character: str
    award: str
    artha: str
    points: int
    why: str = ""


class SessionArthaOutcome(Outcome, frozen=True):
    """Everything that was awarded."""

    given: tuple[AwardGiven, ...]


class ArthaEarned(Fact, frozen=True, tag="artha_earned"):
    """What each of them earned in the session, all in one."""

    earned: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    """By the name of the character: each kind of artha, and how much of it."""
    rule: str = "artha.earn.one_point_each"
    role = "conclusion"

    def sentence(self) -> str:
        """One sentence for each of them."""
        told = []
        for name, artha in self.earned:
            *others, last = (f"{points} {kind}" for kind, points in artha)
            told.append(f"{name} earns {' and '.join(filter(None, (', '.join(others), last)))}.")
        return " ".join(told)


def session_artha(arguments: SessionArtha, table: BurningTable) -> Play[SessionArthaOutcome]:
    """Go through everybody's Beliefs, Instincts and traits, and hand out what is due.

    artha.basics.gm_role, artha.earn.on_the_spot: nobody has to wait for it, but what was missed
    in play is made up for here.
    """
    players = tuple(name for name, sheet in table.characters.items() if not sheet.npc)
    names = arguments.participants or players
    for index, name in enumerate(names):
        table.character(name, f"participants[{index}]")
    if not names:
        expected = "somebody who took part in the session"
        raise BadInput("participants", names, expected, "artha.earn.on_the_spot")
    yield from _nominations(names, table)
    ticked = []
    for name in names:
        sheet = table.character(name)
        # The rule behind each option is the condition that has to be met.
        chosen = yield from ask(
            GM,
            "awards",
            f"Artha ({sheet.name})",
            PickSeveral(options=award_options(sheet), default=()),
            because="artha.earn.one_point_each",
        )
        ticked.append((name, chosen))
    given: list[AwardGiven] = []
    for name, chosen in ticked:
        for key in chosen:
            earned = _earned(name, key, table.character(name))
            award = awards()[earned.award]
            if award.decided_by is Decider.TABLE:
                agreed, _ = yield from table_agrees(earned.award, award, name, table)
                if not agreed:
                    text = f"No {award.name} for {table.character(name).name}."
                    yield from note(text, "artha.earn.persona.moldbreaker_vote")
                    continue
            table = yield from give(name, award, earned.why, table)
            given.append(earned)
    if given:
        yield from tell(ArthaEarned(_earned_by_each(given, table)))
    else:
        yield from note("No artha is awarded.", "artha.earn.one_point_each")
    return SessionArthaOutcome(tuple(given))


def _earned_by_each(
    given: Sequence[AwardGiven], table: BurningTable
) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    found: dict[str, dict[str, int]] = {}
    for each in given:
        artha = found.setdefault(table.character(each.character).name, {})
        artha[each.artha] = artha.get(each.artha, 0) + each.points
    return tuple((name, tuple(artha.items())) for name, artha in found.items())


def _nominations(names: tuple[str, ...], table: BurningTable) -> Step[None]:
    """Players may nominate each other for Fate and Persona (artha.earn.nominate_players).

    The GM decides on all of them (artha.amb.nomination_decision), and has them in view.
    """
    said = []
    for seat in electorate(names, table):
        if seat == GM:
            continue
        words = yield from ask(
            seat,
            "nominations",
            f"Nominations ({table.who(seat)})",
            Text(default="", longest=LONGEST_NOMINATION),
            because="artha.earn.nominate_players",
        )
        said.append((seat, words))
    for seat, words in said:
        if words.strip():
            text = f"{table.who(seat)} nominates: {as_sentence(words)}"
            yield from note(text, "artha.earn.nominate_players")


_OWN = ("belief", "instinct", "trait")
"""The awards for what stands on the sheet, each entry by itself."""


def award_options(sheet: Sheet) -> tuple[Option, ...]:
    """What a character can have earned: by what stands on the sheet, then the other awards."""
    found = []
    for key, award in awards().items():
        if award.decided_by is Decider.SCENARIO_VOTE:
            continue  # artha.earn.persona.vote_timing
        rule = CONDITIONS[key][0][1]
        note = award.artha.capitalize()
        if key not in _OWN:
            found.append(Option(key=key, label=award.name, rule=rule, note=note))
            continue
        for number, text in enumerate(_written(key, sheet), 1):
            label = f"{award.name}: {text}"
            found.append(Option(key=f"{key}_{number}", label=label, rule=rule, note=note))
    return tuple(found)


def _written(kind: str, sheet: Sheet) -> tuple[str, ...]:
    if kind == "trait":
        return tuple(trait.name for trait in sheet.traits)
    return tuple(each.text for each in (sheet.beliefs if kind == "belief" else sheet.instincts))


def _earned(character: str, key: str, sheet: Sheet) -> AwardGiven:
    kind, _, number = key.rpartition("_")
    own = kind in _OWN
    award = kind if own else key
    why = _written(kind, sheet)[int(number) - 1] if own else ""
    found = awards()[award]
    return AwardGiven(character, award, found.artha, found.points, why)


PROCEDURES = (
    Procedure(
        "session_artha",
        "Artha for the session",
        SessionArtha,
        session_artha,
        gm_only=True,
        touches_all=True,
    ),
)
