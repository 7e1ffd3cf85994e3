"""What a command of one seat may look up in a campaign."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from astragal.errors import BadInput, Refusal
from astragal.games import Game
from astragal.play import GM, Seat
from astragal.table.log.items import Item, RolledItem
from astragal.table.log.state import Campaign, OpenProcedure, PendingAnswer, Role
from astragal.table.running.dice import AT_FIRST, StepDice
from astragal.table.running.keys import OPEN, SessionKeys, stream_of
from astragal.table.secrecy.audiences import Readers, readers
from astragal.table.secrecy.redaction import hidden_words_for


class Forbidden(Refusal):
    """Not for this seat to do; the message says who may."""


class SeatAt:
    """One seat at one campaign."""

    def __init__(self, campaign: Campaign, game: Game, seat: Seat) -> None:
        """Look from a seat that is there."""
        self.campaign = campaign
        self.standing = campaign.standing
        self.game = game
        self.seat = seat
        self.chair = campaign.chairs[seat]
        self._hidden: Readers | None = None

    @property
    def is_gm(self) -> bool:
        """Whether the GM asks."""
        return self.chair.role is Role.GM

    def check_free(self, held: tuple[str, ...]) -> None:
        """A character is in one procedure at a time."""
        for going_on in self.standing.open.values():
            for key in held:
                if key in going_on.characters:
                    who = self.name(key) if key in self.known else "Somebody"
                    if going_on.secret and not self.is_gm:
                        raise Refusal(f"{who} is still busy. Wait for the GM.")
                    what = going_on.title
                    raise Refusal(f"{who} is still busy ({what}). Finish or cancel that first.")

    def check_share(self, what: str, mine: int, players: int, most: int) -> None:
        """Nobody but the GM can use up what the whole table has; a reserve is the GM's.

        Once players have three quarters, only somebody who has none yet can begin one more.
        """
        if not self.is_gm and players >= (most * 9 // 10 if mine == 0 else most * 3 // 4):
            raise Refusal(f"The players already have {players} {what}. Ask the GM to clear some.")

    def going_on(self, id: str) -> OpenProcedure:
        """A procedure in progress, which this seat may know of."""
        procedure = self.standing.open.get(id)
        if procedure is None or not self.knows_of(procedure):
            raise BadInput("procedure", id, "an open procedure")
        return procedure

    def knows_of(self, procedure: OpenProcedure) -> bool:
        """Whether this seat may know of a procedure: of a secret one only if it is asked there."""
        asked = any(question.seat == self.seat for question in procedure.questions)
        return not procedure.secret or self.is_gm or asked

    def character(self, key: str) -> str:
        """A character at the table, which this seat may know of."""
        if key not in self.known:
            raise BadInput("character", key, self._one_of_those_known)
        return key

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The characters that this seat knows of."""
        there = self.standing.characters
        return tuple(k for k in there if self.is_gm or not there[k].hidden or self.plays(k))

    @property
    def _one_of_those_known(self) -> str:
        """What is expected where a character is to be named."""
        return f"one of {', '.join(self.known)}" if self.known else "a character: there is none yet"

    def players_seat(self, seat: Seat) -> Seat:
        """The seat of somebody who plays."""
        chair = self.campaign.chairs.get(seat)
        if chair is None or chair.gone or chair.role is Role.SPECTATOR:
            players = [c.seat for c in self.campaign.chairs.values() if not c.gone]
            raise BadInput("seat", seat, f"a player's seat: {', '.join(players)}")
        return seat

    def seat_name(self, seat: Seat) -> str:
        """What somebody at the table is called."""
        chair = self.campaign.chairs.get(seat)
        return seat if chair is None else chair.name

    def plays(self, key: str) -> bool:
        """Whether a character is played from this seat."""
        return bool(self.standing.characters[key].sheet["player"] == self.seat)

    def name(self, key: str) -> str:
        """What a character is called."""
        return str(self.standing.characters[key].sheet.get("name", key))

    @cached_property
    def names(self) -> dict[str, str]:
        """What all characters are called."""
        return {key: self.name(key) for key in self.standing.characters}

    @property
    def hidden(self) -> Readers:
        """The characters whose sheets not everybody sees, and who may read them."""
        if self._hidden is None:
            self._hidden = readers(self.standing)
        return self._hidden

    def redacted(self, refusal: Refusal) -> Refusal:
        """A refusal that mentions no character that this seat may not know about."""
        said = refusal.expected if isinstance(refusal, BadInput) else str(refusal)
        if not hidden_words_for(self.standing, self.seat).is_in(said):
            return refusal
        if isinstance(refusal, BadInput):
            return BadInput(refusal.place, refusal.value, self._one_of_those_known, refusal.rule)
        return Refusal("This is not possible at the moment. Ask the GM.")

    def audience(self, secret: bool) -> tuple[Seat, ...]:
        """Who sees what is done in secret: the seat that does it, and the GM."""
        return tuple(dict.fromkeys((self.seat, GM))) if secret else ()

    @property
    def _by_hand(self) -> frozenset[Seat]:
        """The seats that throw real dice, where the GM allows it."""
        if self.campaign.server_dice:
            return frozenset()
        return frozenset(c.seat for c in self.campaign.chairs.values() if c.own_dice)

    def dice(
        self,
        procedure: str = "",
        secretly: Seat = "",
        pending: PendingAnswer = AT_FIRST,
        thrown: Iterable[Item] = (),
    ) -> StepDice:
        """The next dice of the session, with those that were thrown already for an answer.

        ``secretly`` is the seat whose secret they are; ``thrown`` are those that this entry of
        the log has already.
        """
        session = self.campaign.session
        by_hand = self._by_hand
        if session is None or not session.seed:
            return StepDice(None, 0, by_hand, pending)
        stream = OPEN
        if secretly and session.streams:
            stream = stream_of(secretly, self.campaign.chairs)
        keys = SessionKeys(session, stream, procedure)
        here = (session.number, stream)
        so_far = (
            item.index + 1
            for item in thrown
            if isinstance(item, RolledItem) and (item.session, item.stream) == here
        )
        return StepDice(keys, max(keys.thrown, *so_far, 0), by_hand, pending)
