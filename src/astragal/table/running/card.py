"""The card of an open procedure: everybody's drafts, and who has to be ready before it goes on."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace

from astragal.play import Ask, Card, CardLine, Seat, card_of
from astragal.table.log.items import DecidedItem, Item, RolledItem
from astragal.table.log.state import OpenProcedure, PreparedAnswer
from astragal.table.running.session import RunningProcedure

_DECIDING = ("needed", "offered")

DraftLine = CardLine[PreparedAnswer]


class TableCard(Card[PreparedAnswer], frozen=True):
    """A card at the table, with what was before it."""

    is_first: bool = False
    """Whether nothing has been decided yet."""
    by: Seat = ""
    has_dice: bool = False
    """Whether dice of this procedure lie on the table already."""

    @property
    def releasers(self) -> tuple[Seat, ...]:
        """Those who have to be ready before it goes on.

        The dice are released by those who roll them; where none are rolled, by everybody who
        has something to decide. What is only to be agreed to waits for nobody, except at the
        very beginning, where the one who began it has the last word.
        """
        deciding = [line.ask.seat for line in self.lines if line.ask.kind in _DECIDING]
        deciding += [line.ask.seat for line in self.open_lines]
        seats = deciding
        if self.rolls:
            seats = [roll.owner for roll in self.rolls] if deciding or not self.has_dice else []
        if not seats and self.is_first and self.lines:
            seats = [self.by]
        return tuple(dict.fromkeys(seats))

    def is_released(self, procedure: OpenProcedure) -> bool:
        """Whether it goes on by itself as things are."""
        if procedure.held or self.open_lines:
            return False
        return bool(self.lines) and set(self.releasers) <= set(self.ready(procedure))

    def ready(self, procedure: OpenProcedure) -> tuple[Seat, ...]:
        """The seats for whom it need not wait: who has something to decide without dice is not."""
        rolls_on = procedure.rolls_on if self.rolls else ()
        return tuple(dict.fromkeys((*procedure.ready, *rolls_on)))


def waits_at(line: DraftLine) -> bool:
    """Whether somebody has to be ready before a card with this line goes on."""
    return line.is_open or line.ask.kind in _DECIDING


def table_card(
    running: RunningProcedure,
    drafts: Iterable[PreparedAnswer],
    *,
    asks_consent: bool = False,
    ends_with: Callable[[DraftLine], bool] | None = None,
    just_now: Sequence[Item] = (),
) -> TableCard:
    """The card of a procedure, walked along these drafts; each holds for one question.

    Where one line says enough (``ends_with``), the card ends with it. What came of the procedure
    ``just_now`` is not part of its story yet.
    """
    procedure = running.procedure
    if procedure.pending is not None:
        return TableCard()
    left = list(drafts)

    def draft_for(ask: Ask) -> PreparedAnswer | None:
        found = next((d for d in left if d.line == (ask.seat, ask.key, ask.prompt)), None)
        if found is not None:
            left.remove(found)
        return found

    card = card_of(
        running.resumed(),
        draft_for,
        answers_said(procedure, just_now),
        asks_consent=asks_consent,
        ends_with=ends_with,
    )
    return TableCard(
        card.lines,
        card.together,
        card.rolls,
        card.refusal,
        card.at_rolls,
        is_first=not procedure.given,
        by=procedure.by,
        has_dice=has_dice(procedure, just_now),
    )


class WalkedCards:
    """Cards of open procedures that were walked already, by all that a walk depends on.

    Everybody looks at a card whenever it changes. Those who know the same drafts and the same
    scene have it walked once; what each of them may see of it is found out for each.
    """

    def __init__(self) -> None:
        self._cards: dict[str, tuple[OpenProcedure, dict[Hashable, TableCard]]] = {}

    def card(
        self,
        running: RunningProcedure,
        drafts: tuple[PreparedAnswer, ...],
        *,
        asks_consent: bool,
        by_known_scene: bool,
    ) -> TableCard:
        """The card of a procedure along some of its drafts, in the scene or in what all know of it.

        A procedure that was given anything, or has other drafts, is another object.
        """
        procedure = running.procedure
        kept = self._cards.get(procedure.id)
        if kept is None or kept[0] is not procedure:
            kept = self._cards[procedure.id] = procedure, {}
        # The drafts are the procedure's own, which is kept here: nothing else has their ids.
        key = tuple(map(id, drafts)), asks_consent, by_known_scene
        if key not in kept[1]:
            if by_known_scene:
                known = replace(procedure, scene=procedure.known_scene or {})
                running = RunningProcedure(running.game, known)
            kept[1][key] = table_card(running, drafts, asks_consent=asks_consent)
        return kept[1][key]

    def forget_closed(self, open_now: Container[str]) -> None:
        """Keep nothing of procedures that are over."""
        for id in [each for each in self._cards if each not in open_now]:
            del self._cards[id]


def waits_for_somebody(procedure: OpenProcedure) -> bool:
    """Whether its next question alone shows that it does not go on by itself.

    Nobody is ready, and somebody has something to decide: no card has to be walked for that.
    """
    asked, ready = procedure.questions, (*procedure.ready, *procedure.rolls_on)
    return not ready and any(each.kind not in ("consent", "aside") for each in asked)


def known_drafts(procedure: OpenProcedure, seat: Seat) -> tuple[PreparedAnswer, ...]:
    """The drafts that a seat may know: its own, and those of lines that everybody sees."""
    return tuple(draft for draft in procedure.prepared if draft.open or draft.seat == seat)


def answers_said(
    procedure: OpenProcedure, just_now: Sequence[Item] = ()
) -> dict[tuple[Seat, str, str], Any]:
    """What each seat answered last to each question of a procedure, by its key and prompt."""
    decided = (item for item in chain(procedure.story, just_now) if isinstance(item, DecidedItem))
    return {(item.seat, item.key, item.prompt): item.answer for item in decided}


def has_dice(procedure: OpenProcedure, just_now: Sequence[Item] = ()) -> bool:
    """Whether dice were thrown in a procedure, also if they are still being typed in."""
    if procedure.pending is not None and procedure.pending.thrown:
        return True
    return any(isinstance(item, RolledItem) for item in chain(just_now, procedure.story))
