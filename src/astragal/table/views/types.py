"""What one seat may see of a campaign, built from nothing; what is not in here never leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.games.page import Page, Section
from astragal.play import AnyQuestion, Seat, Wheel
from astragal.table.log.items import Item
from astragal.table.log.state import Note, OpenQuestion, Proposal, SavedTest, TablePartner


class OwnSeat(msgspec.Struct, frozen=True, gc=False):
    """The seat whose view this is."""

    seat: Seat
    name: str
    role: str
    own_dice: bool


class ChairView(msgspec.Struct, frozen=True, gc=False):
    """Somebody at the table, and whether something is asked of them now."""

    seat: Seat
    name: str
    role: str
    own_dice: bool
    asked: bool


class DiceSessionView(msgspec.Struct, frozen=True, gc=False):
    """A session of play: its commitment, and once it is over its seed and how often was thrown."""

    number: int
    commitment: str
    seed: str
    throws: int
    ended: bool
    given: tuple[Seat, ...] = ()
    """The seats whose devices have added to the dice."""
    is_older: bool = False
    """Whether it is of the older kind, with one seed and nothing added."""


class CampaignView(
    msgspec.Struct,
    frozen=True,
    gc=False,
    rename={"session": "evening", "past_sessions": "evenings"},  # as the API names them
):
    """What is the same for every seat."""

    id: str
    title: str
    game: str
    game_title: str
    options: dict[str, str]
    """The house rules that are not at their default."""
    paused: str | None
    free_edits: bool
    asks_consent: bool
    session: DiceSessionView | None
    past_sessions: tuple[DiceSessionView, ...]
    scene_words: Mapping[str, tuple[str, str]]
    """How an entry that comes into the scene, and one that leaves it, is put in words: by field."""
    server_dice: bool = False
    """Whether all dice are the server's: nobody types in what real dice show."""
    sheet_words: Mapping[str, tuple[str, str]] = {}
    """How a change of a sheet is put in words: by place."""
    open_review: bool = False
    """Whether reviews for players may use the sheets of the GM's characters."""
    advice: bool = False
    """Whether those who write the script of a duel may ask for advice."""
    scripts: bool = False
    """Whether the game has conflicts with scripts that the table can write."""
    can_solve: bool = False
    """Whether the server has what it needs to solve the duels of this game."""


class CharacterView(msgspec.Struct, frozen=True, gc=False):
    """A character; without a page where the sheet is not for this seat to see.

    The GM's characters show others no more than their name; hidden ones are not there at all.
    """

    key: str
    name: str
    seat: Seat
    hidden: bool
    mine: bool
    page: Page | None
    fresh: bool = False
    """Whether it has been in no procedure yet: its player may edit it freely."""
    portrait: str = ""
    """The name of the image that is its portrait."""
    partner: TablePartner | None = None
    """For the GM: how the table writes its scripts, if it is given to the table."""


class HandoutView(msgspec.Struct, frozen=True, gc=False):
    """A handout that this seat may see; the GM also sees to whom it is shown."""

    id: str
    title: str
    text: str
    image: str
    to: tuple[Seat, ...] = ()
    everyone: bool = False


class WaitingSeat(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Somebody else is asked something; what it is about, unless that is secret.

    The GM sees the question itself, and may answer it instead.
    """

    seat: Seat
    about: str
    question: OpenQuestion | None = None
    prompt: str = ""
    """What they are asked, in words; empty where it is secret."""
    writes_script: bool = False
    """Whether a script is being written: everybody knows that, but not what is in it."""


class ProcedureView(msgspec.Struct, frozen=True, gc=False):
    """A procedure in progress: what is asked of me, whom it waits for, what has happened."""

    id: str
    name: str
    title: str
    by: Seat
    about: str
    """In a few words what it is about: what somebody wants, and how."""
    characters: tuple[str, ...]
    questions: tuple[OpenQuestion, ...]
    """Those put to this seat (the GM sees here also those of the GM's own characters)."""
    waiting: tuple[WaitingSeat, ...]
    story: tuple[Item, ...]
    """In a view all that happened; in an update what is new of it."""
    told: int
    """How much has happened in all: what was there before, and what is new."""
    secret: bool
    began: int
    mine: bool
    """Whether this seat may withdraw it."""
    ready: tuple[Seat, ...] = ()
    """The seats that are ready for the dice."""
    held: bool = False
    """Whether the GM holds the card."""
    touched: int = 0
    """It counts what is changed on the card."""


class EntryView(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An entry of the log as this seat may read it."""

    seq: int
    at: str
    seat: Seat
    kind: str
    """The tag of the event: said, answered, began, ruled, undone ..."""
    text: str = ""
    """What happened in a line; of procedures the items say more."""
    items: tuple[Item, ...] = ()
    procedure: str = ""
    over: bool = False
    private: bool = False
    """Whether not everyone sees it."""
    undone: bool = False
    session: int = 0
    """The number of the session that begins or ends with it."""


class TableView(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="view", tag_field="type"):
    """The whole table as one seat sees it, after the entry ``seq``."""

    seq: int
    you: OwnSeat
    campaign: CampaignView
    chairs: tuple[ChairView, ...]
    characters: dict[str, CharacterView]
    scene: tuple[Section, ...]
    open: tuple[ProcedureView, ...]
    notes: tuple[Note, ...]
    proposals: tuple[Proposal, ...]
    handouts: tuple[HandoutView, ...] = ()
    saved: tuple[SavedTest, ...] = ()
    """The tests that this seat has saved."""
    log: tuple[EntryView, ...]
    """The latest entries, the oldest first."""
    older: bool
    """Whether there are entries before these."""
    head: str
    """The head of the log's hash chain: devices keep it, and compare."""
    digest: str
    """The digest of the latest entry, which leads from the head before it to this one."""


class TableUpdate(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    tag="update",
    tag_field="type",
):
    """What is new for one seat: every part that is given replaces the one that was there.

    ``log`` is appended; ``characters`` are replaced one by one (None: gone); ``open`` is the
    whole list, but of each story only the last items, as many as are new: ``told`` says how many
    there are in all. Entries after ``undone_after`` (up to this update's first) are undone.
    """

    seq: int
    log: tuple[EntryView, ...] = ()
    campaign: CampaignView | None = None
    you: OwnSeat | None = None
    chairs: tuple[ChairView, ...] | None = None
    characters: dict[str, CharacterView | None] | None = None
    scene: tuple[Section, ...] | None = None
    open: tuple[ProcedureView, ...] | None = None
    notes: tuple[Note, ...] | None = None
    proposals: tuple[Proposal, ...] | None = None
    handouts: tuple[HandoutView, ...] | None = None
    saved: tuple[SavedTest, ...] | None = None
    undone_after: int | None = None
    head: str = ""
    digest: str = ""


class LineView(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One line of a card: a question, whose it is, and what it is answered as things are.

    Its owner and the GM see what there is to choose from; the others only what is chosen.
    """

    seat: Seat
    key: str
    prompt: str
    kind: str
    """What becomes of it untouched: needed, offered, consent or aside."""
    because: str = ""
    question: AnyQuestion | None = None
    answer: Any = None
    words: str = ""
    """The answer in words."""
    drafted: bool = False
    """Whether somebody has chosen it; or else it is the default."""
    is_open: bool = False
    """Whether nothing goes on before it is answered."""
    standing: bool = False
    """Whether it was said earlier and still holds."""
    secret: bool = False
    """Whether only its owner sees it."""
    reason: str = ""
    step: int | None = None
    """Of a question that several are asked at once: the step at which it is answered."""


class CardView(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag="card", tag_field="type"):
    """The card of an open procedure: all that is asked before the next dice, as one seat sees it.

    Lines are changed by the command `draft`, and answered all at once by `release`.
    """

    procedure: str
    step: int
    seq: int
    """The number of the latest entry that it takes into account."""
    lines: tuple[LineView, ...]
    rolls: tuple[tuple[Seat, str], ...] = ()
    """The dice that follow: who rolls them, and what they are called."""
    releasers: tuple[Seat, ...] = ()
    """Those who have to be ready before it goes on."""
    ready: tuple[Seat, ...] = ()
    rolls_on: tuple[Seat, ...] = ()
    """Those whose dice need no further release, for the rest of the procedure."""
    may_roll_on: bool = False
    """Whether dice have been rolled before, so that more may follow."""
    held: bool = False
    refusal: str = ""
    """Why it is not allowed like this, if so."""


class Foresight(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    tag="odds",
    tag_field="type",
):
    """What may come of an open procedure for a seat, as things stand.

    ``options`` is the chance with each answer to the question of ``step``, by the answer as
    text (JSON); every chance is that of success for the seat that began it.
    """

    procedure: str
    step: int
    chance: float | None = None
    unit: str = ""
    rows: tuple[tuple[int, float, bool], ...] = ()
    """Number, chance, and whether that is enough."""
    numbers: tuple[Any, ...] = ()
    """Dice and obstacle, each a :class:`~astragal.table.log.items.NamedTally`.

    The dice also while the obstacle is not known.
    """
    earns: str = ""
    """The class of test that it would count as, where the game logs that."""
    options: dict[str, float] = {}
    hope: str = ""
    """What the chance is for, where it is more than to succeed."""
    wheel: Wheel | None = None
    """A wheel with what is chosen on it."""
    rolls: tuple[tuple[str, float], ...] = ()
    """Of a conflict: the dice that are thrown next, each with the chance to do what it is for.

    Where a hidden character is involved: the seat's own dice, each with a number of successes.
    """
    why_not: str = ""
    """Why nothing can be said, where that is so."""
