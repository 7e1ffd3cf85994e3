"""A vote, which every game has, and all the procedures that a game offers with it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import msgspec

from astragal.errors import BadInput
from astragal.games import Game
from astragal.games.game import Procedure
from astragal.play import Ask, Noted, Option, PickOne, Play, Seat, ask_all, tell


class GroupVote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question to the group, what may be chosen, and who votes."""

    question: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    choices: Annotated[tuple[str, ...], msgspec.Meta(min_length=2, max_length=20)]
    voters: Annotated[tuple[Seat, ...], msgspec.Meta(min_length=1, max_length=40)]


def vote(arguments: GroupVote, _table: Any) -> Play[str]:
    """All vote at once, and nobody sees a vote before all are in; a tie is told as one."""
    for name, several in (("choices", arguments.choices), ("voters", arguments.voters)):
        if len(set(several)) < len(several):
            raise BadInput(name, list(several), "each of them only once")
    question = PickOne(options=tuple(Option(choice, choice) for choice in arguments.choices))
    ballots = yield from ask_all(
        *(
            Ask(seat, "vote", arguments.question, question, "", kind="needed")
            for seat in arguments.voters
        )
    )
    counted = Counter(str(ballot) for ballot in ballots)
    most = max(counted.values())
    ahead = [choice for choice in arguments.choices if counted[choice] == most]
    told = ", ".join(f"{choice} {counted[choice]}" for choice in arguments.choices)
    verdict = ahead[0] if len(ahead) == 1 else f"a tie between {' and '.join(ahead)}"
    yield from tell(Noted(f"{arguments.question} {verdict} ({told}).", ""))
    return verdict


def voters_in(arguments: object) -> tuple[Seat, ...]:
    """Who votes, if it is a vote: they have to sit at the table."""
    return arguments.voters if isinstance(arguments, GroupVote) else ()


PROCEDURES = {"vote": Procedure("vote", "Call a vote", GroupVote, vote)}


def procedures_of(game: Game) -> dict[str, Procedure]:
    """Everything that a group can do at a table of this game."""
    return PROCEDURES | game.procedures


def procedure_of(game: Game, name: str, place: str = "procedure") -> Procedure:
    """The vote, or a procedure of the game."""
    return PROCEDURES[name] if name in PROCEDURES else game.procedure(name, place)
