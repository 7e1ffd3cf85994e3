"""Earning artha: awards on the spot, nominations, and votes at the end of a scenario.

Each award is worth one point (artha.earn.one_point_each). Fate comes from following the
character's path, Persona from strong play and goals reached, Deeds from what goes beyond the
character (artha.types.character). The GM keeps an eye on everybody's Beliefs, Instincts and
traits (artha.basics.gm_role) and hands the points out as soon as they are earned
(artha.earn.on_the_spot); each part of an award's condition is a question to those who decide.
What artha then buys is in ``artha/on_a_roll``.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Ask,
    AskKind,
    Option,
    PickOne,
    Play,
    Seat,
    Step,
    Text,
    ask,
    ask_all,
    choose,
    confirm,
    confirm_aside,
    consent,
    note,
)
from astragal.rules import catalogue

from ..beliefs.trait_vote import (
    VoteCount,
    carries,
    cast_votes,
    check_participants,
    counted,
    electorate,
)
from ..sheet.catalogue_keys import check_key, key_of
from ..sheet.scene import BurningTable

CONDITIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "belief": (
        (
            "Was a Belief acted on, convincingly, so that the table enjoyed it?",
            "artha.earn.fate.belief",
        ),
        ("Did that serve a purpose and move the game forward?", "artha.earn.fate.belief"),
    ),
    "instinct": (
        ("Did playing the Instinct get the character into trouble?", "artha.earn.fate.instinct"),
    ),
    "trait": (
        (
            "Did the trait turn events in an unexpected direction, or make life harder?",
            "artha.earn.fate.trait",
        ),
    ),
    "humor": (("Did a joke in character make the whole table laugh?", "artha.earn.fate.humor"),),
    "right_skill_right_time": (
        (
            "Did the story need a skill that only this character has?",
            "artha.earn.fate.right_skill_right_time",
        ),
    ),
    "embodiment": (
        (
            "Did the roleplaying capture the mood of the moment and drive the story on?",
            "artha.earn.persona.embodiment",
        ),
    ),
    "personal_goals": (
        ("Has the character accomplished the goal?", "artha.earn.persona.personal_goal"),
        (
            "Is it stated in a Belief, or an open goal of the group?",
            "artha.earn.persona.personal_goal_stated",
        ),
    ),
    "greater_goals": (
        (
            "Was it larger than the character's own agenda, for others and not for profit?",
            "artha.earn.deeds.greater_goal",
        ),
        (
            "Did it serve the large goal of the story, and not only a personal aim?",
            "artha.earn.deeds.big_thing",
        ),
        ("Did it come with a cost or sacrifice?", "artha.earn.deeds.needs_cost"),
    ),
    "beyond_the_call": (
        (
            "Did the character help another's goals at the expense of their own?",
            "artha.earn.deeds.beyond_the_call",
        ),
        ("Did it come with a cost or sacrifice?", "artha.earn.deeds.needs_cost"),
    ),
    "moldbreaker": (
        (
            "Was the conflict with Beliefs, Instincts and traits played out believably?",
            "artha.earn.persona.moldbreaker",
        ),
    ),
}
"""The conditions of each award, part by part; the names are those of the catalogue's table.

Beliefs and traits are among what earns artha (beliefs.belief.artha_link, beliefs.trait.artha_link).
"""


class Decider(Enum):
    """Who decides on an award, in the catalogue's words."""

    GM_OR_NOMINATION = "GM (players may nominate)"
    GM_ONLY = "GM only"
    TABLE = "majority vote of the table"
    SCENARIO_VOTE = "vote at scenario end"


class Award(msgspec.Struct, frozen=True):
    """An award of the catalogue: what it is called, what it gives, and who decides."""

    name: str
    artha: str
    points: int
    decided_by: Decider


def awards() -> dict[str, Award]:
    """Every award there is, by key, each of its own kind of artha (artha.types.character)."""
    return {
        key_of(row["name"]): Award(
            str(row["name"]),
            str(row["type"]).casefold(),
            row.number("points"),
            Decider(str(row["decided_by"])),
        )
        for row in catalogue().table("artha.table.earning").records()
    }


# --- Awards in play ------------------------------------------------------------------------


class AwardArtha(Arguments, frozen=True):
    """Who earns which award and why; a player who fills this in nominates the character.

    ``for_laughs``: the game is played for laughs, and Instincts that disrupt it are welcome.
    """

    character: str
    award: str
    why: str
    by: Seat = GM
    for_laughs: bool = False


class AwardOutcome(Outcome, frozen=True):
    """Whether artha was awarded, and how much; and the votes where the table votes on it."""

    granted: bool
    artha: str = ""
    points: int = 0
    votes: tuple[VoteCount, ...] = ()


def award_artha(arguments: AwardArtha, table: BurningTable) -> Play[AwardOutcome]:
    """Hand out a point of artha, or decide on a nomination, at the moment it is earned.

    artha.basics.gm_role.
    """
    known = awards()
    key = check_key(arguments.award, known, "award", "artha.earn.one_point_each")
    award = known[key]
    sheet = table.character(arguments.character)
    if award.decided_by is Decider.SCENARIO_VOTE:
        raise NotAllowed(
            f"{award.name} is decided by a vote at the end of the scenario",
            "artha.earn.persona.vote_timing",
        )
    if award.decided_by is Decider.GM_ONLY and arguments.by != GM:
        raise NotAllowed("Only the GM awards deeds", "artha.earn.no_deeds_nomination")
    if arguments.by != GM and sheet.seat(arguments.character) == arguments.by and not sheet.npc:
        # Players nominate each other (artha.earn.persona.moldbreaker_vote: any other player).
        what = f"Somebody else has to nominate {sheet.name}: players nominate each other"
        raise NotAllowed(what, "artha.earn.nominate_players")
    if arguments.by != GM:
        by = table.who(arguments.by)
        text = f"{by} nominates {sheet.name} for {award.name}: {arguments.why}"
        yield from note(text, "artha.earn.nominate_players")
    votes: tuple[VoteCount, ...] = ()
    if sheet.npc and arguments.by != GM:
        granted = True  # artha.earn.nominate_npcs: the GM must accept it
    elif award.decided_by is Decider.TABLE:
        granted, count = yield from table_agrees(key, award, arguments.character, table)
        votes = (count,)
    else:
        granted = yield from _is_met(key, award, nominated=arguments.by != GM)
        granted = granted and not (yield from _withheld(key, arguments, table))
    if not granted:
        yield from note(f"No artha for {sheet.name}.", "artha.earn.one_point_each")
        return AwardOutcome(False, votes=votes)
    yield from give(arguments.character, award, arguments.why, table)
    return AwardOutcome(True, award.artha, award.points, votes)


def _is_met(key: str, award: Award, *, nominated: bool) -> Step[bool]:
    """Every part of an award's condition has to be met; of a nomination the GM says so."""
    kind: AskKind = "offered" if nominated else "consent"
    for question, rule in CONDITIONS[key]:
        name = f"holds_{rule.rpartition('.')[2]}"
        prompt = f"{award.name}. {question}"
        met = confirm(GM, name, prompt, default=True, because=rule, kind=kind)
        if not (yield from met):
            return False
    return True


def give(character: str, award: Award, why: str, table: BurningTable) -> Step[BurningTable]:
    """Hand out an award, with what it is for."""
    name = table.character(character).name
    text = f"{name} earns {award.points} {award.artha} ({award.name}){f': {why}' if why else '.'}"
    yield from note(text, "artha.earn.on_the_spot")
    path = f"artha.{award.artha}"
    because = "artha.earn.one_point_each"
    return (yield from table.add(character, path, award.points, because=because))


def table_agrees(
    key: str, award: Award, character: str, table: BurningTable
) -> Step[tuple[bool, VoteCount]]:
    """Moldbreaker goes by a majority of those present, the GM among them, the nominee not.

    artha.earn.persona.moldbreaker_vote, artha.amb.nomination_decision: a tie fails.
    """
    players = tuple(n for n, sheet in table.characters.items() if not sheet.npc)
    nominee = table.character(character).seat(character)
    voters = tuple(seat for seat in electorate(players, table) if seat != nominee)
    ((question, _),) = CONDITIONS[key]
    prompt, because = f"{award.name}. {question}", "artha.earn.persona.moldbreaker_vote"
    votes = yield from cast_votes(voters, "moldbreaker", prompt, because=because)
    count = counted(votes, character, key)
    yield from note(f"{award.name} for {table.character(character).name}: {count}.", because)
    return carries(votes, unanimous=False), count


# --- Withholding ---------------------------------------------------------------------------


def _withheld(key: str, arguments: AwardArtha, table: BurningTable) -> Step[bool]:
    """A disruptive player may be passed over, but only after a warning.

    artha.withhold.warn_first, artha.withhold.gm_power; artha.earn.fate.instinct_withheld for
    Instincts used to obstruct, unless the game is played for laughs.
    """
    seat = table.character(arguments.character).seat(arguments.character)
    if key == "instinct" and not arguments.for_laughs:
        obstructs = yield from confirm_aside(
            GM,
            "obstructs",
            "Instincts: do you and the players find that they are used to disrupt play?",
            because="artha.earn.fate.instinct_withheld",
        )
        if obstructs:
            return True
    if seat not in table.scene.warned:
        return False
    return (
        yield from confirm(
            GM,
            "withhold",
            f"{table.who(seat)} was warned. Withhold the award?",
            default=False,
            because="artha.withhold.gm_power",
        )
    )


class PlayerWarning(Arguments, frozen=True):
    """The player who is asked to stop disrupting play."""

    seat: Seat


class WarningOutcome(Outcome, frozen=True):
    """Everyone who has been warned so far."""

    seats: tuple[Seat, ...]


def warn_player(arguments: PlayerWarning, table: BurningTable) -> Play[WarningOutcome]:
    """Tell a player, as gently as possible, that they disrupt play (artha.withhold.warn_first)."""
    words = yield from ask(
        GM,
        "gently",
        f"What do you say to {table.who(arguments.seat)}?",
        Text(default=""),
        because="artha.withhold.warn_first",
    )
    words = words or f"The GM asks {table.who(arguments.seat)} to stop disrupting play."
    yield from note(words, "artha.withhold.warn_first", arguments.seat, GM)
    warned = tuple(dict.fromkeys((*table.scene.warned, arguments.seat)))
    yield from table.amend(SCENE, "warned", warned, because="artha.withhold.warn_first")
    return WarningOutcome(warned)


# --- Votes at the end of a scenario --------------------------------------------------------


class ScenarioVotes(Arguments, frozen=True):
    """Who took part in the scenario that has ended."""

    participants: tuple[str, ...]


class Ballot(msgspec.Struct, frozen=True):
    """One round of a vote: for which award, and how many votes each character had."""

    award: str
    round: int
    votes: tuple[tuple[str, int], ...]
    abstained: int = 0


class ScenarioVoteOutcome(Outcome, frozen=True):
    """The characters voted Workhorse and MVP, if any; and every ballot that was held."""

    workhorse: str | None
    mvp: str | None
    ballots: tuple[Ballot, ...] = ()


def scenario_votes(arguments: ScenarioVotes, table: BurningTable) -> Play[ScenarioVoteOutcome]:
    """Workhorse and MVP, by vote once a scenario has ended (artha.earn.persona.vote_timing).

    Everyone who took part votes, the GM like anybody else (artha.earn.persona.vote_electorate).
    The same character may win both (artha.amb.workhorse_mvp_votes).
    """
    names = arguments.participants
    check_participants(names, table, "artha.earn.persona.vote_electorate")
    over = yield from consent(
        GM,
        "scenario_over",
        "Has the scenario, adventure or campaign ended?",
        because="artha.earn.persona.vote_timing",
    )
    if not over:
        raise NotAllowed(
            "Workhorse and MVP are voted on when the scenario has ended",
            "artha.earn.persona.vote_timing",
        )
    found: list[str | None] = []
    ballots: tuple[Ballot, ...] = ()
    for key in ("workhorse", "mvp"):
        winner, held = yield from _elect(key, names, table)
        found.append(winner)
        ballots += held
        if winner is not None:
            award = awards()[key]
            table = yield from give(winner, award, "by vote of the table", table)
    workhorse, mvp = found
    return ScenarioVoteOutcome(workhorse, mvp, ballots)


def _elect(
    key: str, names: tuple[str, ...], table: BurningTable
) -> Step[tuple[str | None, tuple[Ballot, ...]]]:
    """Most votes win; a tie is voted on again, and then the table agrees on one or on none.

    Where nobody votes, nobody has most votes, even if there is only one to vote for.
    """
    candidates = names
    held: tuple[Ballot, ...] = ()
    for round_ in (1, 2):
        ballot = yield from _ballot(key, round_, candidates, names, table)
        held += (ballot,)
        leaders = _leaders(ballot)
        if len(leaders) == 1:
            return leaders[0], held
        candidates = leaders or candidates
    agreed = yield from choose(
        GM,
        f"{key}_agreed",
        f"{awards()[key].name}: still tied. Whom does the table agree on?",
        {**{name: table.character(name).name for name in candidates}, "none": "Nobody"},
        default="none",
        because="artha.amb.workhorse_mvp_votes",
    )
    return (None if agreed == "none" else agreed), held


def _leaders(ballot: Ballot) -> tuple[str, ...]:
    """Those with most votes; nobody where nobody voted."""
    most = max((number for _, number in ballot.votes), default=0)
    return tuple(name for name, number in ballot.votes if most and number == most)


def _ballot(
    key: str, round_: int, candidates: tuple[str, ...], names: tuple[str, ...], table: BurningTable
) -> Step[Ballot]:
    """One round; voting for one's own character is refused unless the table allows it."""
    # artha.earn.persona.workhorse, artha.earn.persona.mvp
    rule = f"artha.earn.persona.{key}"
    own_allowed = table.options["artha_vote_for_own_character"] == "allowed"
    asks = []
    for seat in electorate(names, table):
        others = [n for n in candidates if own_allowed or table.character(n).seat(n) != seat]
        options = [Option(key=n, label=table.character(n).name, rule=rule) for n in others]
        options.append(Option(key="abstain", label="Nobody", rule=rule))
        question = PickOne(options=tuple(options), default="abstain")
        prompt = f"{awards()[key].name}: your vote"
        asks.append(Ask(seat, f"{key}_{round_}", prompt, question, rule))
    answers = yield from ask_all(*asks)
    votes = Counter(str(answer) for answer in answers if answer != "abstain")
    abstained = len(answers) - votes.total()
    counts = tuple((name, votes[name]) for name in candidates)
    named = ", ".join(f"{table.character(name).name} {number}" for name, number in counts)
    said = f"{named}, nobody {abstained}" if abstained else named
    yield from note(f"{awards()[key].name}, votes: {said}.", rule)
    return Ballot(key, round_, counts, abstained)


PROCEDURES = (
    Procedure("award_artha", "Award or nominate for artha", AwardArtha, award_artha, frequent=11),
    Procedure("warn_player", "Warn a disruptive player", PlayerWarning, warn_player, gm_only=True),
    Procedure("scenario_votes", "Workhorse and MVP votes", ScenarioVotes, scenario_votes),
)
