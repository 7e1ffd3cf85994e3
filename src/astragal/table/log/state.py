"""The state of a campaign: the fold of its log, and nothing that is not in the log.

All this is plain data without reference cycles, so the garbage collector need not look at it
(``gc=False``); the same is true of events, items and views.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import Enum
from typing import Any

import msgspec

from astragal.play import AnyQuestion, Seat
from astragal.table.log.items import Item


class Role(Enum):
    """What a seat may do: run the game, play in it, or watch."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Chair(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Somebody at the table; ``own_dice``: throws real dice and types in their faces."""

    seat: Seat
    name: str
    role: Role
    own_dice: bool = False
    gone: bool = False


TABLE: Seat = "the table"
"""Who wrote the scripts of a character that is given to the table; no seat can be called so."""


class TablePartner(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """How the table scripts for a character: from 0 (careless) to 100 (merciless), and how."""

    dial: int = 100
    temperament: str = "any"


class Character(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A sheet in plain data; of a ``hidden`` character only the GM knows that it is there.

    Of the GM's other characters everybody knows the name. A ``fresh`` one has not been in any
    procedure since it was made, and its player may edit it freely.
    """

    sheet: dict[str, Any]
    hidden: bool = False
    fresh: bool = False
    portrait: str = ""
    """The name of an image among the campaign's; it may have been forgotten since."""
    partner: TablePartner | None = None
    """How the table writes its scripts, if the GM has given it to the table."""


class OpenQuestion(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A question that waits for one seat.

    ``step`` counts what the procedure has been given so far: an answer names it, so that an
    answer which was sent twice, or comes too late, is recognised.
    """

    seat: Seat
    key: str
    prompt: str
    question: AnyQuestion
    because: str
    step: int
    secret: bool = False
    kind: str = ""
    """What becomes of it untouched (:data:`astragal.play.AskKind`); older logs do not say."""


class ProcedureInput(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that a procedure was given: an answer of a seat, or the faces of a throw."""

    seat: Seat = ""
    answer: Any = None
    faces: tuple[int, ...] | None = None
    """The faces, where this is a throw."""
    by: Seat = ""
    """Who answered instead, where the GM did."""
    reason: str = ""
    """Why, where somebody said why."""


class PreparedAnswer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The draft of an answer: what a seat will answer if it is asked this.

    One that is not ``open`` is known to that seat alone.
    """

    seat: Seat
    key: str
    prompt: str
    answer: Any
    reason: str = ""
    open: bool = False

    @property
    def line(self) -> tuple[Seat, str, str]:
        """The question that it is meant for."""
        return self.seat, self.key, self.prompt


class DiceOnTable(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Dice that have been thrown already while others are still to be thrown."""

    session: int
    index: int
    throws: tuple[tuple[int, int], ...]
    faces: tuple[int, ...]
    typed: bool = False
    stream: str = ""
    mixed: int = 0


class PendingAnswer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An answer that leads to a throw of real dice, and the handfuls typed in for it so far.

    Without a seat it is the beginning of the procedure that waits for dice. What was ``thrown``
    on the way there stays as it is, even if other dice are thrown meanwhile.
    """

    seat: Seat = ""
    answer: Any = None
    by: Seat = ""
    reason: str = ""
    handfuls: tuple[tuple[int, ...], ...] = ()
    thrown: tuple[DiceOnTable, ...] = ()


class OpenProcedure(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A procedure in progress: name, arguments, the table as it stood, and all it was given."""

    id: str
    name: str
    title: str
    about: str
    """In a few words what it is about: what somebody wants, and how."""
    arguments: dict[str, Any]
    by: Seat
    characters: tuple[str, ...]
    """Those whose sheets it holds: no other procedure may begin with them."""
    sheets: dict[str, dict[str, Any]] = {}
    """Every sheet as it stood when the procedure began, with the rulings made since."""
    scene: dict[str, Any] = {}
    options: dict[str, str] = {}
    known_scene: dict[str, Any] | None = None
    """The scene as all knew it then, if not all of it was known."""
    without: tuple[str, ...] = ()
    """Characters at the table that it knows nothing about."""
    hidden: tuple[str, ...] = ()
    """Characters that were hidden when it began."""
    given: tuple[ProcedureInput, ...] = ()
    taken: int = 0
    """How many answers and handfuls it has been given."""
    questions: tuple[OpenQuestion, ...] = ()
    pending: PendingAnswer | None = None
    prepared: tuple[PreparedAnswer, ...] = ()
    """What seats have drafted for its questions."""
    ready: tuple[Seat, ...] = ()
    """The seats that have released the dice, or have nothing to add."""
    rolls_on: tuple[Seat, ...] = ()
    """The seats whose dice need no further release, for the rest of it."""
    held: bool = False
    """Whether the GM wants to talk first."""
    touched: int = 0
    """How often something was changed on its card that others see."""
    story: tuple[Item, ...] = ()
    secret: bool = False
    began: int = 0
    """The number of the entry with which it began."""


class Restorable(msgspec.Struct, frozen=True, gc=False):
    """What an undo restores: characters, scene, house rules, open procedures."""

    characters: dict[str, Character] = {}
    scene: dict[str, Any] = {}
    options: dict[str, str] = {}
    open: dict[str, OpenProcedure] = {}
    known_scene: dict[str, Any] | None = None
    """The scene as all know it, if the GM has changed it in secret since."""


class DiceSession(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One session of play and its dice: the seed, and what was published of it beforehand."""

    number: int
    commitment: str
    seed: str = ""
    """In hexadecimal; known to the server alone, in older sessions until the session ends."""
    throws: int = 0
    ended: bool = False
    streams: dict[str, str] = {}
    """What was published of each stream of secret throws; older sessions have none."""
    secret_throws: dict[str, int] = {}
    """How many throws each of these streams has had."""
    given: tuple[tuple[Seat, str], ...] = ()
    """What players' devices contributed, in order."""


class Note(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Something written down: private, or shared with everybody."""

    id: str
    seat: Seat
    text: str
    shared: bool = False


class Handout(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A text or an image that the GM shows to the seats of its audience; empty for everybody."""

    id: str
    title: str
    text: str = ""
    image: str = ""
    audience: tuple[Seat, ...] = ()


class SavedTest(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A procedure with its arguments that a seat has saved under a name, to begin it again."""

    id: str
    seat: Seat
    name: str
    procedure: str
    arguments: dict[str, Any] = {}


class Proposal(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An edit of a sheet that waits for the GM's approval."""

    id: str
    seat: Seat
    character: str
    path: str
    before: Any
    after: Any
    why: str = ""


class Campaign(
    msgspec.Struct,
    frozen=True,
    gc=False,
    rename={"session": "evening", "past_sessions": "evenings"},  # as snapshots have them
):
    """Everything there is to know about a campaign after the entry ``seq``."""

    id: str
    game: str
    title: str
    seq: int = 0
    chairs: dict[Seat, Chair] = {}
    standing: Restorable = Restorable()
    session: DiceSession | None = None
    past_sessions: tuple[DiceSession, ...] = ()
    """The sessions that are over, with their seeds."""
    notes: dict[str, Note] = {}
    proposals: dict[str, Proposal] = {}
    undone: tuple[tuple[int, int], ...] = ()
    """What did not happen after all: the entries between each pair of numbers."""
    paused: str | None = None
    """Why play is paused, if it is."""
    free_edits: bool = False
    """Whether players edit their own sheets without the GM's approval."""
    asks_consent: bool = False
    """Whether a consent waits for its owner's word, instead of standing unless it is struck."""
    server_dice: bool = False
    """Whether all dice are the server's: nobody types in what real dice show."""
    open_review: bool = False
    """Whether reviews for players may use the sheets of the GM's characters."""
    advice: bool = False
    """Whether those who write the script of a duel may ask for advice."""
    handouts: dict[str, Handout] = {}
    saved: dict[str, SavedTest] = {}
    """By seat and id, so that two seats may use the same id."""
    head: str = ""
    """The head of the log's hash chain; empty as long as no entry has a seal."""
    recent: dict[str, int] = {}
    """The latest commands by their mark, and the entry that each led to."""

    @property
    def images(self) -> frozenset[str]:
        """The names of the images that handouts and characters have now."""
        shown = (each.image for each in self.handouts.values())
        drawn = (each.portrait for each in self.standing.characters.values())
        return frozenset((*shown, *drawn)) - {""}

    def is_undone(self, seq: int) -> bool:
        """Whether an entry did not happen after all; the spans are in the order of the log."""
        place = bisect_left(self.undone, (seq, 0)) - 1
        return place >= 0 and seq < self.undone[place][1]
