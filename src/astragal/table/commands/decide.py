"""From a command to the one event that it leads to, or to a refusal that says why not.

Pure: a campaign, a seat and a command in, an event out. Who may do what is decided here and
nowhere else (tests.roles.gm and the like are the games' own; these are the table's).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import Game
from astragal.games.game import SCENE
from astragal.games.ready import ready_sheet
from astragal.play import GM, Seat
from astragal.rules import Options
from astragal.table.commands import commands as do
from astragal.table.commands.commands import TableCommand
from astragal.table.commands.edits import amended, brought, checked_key, place_of, sheet_in_file
from astragal.table.commands.handouts import (
    handout_removed,
    handout_shown,
    portrait_changed,
    saved_or_removed,
)
from astragal.table.commands.partners import partner_changed
from astragal.table.commands.procedures import ProcedureCommands
from astragal.table.commands.seat import Forbidden, SeatAt
from astragal.table.commands.sessions import begun, contributed, ended
from astragal.table.commands.undoing import reopened
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.fold import note_key, shared_note
from astragal.table.log.items import ChangedItem
from astragal.table.log.paths import as_addition, placed, value_in
from astragal.table.log.standing import changed, ruled
from astragal.table.log.state import (
    Campaign,
    Chair,
    Character,
    OpenProcedure,
    Proposal,
    Restorable,
    Role,
)
from astragal.table.running.session import RunningProcedure
from astragal.table.secrecy.known_scene import openly

MOST_CHAIRS = 60
MOST_CHARACTERS = 200
MOST_NOTES = 400
MOST_NOTES_EACH = 60
"""How many notes one player or spectator may have."""
MOST_WRITTEN = 200_000
"""How many characters the notes of one seat may have together."""
LONGEST_KEY = 60
MOST_PROPOSED = 20
"""How many edits of one seat may wait for the GM's approval."""
MOST_SAID = 24_000
"""How many bytes a command may have, unless it brings a sheet, a note or a ruling."""


class CommandDecider(SeatAt):
    """Decides one command of one seat, with everything that it may need."""

    def __init__(
        self,
        campaign: Campaign,
        game: Game,
        seat: Seat,
        *,
        running: Callable[[OpenProcedure], RunningProcedure],
        new_seed: bytes = b"",
        restored: Restorable | None = None,
        undone: str = "",
    ) -> None:
        """``restored`` is how things stood at the entry that an undo goes back to.

        ``undone`` is the title of the procedure that this undoes first.
        """
        super().__init__(campaign, game, seat)
        self._running = running
        self._new_seed = new_seed
        self._restored = restored
        self._undone = undone

    @property
    def _procedures(self) -> ProcedureCommands:
        # Not kept: it holds this, and what holds itself stays until somebody collects garbage.
        return ProcedureCommands(self, self._running)

    def event(self, command: TableCommand) -> AnyEvent:
        """What the command leads to."""
        self._may(command)
        try:
            return self._event(command)
        except Refusal as refusal:
            raise self.redacted(refusal) from None

    def _event(self, command: TableCommand) -> AnyEvent:
        match command:
            case do.BeginProcedure():
                return self._procedures.begin(command)
            case do.AnswerQuestion():
                return self._procedures.answer(command)
            case do.DraftAnswers():
                return self._procedures.draft(command)
            case do.ReleaseDice():
                return self._procedures.release(command)
            case do.HoldCard():
                return self._procedures.hold(command)
            case do.CancelProcedure():
                return self._procedures.withdraw(command)
            case do.ThrowDice():
                return self._procedures.throw(command)
            case do.SendMessage():
                return self._say(command)
            case do.UseOwnDice(on=on):
                if on and self.campaign.server_dice:
                    raise Forbidden("In this campaign only the server rolls dice. Ask the GM.")
                return happened.SeatChanged(replace(self.chair, own_dice=on))
            case do.WriteNote():
                return self._note(command)
            case do.SaveTest():
                return saved_or_removed(self, command)
            case do.RaiseXCard():
                return happened.XCardRaised()
            case do.ShowHandout():
                return handout_shown(self, command)
            case do.RemoveHandout():
                return handout_removed(self, command)
            case do.ChangePortrait():
                return portrait_changed(self, command)
            case do.EditSheet():
                return self._edit(command)
            case do.ReviewEdit():
                return self._nod(command)
            case do.AddCharacter():
                return self._join(command)
            case do.GiveToTable():
                return partner_changed(self, command)
            case do.WriteScript():
                return self._procedures.write_script(command)
            case do.GiveCharacter():
                return self._give(command)
            case do.RemoveCharacter():
                return self._leave(command)
            case do.MakeRuling():
                return self._rule(command)
            case do.UndoEntries():
                return self._undo(command)
            case do.PauseGame():
                return self._pause(command)
            case do.ResumeGame():
                return self._resume()
            case do.ChangeSeat():
                return self._seat_somebody(command)
            case do.ChangeTitle():
                return happened.TitleChanged(
                    command.title.strip() or self.campaign.title,
                    command.free_edits,
                    command.asks_consent,
                    command.server_dice,
                    command.open_review,
                    command.advice,
                )
            case do.ChangeHouseRules():
                return self._read(command)
            case do.BeginDiceSession():
                return begun(self.campaign, self._new_seed)
            case do.EndDiceSession():
                return ended(self.campaign)
            case do.ContributeToDice():
                return contributed(self, command)

    def _may(self, command: TableCommand) -> None:
        """Who may do what: the GM anything, players play, spectators talk."""
        is_gm = self.is_gm
        if not is_gm and isinstance(command, _GMS_OWN):
            raise Forbidden("Only the GM can do that.")
        if self.chair.role is Role.SPECTATOR and not isinstance(command, _TALK):
            raise Forbidden("Spectators can only watch and talk. Ask the GM for a player's seat.")
        if (
            self.campaign.paused is not None
            and not is_gm
            and not isinstance(command, (*_TALK, do.ContributeToDice))
        ):
            raise Forbidden("The game is paused. The GM can resume it.")
        size = len(msgspec.json.encode(command))
        if size > MOST_SAID and not isinstance(
            command, do.AddCharacter | do.WriteNote | do.MakeRuling | do.ShowHandout
        ):
            raise BadInput("command", f"{size} bytes", f"at most {MOST_SAID} bytes")

    # ------------------------------------------------------------------ talking

    def _say(self, command: do.SendMessage) -> AnyEvent:
        if not command.text.strip():
            raise BadInput("text", command.text, "some text")
        for seat in command.to:
            if seat not in self.campaign.chairs:
                raise BadInput("to", seat, f"one of {', '.join(self.campaign.chairs)}")
        audience = tuple(dict.fromkeys((*command.to, self.seat))) if command.to else ()
        return happened.MessageSent(command.text.strip(), audience)

    def _note(self, command: do.WriteNote) -> AnyEvent:
        notes = self.campaign.notes
        existing = notes.get(note_key(notes, self.seat, command.id))
        if existing is None and shared_note(notes, command.id):
            if self.is_gm and not command.text:
                return happened.NoteWritten(command.id, "", shared=True)
            raise Forbidden("This note belongs to somebody else.")
        if existing is None and not command.text:
            raise BadInput("text", command.text, "some text: there is no such note yet")
        if existing is None:
            self._check_notes([note.seat for note in notes.values() if self._is_here(note.seat)])
        mine = [each for each in notes.values() if each.seat == self.seat]
        written = sum(len(each.text) for each in mine if each.id != command.id)
        if command.text and written + len(command.text) > MOST_WRITTEN:
            raise Refusal(f"Your notes already have {written} characters. Delete one first.")
        return happened.NoteWritten(command.id, command.text, command.shared)

    def _check_notes(self, written_by: list[Seat]) -> None:
        """One more note; those of people who have left do not count."""
        if len(written_by) >= MOST_NOTES:
            raise Refusal(f"There are already {MOST_NOTES} notes. Delete one first.")
        mine = written_by.count(self.seat)
        if not self.is_gm and mine >= MOST_NOTES_EACH:
            raise Refusal(f"You already have {MOST_NOTES_EACH} notes. Delete one first.")
        players = len(written_by) - written_by.count(GM)
        self.check_share("notes", mine, players, MOST_NOTES)

    def _is_here(self, seat: Seat) -> bool:
        chair = self.campaign.chairs.get(seat)
        return chair is not None and not chair.gone

    # ------------------------------------------------------------------ sheets

    def _edit(self, command: do.EditSheet) -> AnyEvent:
        key = self.character(command.character)
        if not self.plays(key) and not self.is_gm:
            raise Forbidden(f"{self.name(key)} is not your character. Ask the GM.")
        self.check_free((key,))
        changes = amended(self.game, self.standing, key, command.path, command.value, "value")
        if not changes:
            raise BadInput("value", command.value, "a different value: it is already set to this")
        is_free = self.campaign.free_edits or self.standing.characters[key].fresh
        if self.is_gm or is_free:
            return happened.SheetEdited(key, changes, command.why, name=self.name(key))
        waiting = sum(each.seat == self.seat for each in self.campaign.proposals.values())
        if waiting >= MOST_PROPOSED:
            raise Refusal(
                f"{waiting} of your edits are waiting for approval. Ask the GM to review them."
            )
        number = f"e{self.campaign.seq + 1}"
        sheet = self.standing.characters[key].sheet
        path = placed(sheet, command.path)
        is_alone = len(changes) == 1 and changes[0].path == path
        after = changes[0].after if is_alone else command.value
        before = value_in(sheet, path)
        # By the time it is approved the list may be longer: what is added is named as added.
        path = as_addition(sheet, path)
        name = self.name(key)
        return happened.EditProposed(number, key, path, before, after, command.why, name)

    def _nod(self, command: do.ReviewEdit) -> AnyEvent:
        # Of others' proposals a player does not even know that they are there.
        proposals = self.campaign.proposals.values()
        known = {each.id: each for each in proposals if self.is_gm or each.seat == self.seat}
        proposal = known.get(command.proposal)
        if proposal is None:
            expected = f"a proposed edit: {', '.join(known) or 'there are none'}"
            raise BadInput("proposal", command.proposal, expected)
        if not command.yes:
            return happened.EditDeclined(proposal.id, command.reason, proposal.seat)
        if not self.is_gm:
            raise Forbidden("Only the GM can approve an edit.")
        return self._granted(proposal)

    def _granted(self, proposal: Proposal) -> AnyEvent:
        key = self.character(proposal.character)
        self.check_free((key,))
        path = place_of(proposal, self.standing.characters[key].sheet)
        changes = amended(self.game, self.standing, key, path, proposal.after, "value")
        if not changes:
            raise Refusal("The sheet already says this. Reject the edit instead.")
        return happened.SheetEdited(key, changes, proposal.why, proposal.id, self.name(key))

    def _join(self, command: do.AddCharacter) -> AnyEvent:
        key = checked_key(command.character)
        there = self.standing.characters.get(key)
        seat = command.seat or (GM if self.is_gm else self.seat)
        if not self.is_gm:
            if key in self.known or seat != self.seat or command.sketch or command.hidden:
                raise Forbidden(
                    "Players can add one new character, for themselves. Ask the GM for more."
                )
            if any(self.plays(each) for each in self.standing.characters):
                raise Forbidden("You already have a character. The GM can give you another.")
            key, there = self._own_key(key), None
        if there is None and len(self.standing.characters) >= MOST_CHARACTERS:
            raise Refusal(f"There are already {MOST_CHARACTERS} characters. Remove one first.")
        self.check_free((key,))
        sheet = brought(self.game, self._raw(command), self.players_seat(seat), "sheet")
        portrait = "" if there is None else there.portrait
        joined = Character(sheet, command.hidden, fresh=True, portrait=portrait)
        return happened.CharacterJoined(key, joined)

    def _own_key(self, key: str) -> str:
        """The key of a player's new character, with the seat in it.

        So it is the same whether or not a hidden character has the key that the player chose.
        """
        wanted = own = f"{key[: LONGEST_KEY - len(self.seat) - 1]}_{self.seat}"
        number = 2
        while own in self.standing.characters:
            own, number = f"{wanted[: LONGEST_KEY - 4]}_{number}", number + 1
        return own

    def _raw(self, command: do.AddCharacter) -> Any:
        written = (command.ready, command.sketch, command.file)
        if sum(map(bool, written)) + (command.sheet is not None) != 1:
            expected = "a sheet, the name of a pre-made one, a sketch, or a file: one of these"
            raise BadInput("sheet", None, expected)
        if command.ready:
            return ready_sheet(self.game, command.ready)
        if command.file:
            return sheet_in_file(command.file)
        return self.game.sketch(command.sketch) if command.sketch else command.sheet

    def _give(self, command: do.GiveCharacter) -> AnyEvent:
        key = self.character(command.character)
        self.check_free((key,))
        there = self.standing.characters[key]
        given = brought(self.game, there.sheet, self.players_seat(command.seat), key)
        partner = there.partner if command.seat == GM else None
        joined = replace(there, sheet=given, hidden=command.hidden, partner=partner)
        return happened.CharacterJoined(key, joined)

    def _leave(self, command: do.RemoveCharacter) -> AnyEvent:
        key = self.character(command.character)
        self.check_free((key,))
        return happened.CharacterRemoved(key, self.name(key), self.standing.characters[key].hidden)

    # ------------------------------------------------------------------ the GM's commands

    def _rule(self, command: do.MakeRuling) -> AnyEvent:
        if not command.reason.strip():
            raise BadInput("reason", command.reason, "a reason: everyone sees a ruling")
        standing = self.standing
        changes: list[ChangedItem] = []
        for number, value in enumerate(command.values):
            if command.secret and value.target != SCENE:
                expected = "scene: a ruling on a sheet cannot be secret"
                raise BadInput(f"values[{number}].target", value.target, expected)
            place = f"values[{number}].value"
            made = amended(self.game, standing, value.target, value.path, value.value, place)
            changes += made
            standing = changed(standing, made, self.game)
        if not changes:
            raise Refusal("All of these values are already set. Nothing was changed.")
        if not command.secret:
            told = openly(self.standing, changes, self.game, self.hidden.hidden)
            changes = [item for item in told if isinstance(item, ChangedItem)]
        touched = {change.target for change in changes}
        rebased = tuple(
            self._procedures.rebased(procedure, changes)
            for procedure in self.standing.open.values()
            if touched.intersection(procedure.characters)
        )
        event = happened.RulingMade(command.reason.strip(), tuple(changes), rebased, command.secret)
        self._check_holds(event)
        return event

    def _check_holds(self, event: happened.RulingMade) -> None:
        """What is ruled must be so afterwards, also where a procedure has written there since."""
        after = ruled(self.standing, event, self.game)
        last = {(change.target, change.path): change.after for change in event.changes}
        for (target, path), value in last.items():
            plain = after.scene if target == SCENE else after.characters[target].sheet
            if value is not None and value_in(plain, path) != value:
                raise Refusal(
                    f"An open test has changed {path} since, so this ruling would not last. "
                    "Undo that first."
                )

    def _undo(self, command: do.UndoEntries) -> AnyEvent:
        if self._restored is None or not 1 <= command.to < self.campaign.seq:
            raise BadInput(
                "to", command.to, f"an entry before the last one, 1 to {self.campaign.seq - 1}"
            )
        standing = reopened(self._restored, self.standing, self.game)
        return happened.EntriesUndone(command.to, standing, command.reason, self._undone)

    def _pause(self, command: do.PauseGame) -> AnyEvent:
        if self.campaign.paused is not None:
            raise Refusal("The game is already paused.")
        return happened.GamePaused(command.reason)

    def _resume(self) -> AnyEvent:
        if self.campaign.paused is None:
            raise Refusal("The game is not paused.")
        return happened.GameResumed()

    def _seat_somebody(self, command: do.ChangeSeat) -> AnyEvent:
        there = self.campaign.chairs.get(command.seat)
        if (command.seat == GM) != (command.role is Role.GM):
            raise BadInput("role", command.role.value, "gm at the seat gm, and only there")
        if command.seat == GM and command.gone:
            raise BadInput("gone", True, "false: every table needs a GM")
        if command.seat in (SCENE, *self.standing.characters) and there is None:
            raise BadInput("seat", command.seat, "a key that no character has")
        if there is None and len(self.campaign.chairs) >= MOST_CHAIRS:
            raise Refusal(
                f"There are already {MOST_CHAIRS} seats. Use the seat of somebody who has left."
            )
        own_dice = there is not None and there.own_dice
        chair = Chair(command.seat, command.name.strip(), command.role, own_dice, command.gone)
        if not chair.name:
            raise BadInput("name", command.name, "a name")
        return happened.SeatChanged(chair)

    def _read(self, command: do.ChangeHouseRules) -> AnyEvent:
        chosen = Options.of(self.game.name, {**self.standing.options, **command.options}).changed
        if chosen == self.standing.options:
            raise BadInput(
                "options", command.options, "a different choice: these house rules are already set"
            )
        return happened.HouseRulesChanged(chosen)


_TALK = (do.SendMessage, do.WriteNote, do.RaiseXCard)
_GMS_OWN = (
    do.MakeRuling | do.UndoEntries | do.PauseGame | do.ResumeGame | do.ChangeSeat | do.ChangeTitle
    | do.ChangeHouseRules | do.BeginDiceSession | do.EndDiceSession
    | do.GiveToTable | do.GiveCharacter | do.RemoveCharacter
    | do.HoldCard | do.ShowHandout | do.RemoveHandout
)  # fmt: skip
