"""The commands of a seat: each leads to one entry of the log, or to a refusal."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from astragal.play import Seat
from astragal.table.log.state import Role, TablePartner

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Words = Annotated[str, msgspec.Meta(max_length=2000)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern="^[a-z0-9_-]+$(?!\\n)")]
ImageId = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$(?!\\n)")]
"""The name of an image that was uploaded, or nothing."""
Path = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


Temperament = Literal["any", "bold", "careful", "sly"]


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that somebody at the table wants to happen."""


# --- Playing -------------------------------------------------------------------------------


class BeginProcedure(Command, frozen=True, tag="begin"):
    """Begin a procedure of the game, such as a test; the GM may do so in secret."""

    procedure: Key
    arguments: dict[str, Any] = {}
    secret: bool = False


class AnswerQuestion(Command, frozen=True, tag="answer"):
    """Answer an open question, at the step at which it was asked; faces are answers, too.

    The GM may answer for another ``seat``, with a reason.
    """

    procedure: Key
    step: int
    answer: Any
    seat: Seat = ""
    reason: Words = ""


class ReadyAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a line of a card: to a question that is put in these very words.

    ``reason`` says why something is struck; no answer at all takes a draft back.
    """

    key: Name
    prompt: Words
    answer: Any = None
    reason: Annotated[str, msgspec.Meta(max_length=400)] = ""


ReadyAnswers: TypeAlias = Annotated[tuple[ReadyAnswer, ...], msgspec.Meta(max_length=40)]


class DraftAnswers(Command, frozen=True, tag="draft"):
    """Change one's own lines of a card; those not named stay as they are."""

    procedure: Key
    answers: ReadyAnswers


class ReleaseDice(Command, frozen=True, tag="release"):
    """Be ready: every line is answered and the dice are rolled, as soon as nothing is missing.

    ``answers`` are changed first; with ``on`` false one is not ready after all. With ``stays``
    one's dice are rolled without any further release for the rest of the procedure, wherever
    nothing more is needed; being not ready ends that.
    """

    procedure: Key
    answers: ReadyAnswers = ()
    on: bool = True
    stays: bool = False


class HoldCard(Command, frozen=True, tag="hold"):
    """The GM holds a card, so that nothing is rolled yet, or lets it go again."""

    procedure: Key
    on: bool


class CancelProcedure(Command, frozen=True, tag="withdraw"):
    """Cancel an open procedure: for the seat that began it, and the GM; with dice on the table
    for the GM alone.
    """

    procedure: Key
    reason: Words = ""


class ThrowDice(Command, frozen=True, tag="throw"):
    """Roll dice outside a procedure: ``3d6+1``, ``5D``, ``G4``; in secret, if need be."""

    dice: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    label: Annotated[str, msgspec.Meta(max_length=120)] = ""
    secret: bool = False


class SendMessage(Command, frozen=True, tag="say"):
    """Send a message, to everybody or to the seats named."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    to: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=40)] = ()


class UseOwnDice(Command, frozen=True, tag="own_dice"):
    """Roll real dice from now on and type in their faces, or stop doing so."""

    on: bool


class WriteNote(Command, frozen=True, tag="note"):
    """Write, change or (with no text) delete a note, private or shared."""

    id: Key
    text: Annotated[str, msgspec.Meta(max_length=20_000)]
    shared: bool = False


class SaveTest(Command, frozen=True, tag="save_test"):
    """Save a procedure with its arguments under a name; without a name it is removed.

    Without a procedure it is an obstacle for a later test: ``{"obstacle": 4}``.
    """

    id: Key
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    procedure: Annotated[str, msgspec.Meta(max_length=60)] = ""
    arguments: dict[str, Any] = {}


class RaiseXCard(Command, frozen=True, tag="x_card"):
    """Pause the game without giving a reason: for every seat, and nobody is told who did it."""


# --- Sheets --------------------------------------------------------------------------------


class EditSheet(Command, frozen=True, tag="edit"):
    """Change one value on one's own sheet (a plain value; None takes an entry away).

    A path that ends in ``+`` (``beliefs.+``) adds an entry to a list.

    Where the group does not edit freely, it waits for the GM's approval.
    """

    character: Key
    path: Path
    value: Any
    why: Words = ""


class ReviewEdit(Command, frozen=True, tag="nod"):
    """Approve or decline a proposed edit: for the GM; its author may withdraw it with no."""

    proposal: Key
    yes: bool
    reason: Words = ""


class AddCharacter(Command, frozen=True, tag="join"):
    """Add a character to the table, or replace its sheet as a whole.

    Players may add one for themselves while they have none; ``ready`` names one of the game's
    pre-made sheets, ``sketch`` is a GM's character in one line, ``file`` the text of a sheet in
    TOML or JSON; ``seat`` is who plays it.
    """

    character: Key
    sheet: dict[str, Any] | None = None
    ready: str = ""
    sketch: Annotated[str, msgspec.Meta(max_length=500)] = ""
    seat: Seat = ""
    hidden: bool = False
    file: Annotated[str, msgspec.Meta(max_length=200_000)] = ""


class ChangePortrait(Command, frozen=True, tag="portray"):
    """Give a character a portrait, an image that was uploaded before; with none, remove it."""

    character: Key
    image: ImageId = ""


class GiveToTable(Command, frozen=True, tag="give_to_table"):
    """The GM lets the table write the scripts of one of the GM's characters, or takes it back.

    The dial goes from 0 (careless) to 100 (merciless). In Fight! and Range and Cover the scripts
    are those of its temperament.
    """

    character: Key
    on: bool = True
    dial: int = 100
    temperament: Temperament = "any"


class GiveCharacter(Command, frozen=True, tag="give"):
    """The GM gives a character to a seat (to the GM's own: ``gm``), hidden or open."""

    character: Key
    seat: Seat
    hidden: bool = False


class RemoveCharacter(Command, frozen=True, tag="leave"):
    """The GM removes a character from the table."""

    character: Key


# --- The GM's commands ---------------------------------------------------------------------


class RuledValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value that the GM sets: on a sheet, or in the scene (target ``scene``)."""

    target: Key
    path: Path
    value: Any


class MakeRuling(Command, frozen=True, tag="rule"):
    """The GM overrules anything, openly, with a reason; a secret one touches the scene alone."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    values: Annotated[tuple[RuledValue, ...], msgspec.Meta(min_length=1, max_length=40)]
    secret: bool = False


class ShowHandout(Command, frozen=True, tag="hand_out"):
    """Show a text or an image to the seats named, or to everyone; to nobody, to prepare it.

    With the id of one that is there, it is changed, and those not named see it no longer.
    """

    id: Key
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
    text: Annotated[str, msgspec.Meta(max_length=10_000)] = ""
    image: ImageId = ""
    to: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=60)] = ()
    everyone: bool = False


class RemoveHandout(Command, frozen=True, tag="take_back"):
    """Remove a handout, with its image."""

    id: Key


class UndoEntries(Command, frozen=True, tag="undo"):
    """Undo everything after an entry, for everybody."""

    to: int
    reason: Words = ""


class PauseGame(Command, frozen=True, tag="pause"):
    """Pause the game."""

    reason: Words = ""


class ResumeGame(Command, frozen=True, tag="resume"):
    """Resume the game."""


class ChangeSeat(Command, frozen=True, tag="seat"):
    """Add somebody to the table, rename a seat, or remove somebody from it."""

    seat: Key
    name: Name
    role: Role = Role.PLAYER
    gone: bool = False


class ChangeTitle(Command, frozen=True, tag="title"):
    """Set the title of the campaign, and how the group plays.

    Whether players edit their own sheets freely, whether the GM wants to be asked for consent
    instead of striking what does not count, whether all dice are the server's, so that nobody
    types in real ones, whether reviews for players may use the sheets of the GM's characters, and
    whether those who write the script of a duel may ask for advice.
    """

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
    free_edits: bool = False
    asks_consent: bool = False
    server_dice: bool = False
    open_review: bool = False
    advice: bool = False


class ChangeHouseRules(Command, frozen=True, tag="read"):
    """Change house rules: options by name; those not named stay as they are."""

    options: dict[str, str]


class BeginDiceSession(Command, frozen=True, tag="begin_session"):
    """Begin a new session of play, whose dice have a new seed."""


class EndDiceSession(Command, frozen=True, tag="end_session"):
    """End the session: what was rolled in secret can be checked by those who saw it."""


# --- Fair dice -----------------------------------------------------------------------------


class ContributeToDice(Command, frozen=True, tag="contribute"):
    """Add a random number to the dice of the open session: a player's device does so, once."""

    session: int
    value: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$(?!\\n)")]


# --- The table's own -----------------------------------------------------------------------


class WriteScript(Command, frozen=True, tag="write_script"):
    """The table writes the script of a character that is given to it; no seat can send this."""

    procedure: Key
    step: int
    character: Key
    partner: TablePartner
    answer: tuple[str, ...]


AnyCommand: TypeAlias = (
    BeginProcedure
    | AnswerQuestion
    | DraftAnswers
    | ReleaseDice
    | HoldCard
    | CancelProcedure
    | ThrowDice
    | SendMessage
    | UseOwnDice
    | WriteNote
    | SaveTest
    | RaiseXCard
    | EditSheet
    | ReviewEdit
    | AddCharacter
    | ChangePortrait
    | GiveToTable
    | GiveCharacter
    | RemoveCharacter
    | MakeRuling
    | ShowHandout
    | RemoveHandout
    | UndoEntries
    | PauseGame
    | ResumeGame
    | ChangeSeat
    | ChangeTitle
    | ChangeHouseRules
    | BeginDiceSession
    | EndDiceSession
    | ContributeToDice
)

TableCommand: TypeAlias = AnyCommand | WriteScript
"""A command of a seat, or of the table itself."""
