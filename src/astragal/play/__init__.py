"""The heart: procedures as generators of effects, tallies, and the five drivers.

Three ideas are enough to read everything else:

* a **procedure** yields *effects* (:mod:`~astragal.play.effects`): roll, ask, ask_all,
  tell, change;
* a number on its way to a roll is a **Tally** (:mod:`~astragal.play.tally`);
* a **driver** runs a procedure: *live* and *replay* (:mod:`~astragal.play.live`), *exact*
  (:mod:`~astragal.play.exact`), *best* (:mod:`~astragal.play.best`) and *sample*
  (:mod:`~astragal.play.sample`).

This package knows no game.
"""

from astragal.play.answers import Answerer, Scripted, Unanswered, defaults
from astragal.play.best import Advice, Best, CannotAdvise, Choice, best
from astragal.play.changes import apply, apply_all, path_of, value_at
from astragal.play.effects import (
    EVERYONE,
    GM,
    Ask,
    AskAll,
    Call,
    Change,
    Effect,
    Fact,
    Noted,
    Play,
    Roll,
    Seat,
    Step,
    Tell,
    Then,
    ask,
    ask_all,
    call,
    change,
    roll,
    tell,
    then,
)
from astragal.play.exact import Exact, exact
from astragal.play.live import (
    Answered,
    Decided,
    Entry,
    Event,
    OutOfStep,
    Session,
    Threw,
    Thrower,
    Thrown,
    by,
    live,
    replay,
    rolled_from,
)
from astragal.play.machine import CannotWalk, Frame, State
from astragal.play.questions import (
    Answer,
    AnyQuestion,
    Faces,
    Number,
    Option,
    PickOne,
    PickSeveral,
    Question,
    Script,
    Split,
    Text,
    YesNo,
)
from astragal.play.sample import Throwing, run, sample
from astragal.play.simulate import Simulation
from astragal.play.tally import Line, Tally
from astragal.play.views import Sealed, Seen, asked_of, seen_by

__all__ = [
    "EVERYONE",
    "GM",
    "Advice",
    "Answer",
    "Answered",
    "Answerer",
    "AnyQuestion",
    "Ask",
    "AskAll",
    "Best",
    "Call",
    "CannotAdvise",
    "CannotWalk",
    "Change",
    "Choice",
    "Decided",
    "Effect",
    "Entry",
    "Event",
    "Exact",
    "Faces",
    "Fact",
    "Frame",
    "Line",
    "Noted",
    "Number",
    "Option",
    "OutOfStep",
    "PickOne",
    "PickSeveral",
    "Play",
    "Question",
    "Roll",
    "Script",
    "Scripted",
    "Sealed",
    "Seat",
    "Seen",
    "Session",
    "Simulation",
    "Split",
    "State",
    "Step",
    "Tally",
    "Tell",
    "Text",
    "Then",
    "Threw",
    "Thrower",
    "Throwing",
    "Thrown",
    "Unanswered",
    "YesNo",
    "apply",
    "apply_all",
    "ask",
    "ask_all",
    "asked_of",
    "best",
    "by",
    "call",
    "change",
    "defaults",
    "exact",
    "live",
    "path_of",
    "replay",
    "roll",
    "rolled_from",
    "run",
    "sample",
    "seen_by",
    "tell",
    "then",
    "value_at",
]
