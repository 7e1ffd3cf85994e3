"""What a procedure may do: yield one of a handful of effects and wait for the answer.

A procedure is a generator that reads like the rulebook's own steps. It touches no
random source, clock, network or person: it yields an effect, and whichever driver
runs it sends back the answer.

* :func:`roll`, :func:`ask`, :func:`ask_all`, :func:`tell`, :func:`change` are used
  as ``answer = yield from roll(...)``; :func:`confirm`, :func:`consent`, :func:`confirm_aside`
  and :func:`choose` ask the most frequent kinds of question, :func:`note` tells a plain statement.
* :func:`call` runs another procedure to its end and gives its result.
* :func:`then` ends a procedure by going on with another one and just the values
  that still matter. Live play simply carries on; the drivers that walk every
  outcome remember what follows from those values, which turns a tree into a
  small table.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

import msgspec

from astragal.dice import Distribution, Expression
from astragal.play.pictures import CardPair, FollowUp, Picture, Wheel
from astragal.play.questions import Answer, Option, PickOne, Question, YesNo

T = TypeVar("T")
A = TypeVar("A", bound=Hashable)
V = TypeVar("V", bound=Hashable)
H = TypeVar("H", bound=Hashable)
P = ParamSpec("P")

Seat: TypeAlias = str
"""Who answers: ``"gm"``, or the name of a player."""

GM: Seat = "gm"
EVERYONE: tuple[Seat, ...] = ()
"""The audience of a fact that nobody is kept from."""


Role: TypeAlias = Literal["", "pool", "outcome", "conclusion", "heading", "effect", "aside"]
"""What a fact is in a story, for the page that draws it.

* ``pool``: dice and obstacle as they stand before the roll; ``headline`` says whose
* ``outcome``: how a roll came out; ``conclusion``: how the whole matter ended
* ``heading``: a new part begins, for instance an exchange
* ``effect``: what the cards that were just shown do to each other
* ``aside``: said for completeness
"""


class Fact(msgspec.Struct, frozen=True, tag_field="fact"):
    """Something that happened; each game has its own kinds, and each can say itself.

    Code that draws a story knows no kinds: everything it draws with is one of the properties here.
    """

    role: ClassVar[Role] = ""
    """What it is in the story; empty for a plain sentence."""

    def sentence(self) -> str:
        """The fact as one line of the story."""
        raise NotImplementedError

    @property
    def headline(self) -> str:
        """A few words to stand above what is drawn: whose dice, which volley."""
        return ""

    @property
    def pattern(self) -> str:
        """The sentence with ``{field}`` where a tally is shown that can be unfolded, if it has any.

        Empty where the sentence does not unfold its tallies.
        """
        return ""

    @property
    def cards(self) -> tuple[tuple[str, str], ...]:
        """Cards that are turned over: whose, and what they say."""
        return ()

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """How sides stand: whose, how much there is now, and how much there was at first."""
        return ()

    @property
    def picture(self) -> Picture | None:
        """Where everybody is, if it tells that."""
        return None

    @property
    def meetings(self) -> tuple[CardPair, ...]:
        """Cards that lie open already and meet here, two by two."""
        return ()

    @property
    def verdicts(self) -> tuple[tuple[str, bool], ...]:
        """How dice came out: what they are called, and whether they did what they were for."""
        return ()

    @property
    def hope(self) -> str:
        """What somebody hopes for who asks for the odds, if this fact settles it all.

        It is the end of what the odds ahead look at: what follows is only bookkeeping to them.
        """
        return ""

    @property
    def wheel(self) -> Wheel | None:
        """A wheel with what is chosen on it, to be shown while it is still being decided."""
        return None

    @property
    def follow_up(self) -> FollowUp | None:
        """What people usually begin after this, if there is such a thing."""
        return None


class Noted(Fact, frozen=True, tag="noted"):
    """A plain statement, with the rule behind it."""

    text: str
    rule: str

    def sentence(self) -> str:
        """The statement itself."""
        return self.text


class Roll(msgspec.Struct, frozen=True):
    """Chance: a dice expression, what it is for, and whose it is.

    ``enough`` says that a value at or beyond it decides the matter; drivers that only
    look for the verdict may treat all such values as one.

    ``final`` says that nothing will be done to these dice any more: a driver that walks every
    outcome may leave out what only matters for rolling on or rolling again; and one that only
    looks for the verdict may treat all values that are not enough as one, too.
    """

    expression: Expression[Any]
    label: str
    owner: Seat
    enough: int | None = None
    final: bool = False

    def outcomes(self, *, verdict_only: bool) -> Distribution[Any]:
        """Every value the dice may come to, with its weight."""
        enough = self.enough if verdict_only else None
        if self.final:
            return self.expression.final_distribution(enough=enough)
        return self.expression.distribution(enough=enough)


AskKind: TypeAlias = Literal["needed", "offered", "consent", "aside"]
"""What becomes of a question that nobody touches, at a table where all decide on one card.

* ``needed``: nothing goes on without an answer
* ``offered``: untouched means the default, and its owner is given the time to touch it
* ``consent``: somebody may object; the default stands unless it is struck, and nobody waits
* ``aside``: hardly ever wanted, or of no use at this point; the default stands, folded away
"""


class Ask(msgspec.Struct, frozen=True):
    """One seat must decide; a ``secret`` answer is for that seat alone, also when it is given.

    What is answered to a ``standing`` question holds until it is answered differently, wherever
    the same procedure asks it again.
    """

    seat: Seat
    key: str
    prompt: str
    question: Question[Any]
    because: str
    secret: bool = False
    kind: AskKind = "offered"
    standing: bool = False


class AskAll(msgspec.Struct, frozen=True):
    """Several seats decide at once; nobody sees an answer before all are in."""

    asks: tuple[Ask, ...]


class Tell(msgspec.Struct, frozen=True):
    """A fact, for everyone or for the seats named."""

    fact: Fact
    audience: tuple[Seat, ...] = EVERYONE


class Change(msgspec.Struct, frozen=True):
    """A sheet or the scene changes: where, from what, to what, and by which rule."""

    target: str
    path: str
    before: Any
    after: Any
    because: str


class Call(msgspec.Struct, frozen=True):
    """Another procedure is to run to its end first.

    ``apart`` says that it is one for several, who may also be taken one by one by drivers that
    answer every question by itself (see :func:`together`).
    """

    start: Then[Any]
    apart: bool = False


class Foregone(msgspec.Struct, frozen=True):
    """Whether it is known of each of these questions that it would get its default.

    With a ``key`` of every question that is asked by that key, whatever it offers.
    """

    asks: tuple[Ask, ...] = ()
    key: str = ""


class Unheard(msgspec.Struct, frozen=True):
    """Whether it is known that nobody hears what is told."""


class Then(msgspec.Struct, Generic[T], frozen=True, cache_hash=True):
    """A procedure about to begin: the function and the values it needs, nothing else."""

    procedure: Callable[..., Generator[Any, Any, Any]]
    args: tuple[Any, ...]

    def begin(self) -> Generator[Any, Any, Any]:
        """The running procedure."""
        return self.procedure(*self.args)


Effect = Roll | Ask | AskAll | Tell | Change | Call | Foregone | Unheard

Step = Generator[Effect, Any, T]
"""A piece of a procedure, used with ``yield from``."""

Play = Generator[Effect, Any, T | Then[T]]
"""A whole procedure: started by a driver, by :func:`call` or by :func:`then`."""


def roll(
    expression: Expression[V],
    label: str,
    owner: Seat,
    *,
    enough: int | None = None,
    final: bool = False,
) -> Step[V]:
    """Throw dice and give their value as the rules look at it."""
    value: V = yield Roll(expression, label, owner, enough, final)
    return value


def ask(
    seat: Seat,
    key: str,
    prompt: str,
    question: Question[A],
    *,
    because: str,
    secret: bool = False,
    kind: AskKind = "offered",
    standing: bool = False,
) -> Step[A]:
    """Let one seat decide; ``key`` names the decision in scripts, options and logs.

    A question without a default is needed, whatever ``kind`` says.
    """
    kind = "needed" if question.default is None else kind
    answer: A = yield Ask(seat, key, prompt, question, because, secret, kind, standing)
    return answer


def confirm(
    seat: Seat,
    key: str,
    prompt: str,
    *,
    default: bool | None,
    because: str,
    secret: bool = False,
    kind: AskKind = "offered",
    standing: bool = False,
) -> Step[bool]:
    """Let one seat say yes or no."""
    question = YesNo(default=default)
    return ask(
        seat, key, prompt, question, because=because, secret=secret, kind=kind, standing=standing
    )


def consent(seat: Seat, key: str, prompt: str, *, because: str) -> Step[bool]:
    """Let one seat object: it is yes unless somebody says no."""
    return confirm(seat, key, prompt, default=True, because=because, kind="consent")


def confirm_aside(seat: Seat, key: str, prompt: str, *, because: str) -> Step[bool]:
    """Let one seat say that something unusual is so: it is no unless somebody says yes."""
    return confirm(seat, key, prompt, default=False, because=because, kind="aside")


def choose(
    seat: Seat,
    key: str,
    prompt: str,
    options: Iterable[Option] | Mapping[str, str],
    *,
    default: str | None = None,
    because: str,
    secret: bool = False,
    kind: AskKind = "offered",
    standing: bool = False,
) -> Step[str]:
    """Let one seat pick one of the options, by its key.

    A mapping of keys to labels will do where the rule behind every option is ``because``.
    """
    if isinstance(options, Mapping):
        options = (Option(each, label, because) for each, label in options.items())
    question = PickOne(options=tuple(options), default=default)
    return ask(
        seat, key, prompt, question, because=because, secret=secret, kind=kind, standing=standing
    )


def ask_all(*asks: Ask) -> Step[tuple[Answer, ...]]:
    """Let several seats decide secretly and at once; the answers come in the order asked."""
    if not asks:  # nobody is there to be asked
        return ()
    answers: tuple[Answer, ...] = yield AskAll(asks)
    return answers


def tell(fact: Fact, *audience: Seat) -> Step[None]:
    """Let it be known that something happened."""
    yield Tell(fact, audience)


def note(text: str, rule: str, *audience: Seat) -> Step[None]:
    """Tell a plain statement, with the rule behind it."""
    return tell(Noted(text, rule), *audience)


def unheard() -> Step[bool]:
    """Whether nobody hears what is told here: then a fact that takes long to make need not be.

    Only a walk or a simulation can tell, which keep nothing but results.
    """
    known: bool | None = yield Unheard()
    return bool(known)


def change(target: str, path: str, before: object, after: object, *, because: str) -> Step[None]:
    """Change one value on a sheet or in the scene; nothing happens if it is no change."""
    if before != after:
        yield Change(target, path, before, after, because)


def call(procedure: Callable[P, Play[T]], *args: P.args, **kwargs: P.kwargs) -> Step[T]:
    """Run another procedure to its end and give its result."""
    assert not kwargs, (
        "procedures are called with positional arguments, so that they can be compared"
    )
    result: T = yield Call(Then(procedure, args))
    return result


def foregone(asks: tuple[Ask, ...]) -> Step[bool]:
    """Whether each of these questions would get its default, whenever it came up.

    Only a walk under a policy can tell; where people decide nobody knows, and it is not. So a
    procedure may do nothing with it but forget what then cannot matter any more.
    """
    known: bool | None = yield Foregone(asks)
    return bool(known)


def all_foregone(key: str) -> Step[bool]:
    """Whether every question of that key would get its default, as for :func:`foregone`."""
    known: bool | None = yield Foregone(key=key)
    return bool(known)


@runtime_checkable
class Judging(Protocol):
    """Dice that are ready, and can say of what comes of them whether it is what they are for.

    A procedure that throws such dice takes them as its first argument, one or several.
    """

    def judged(self, result: Any) -> tuple[tuple[str, bool], ...]:
        """How each of the rolls came out: what it is called, and whether it does its work."""


def together(
    procedure: Callable[[tuple[H, ...]], Play[tuple[T, ...]]], several: tuple[H, ...]
) -> Step[tuple[T, ...]]:
    """Run a procedure for several at once, which gives a result for each of them.

    They act in sight of each other, but no question in it may depend on another's dice or
    answers, nor may what comes of one. Then one who answers by the question alone, as a policy
    does, comes to the same with each of them apart, which is a much shorter walk.
    """
    results: tuple[T, ...] = yield Call(Then(procedure, (several,)), apart=len(several) > 1)
    return results


def then(procedure: Callable[P, Play[T]], *args: P.args, **kwargs: P.kwargs) -> Then[T]:
    """Go on with another procedure, keeping only these values (to be *returned*)."""
    assert not kwargs, "procedures go on with positional arguments, so that they can be compared"
    return Then(procedure, args)
