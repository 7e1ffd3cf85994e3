"""What one seat may be told by a review: nothing that the GM has not said yet."""

from __future__ import annotations

from msgspec.structs import replace

from astragal.play import GM, Seat
from astragal.table.finished import DUEL, titled
from astragal.table.log.items import ChangedItem, DecidedItem, Item, SealedItem, ToldItem
from astragal.table.log.state import OpenProcedure, Restorable
from astragal.table.running.partners import SCRIPT
from astragal.table.secrecy.audiences import readers
from astragal.table.secrecy.redaction import hidden_words_for


class ReviewReader:
    """What a seat may know of finished procedures, by what the GM has said up to now."""

    def __init__(
        self, seat: Seat, standing: Restorable, *, open_sheets: bool, by_gm: bool = False
    ) -> None:
        """Sit at a seat; with ``open_sheets`` the sheets of the GM's characters may be used.

        ``by_gm`` if the GM looks as that seat: without what it keeps from the GM.
        """
        self._seat, self._standing, self._by_gm = seat, standing, by_gm
        self._sheets, self._open = readers(standing).sheets, open_sheets
        self._hidden = hidden_words_for(standing, seat)

    def knows_of(self, procedure: OpenProcedure) -> bool:
        """Whether this seat knows that there was such a procedure, and of all who were in it."""
        if self._seat == GM:
            return True
        there = self._standing.characters
        known = all(
            key in there and (not there[key].hidden or self._is_read(key))
            for key in procedure.characters
        )
        return known and not procedure.secret and not self._hidden.is_in(titled(procedure))

    def may_read(self, procedure: OpenProcedure) -> bool:
        """Whether it may know everything that a review of a procedure tells."""
        told = (item for item in procedure.story if not isinstance(item, ChangedItem | SealedItem))
        if any(item.audience and not self._is_told(item, procedure) for item in told):
            return False
        return self._seat == GM or all(
            self._open or self._is_read(key) for key in procedure.characters
        )

    def _is_told(self, item: Item, procedure: OpenProcedure) -> bool:
        """Of scripts only the cards that were shown are looked at.

        What is told of the Steel of the GM's speaker comes from a sheet that the GM has opened.
        """
        if procedure.name == DUEL:
            is_script = isinstance(item, DecidedItem) and item.key == SCRIPT
            if is_script or (self._open and isinstance(item, ToldItem)):
                return True
        return self._seat in item.audience and (not self._by_gm or GM in item.audience)

    def _is_read(self, character: str) -> bool:
        return self._seat in self._sheets.get(character, (self._seat,))

    def as_known(self, procedure: OpenProcedure) -> OpenProcedure:
        """A procedure with the scene as this seat knew it."""
        if self._seat == GM or procedure.known_scene is None:
            return procedure
        return replace(procedure, scene=procedure.known_scene)
