"""What an entry of the log says in a line, in the words of a story."""

from __future__ import annotations

from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.items import ChangedItem
from astragal.table.log.state import Campaign


def sentence(event: AnyEvent, seat: Seat, campaign: Campaign, game: Game, reader: Seat) -> str:
    """An event by a seat as a reader may hear of it."""
    who = name_of(seat, campaign)
    match event:
        case happened.CampaignCreated(title=title):
            return f"{title}: a campaign of {game.title} begins."
        case happened.TitleChanged(title=title):
            return f"The campaign is called {title}."
        case happened.HouseRulesChanged(options=options):
            read = ", ".join(f"{name}: {choice}" for name, choice in options.items())
            return f"The rules are read so: {read or 'as usual'}."
        case happened.SeatChanged(chair=chair):
            if chair.gone:
                return f"{chair.name} has left the table."
            role = {"gm": "runs the game", "player": "plays", "spectator": "watches"}
            dice = " and throws real dice" if chair.own_dice else ""
            return f"{chair.name} {role[chair.role.value]}{dice}."
        case happened.CharacterJoined(character=key, sheet=sheet):
            player = name_of(str(sheet.sheet["player"]), campaign)
            return f"{sheet.sheet.get('name', key)} is at the table; {player} plays."
        case happened.CharacterRemoved(character=key, name=name):
            return f"{name or key} has left the story."
        case happened.ProcedureBegan(procedure=begun):
            return f"{begun.title}: {begun.about}" if begun.about else f"{begun.title}."
        case happened.AnswerGiven(taken=0):
            return "You have prepared your answers."
        case happened.AnswerGiven(reason=reason):
            return f"{who} rules: {reason}" if reason else ""
        case happened.ProcedureCancelled(reason=reason):
            return f"{who} calls it off{_because(reason)}."
        case happened.RulingMade(reason=reason):
            return f"{who} rules: {reason}"
        case happened.SheetEdited(character=key, changes=changes, why=why, name=name):
            places = ", ".join(dict.fromkeys(_place(change) for change in changes))
            return f"{who} changes {name or key} ({places}){_because(why)}."
        case happened.EditProposed(character=key, path=path, why=why, name=name):
            return f"{who} would like to change {name or key} ({_words(path)}){_because(why)}."
        case happened.EditDeclined(reason=reason):
            return f"{who} leaves the sheet as it is{_because(reason)}."
        case happened.MessageSent(text=text, audience=audience):
            to = [name_of(each, campaign) for each in audience if each != seat]
            return f"{who} to {', '.join(to)}: {text}" if to else f"{who}: {text}"
        case happened.DiceThrown(rolled=rolled):
            return f"{who} throws {rolled.notation} ({rolled.label}): {rolled.comes_to}."
        case happened.NoteWritten(text=text):
            if not text:
                return f"{who} throws a note away."
            return f"{who} writes a note." if reader != seat else "You write a note."
        case happened.EntriesUndone(to=to, reason=reason):
            return f"{who} takes back everything after entry {to}{_because(reason)}."
        case happened.GamePaused(reason=reason):
            return f"{who} pauses the game{_because(reason)}."
        case happened.GameResumed():
            return "The game goes on."
        case happened.SessionBegan(number=number, commitment=commitment):
            return f"Session {number} begins. Its dice are settled: {commitment[:16]}."
        case happened.SessionEnded(number=number, seed=seed):
            known = f"The seed of its dice was {seed}." if seed else "Its seed is not known here."
            return f"Session {number} is over. {known}"


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
