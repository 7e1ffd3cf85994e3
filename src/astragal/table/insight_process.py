"""A process of its own for reviews: a whole log played again, and duels solved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

import msgspec

from astragal.errors import Refusal
from astragal.games import games
from astragal.play import Seat
from astragal.table.foresight.helper_process import HelperProcess
from astragal.table.log.events import LogEntry
from astragal.table.log.state import Campaign, Restorable
from astragal.table.review import Review, review
from astragal.table.review_reader import ReviewReader

SECONDS = 60.0
"""Nobody waits longer than this."""


def serve(pipe: Connection) -> None:
    """Answer questions until the pipe is closed; say first that one is there."""
    for game in games().values():
        assert game.procedures
    pipe.send(None)
    while True:
        try:
            what, *question = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            pipe.send(_WORK[what](*question))
        except Refusal as refusal:
            pipe.send(str(refusal))
        except Exception:
            pipe.send("This cannot be worked out.")


def _review(
    game: str, log: bytes, seat: Seat, standing: bytes, open_sheets: bool, by_gm: bool
) -> bytes:
    entries = msgspec.json.decode(log, type=tuple[LogEntry, ...])
    stands = msgspec.json.decode(standing, type=Restorable)
    reader = ReviewReader(seat, stands, open_sheets=open_sheets, by_gm=by_gm)
    return msgspec.json.encode(review(game, entries, reader=reader))


_WORK: dict[str, Callable[..., bytes]] = {"review": _review}


class InsightProcess(HelperProcess):
    """Asks the other process."""

    def __init__(self, seconds: float | None = None) -> None:
        """Give each question this many seconds, or as many as usual."""
        super().__init__(SECONDS if seconds is None else seconds)

    def target(self) -> Callable[[Connection], None]:
        """Logs are played again there."""
        return serve

    async def review(
        self, campaign: Campaign, log: Sequence[LogEntry], seat: Seat, *, by_gm: bool = False
    ) -> Review:
        """The review of a log, for one seat; ``by_gm`` without what it keeps from the GM."""
        question = (
            "review",
            campaign.game,
            msgspec.json.encode(log),
            seat,
            msgspec.json.encode(campaign.standing),
            campaign.open_review,
            by_gm,
        )
        return msgspec.json.decode(await self.answered(question), type=Review)
