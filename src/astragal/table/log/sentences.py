"""What an entry of the log says in a sentence, and what a change says in one."""

from __future__ import annotations

import re

from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.play.changes import split_path
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.items import ChangedItem
from astragal.table.log.paths import NEXT
from astragal.table.log.state import Campaign, Restorable


def sentence(event: AnyEvent, seat: Seat, campaign: Campaign, game: Game, reader: Seat) -> str:
    """An event by a seat, as a reader may hear of it."""
    who = name_of(seat, campaign)
    match event:
        case happened.AnswerGiven(taken=0):
            return "Your answers are prepared."
        case happened.AnswerGiven(reason=reason):
            return f"{who} answers for somebody else: {reason}" if reason else ""
        case happened.CampaignCreated(title=title):
            return f"{title}: a campaign of {game.title} begins."
        case happened.TitleChanged(title=title):
            real = " Only the server rolls dice." if event.server_dice else ""
            return f"The campaign is called {title}.{real}"
        case happened.HouseRulesChanged(options=options):
            set_now = ", ".join(f"{name}: {choice}" for name, choice in options.items())
            chosen = set_now.replace("_", " ")
            return f"House rules: {chosen or 'all default'}."
        case happened.SeatChanged(chair=chair):
            if chair.gone:
                return f"{chair.name} was removed."
            if chair.own_dice:
                return f"{chair.name} rolls real dice."
            if seat == chair.seat != GM:  # others are seated by the GM
                return f"{chair.name} lets the server roll."
            does = {"gm": "runs the game", "player": "joins", "spectator": "watches"}
            return f"{chair.name} {does[chair.role.value]}."
        case happened.CharacterJoined(character=key, sheet=sheet):
            player = name_of(str(sheet.sheet["player"]), campaign)
            return f"{sheet.sheet.get('name', key)} joins, played by {player}."
        case happened.CharacterRemoved(character=key, name=name):
            return f"{name or key} was removed."
        case happened.ProcedureBegan(procedure=begun):
            is_told = begun.about and begun.about != begun.title
            return f"{begun.title}: {begun.about}" if is_told else f"{begun.title}."
        case happened.AnswersDrafted():
            return ""
        case happened.ProcedureCancelled(reason=reason):
            return f"{who} cancels this{_because(reason)}."
        case happened.RulingMade(reason=reason):
            return f"{who} makes a ruling: {reason}"
        case happened.SheetEdited(character=key, changes=changes, why=why, name=name):
            places = ", ".join(dict.fromkeys(_place(change) for change in changes))
            return f"{who} edits {name or key} ({places}){_because(why)}."
        case happened.EditProposed(character=key, path=path, why=why, name=name):
            if split_path(path)[-1] == NEXT:
                where = _words(path.removesuffix(NEXT)).strip()
                return f"{who} would like to add to the {where} of {name or key}{_because(why)}."
            return f"{who} would like to edit {name or key} ({_words(path)}){_because(why)}."
        case happened.EditDeclined(reason=reason):
            verb = "withdraws" if event.seat == seat else "rejects"
            return f"{who} {verb} the edit{_because(reason)}."
        case happened.MessageSent(text=text, audience=audience):
            to = [name_of(each, campaign) for each in audience if each != seat]
            return f"{who} to {', '.join(to)}: {text}" if to else f"{who}: {text}"
        case happened.DiceThrown(rolled=rolled):
            dice = dice_words(rolled.notation)
            return f"{who} rolls {dice} ({rolled.label}): {rolled.comes_to}."
        case happened.NoteWritten(text=text):
            if not text:
                return f"{who} deletes a note."
            return f"{who} writes a note." if reader != seat else "You write a note."
        case happened.HandoutShown(title=title, audience=audience):
            shown = "prepares" if audience == (GM,) else "hands out"
            return f"{who} {shown}: {title}."
        case happened.HandoutRemoved(title=title):
            return f"{who} takes back: {title}."
        case happened.PortraitChanged(character=key, image=image, name=name):
            portrait = f"the portrait of {name or key}"
            return f"{who} changes {portrait}." if image else f"{who} removes {portrait}."
        case happened.PartnerChanged(character=key, partner=partner, name=name):
            if partner is None:
                return f"{who} writes the scripts of {name or key} again."
            return f"{who} lets Astragal write the scripts of {name or key}."
        case happened.TestSaved(name=name):
            return f"You save a test: {name}." if name else "You remove a saved test."
        case happened.XCardRaised():
            return "Somebody raised the X-card. The game is paused."
        case happened.EntriesUndone(to=to, reason=reason, what=what):
            undone = f"{what} and everything after it" if what else f"everything after entry {to}"
            return f"{who} undoes {undone}{_because(reason)}."
        case happened.GamePaused(reason=reason):
            return f"{who} pauses the game{_because(reason)}."
        case happened.GameResumed():
            return "The game resumes."
        case happened.SessionBegan(number=number, commitment=commitment):
            return f"Session {number} begins. The fingerprint of its dice: {commitment[:16]}."
        case happened.DiceContributed(session=number):
            return f"{who} adds to the dice of session {number}."
        case happened.SessionEnded(number=number, seed=seed, lost=lost):
            known = f" The seed of its dice was {seed}." if seed else ""
            return f"Session {number} is over.{' Its keys are not known here.' if lost else known}"


def procedure_of(event: AnyEvent, before: Restorable) -> str:
    """The title of the procedure that an event belongs to, unless it is the GM's secret."""
    match event:
        case happened.ProcedureBegan(procedure=begun):
            return "" if begun.secret else begun.title
        case (
            happened.AnswerGiven(procedure=id)
            | happened.AnswersDrafted(procedure=id)
            | happened.ProcedureCancelled(procedure=id)
        ):
            begun = before.open[id]
            return "" if begun.secret else begun.title
    return ""


def dice_words(notation: str) -> str:
    """Dice as players say them: black dice are just dice, and other shades are named.

    >>> dice_words("(6B)"), dice_words("4G open"), dice_words("3d6+1")
    ('6D', '4D gray, open-ended', '3d6+1')
    """
    plain = re.sub(r"^\((.*)\)$", r"\1", notation)
    for letter, shade in (("B", ""), ("G", " gray"), ("W", " white")):
        plain = re.sub(rf"\b(\d+){letter}\b", rf"\1D{shade}", plain)
    return re.sub(r" open\b", ", open-ended", re.sub(r": (successes|with ones)$", "", plain))


def name_of(seat: Seat, campaign: Campaign) -> str:
    """What somebody at the table is called."""
    chair = campaign.chairs.get(seat)
    return chair.name if chair is not None else ("The GM" if seat == GM else seat)


def _because(reason: str) -> str:
    return f": {reason.strip().rstrip('.')}" if reason.strip() else ""


def _words(path: str) -> str:
    return path.replace("/", ".").replace(".", " ").replace("_", " ")


def _place(change: ChangedItem) -> str:
    scene = "the scene's " if change.target == SCENE else ""
    return f"{scene}{_words(change.path)}"
