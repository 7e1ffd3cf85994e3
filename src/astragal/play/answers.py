"""Where answers come from when nobody is asked in person.

An *answerer* is anything that takes an :class:`~astragal.play.effects.Ask` and gives an
answer. A *policy* is an answerer that always gives the same answer to the same question,
so that the drivers which walk every outcome may rely on it. A policy may also answer with
a distribution of answers: a mixed strategy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from astragal.dice import Distribution
from astragal.errors import BadInput
from astragal.play.effects import GM, Ask, AskAll
from astragal.play.questions import Answer, Number, PickOne, Question, YesNo

Answerer: TypeAlias = Callable[[Ask], Answer]


class Unanswered(BadInput):
    """A question that has no default was put to somebody who was given no answer."""

    def __init__(self, ask: Ask) -> None:
        """Name the question and what would answer it."""
        self.ask = ask
        who = "the GM" if ask.seat == GM else ask.seat
        answer = f"an answer from {who} to: {ask.prompt} ({ask.question.allowed()})"
        super().__init__(ask.key, None, answer, ask.because)


def defaults(ask: Ask) -> Answer:
    """The question's own default: what happens if nobody wants anything special."""
    if ask.question.default is None:
        raise Unanswered(ask)
    answer: Answer = ask.question.default
    return answer


def leaves(policy: Answerer, key: str) -> bool:
    """Whether a policy is known to give every question of that key its default.

    A policy that knows has a method of that name.
    """
    known: Callable[[str], bool] | None = getattr(policy, "leaves", None)
    return policy is defaults if known is None else known(key)


def draws_itself(policy: Answerer, ask: Ask) -> bool:
    """Whether a policy says that it answers a question by chance of its own.

    A policy that does so has a method of that name.
    """
    known: Callable[[Ask], bool] | None = getattr(policy, "draws_itself", None)
    return known is not None and known(ask)


class PutQuestion(Protocol):
    """A question as it is put to somebody, now or in a log."""

    @property
    def key(self) -> str:
        """What names the decision."""

    @property
    def question(self) -> Question[Any]:
        """Which answers it takes."""

    @property
    def because(self) -> str:
        """The rule by which it is asked."""


def check_answer(ask: PutQuestion, answer: object, place: str = "") -> Any:
    """The answer in its normal form, or a refusal with the rule that the question is asked by."""
    try:
        return ask.question.check(answer, place or ask.key)
    except BadInput as bad:
        raise BadInput(
            bad.place, bad.value, bad.expected, bad.rule or ask.because or None
        ) from None


def checked(ask: Ask, policy: Callable[[Ask], Any]) -> Any:
    """What a policy answers, checked: an answer, or a distribution of answers."""
    answer = policy(ask)
    if isinstance(answer, Distribution):
        return answer.map(lambda each: check_answer(ask, each))
    return check_answer(ask, answer)


def weighed(ask: Ask, policy: Callable[[Ask], Any]) -> Distribution[Any]:
    """What a policy answers, checked: one answer for certain, or several with their weights."""
    answer = checked(ask, policy)
    return answer if isinstance(answer, Distribution) else Distribution.certain(answer)


def weighed_together(effect: AskAll, policy: Callable[[Ask], Any]) -> Distribution[Any]:
    """What a policy answers for several seats at once, none of which knows the others' answers."""
    answers: Distribution[Any] = Distribution.certain(())
    for ask in effect.asks:
        answers = answers.combine(weighed(ask, policy), lambda given, answer: (*given, answer))
    return answers


class Scripted:
    """Answers written down beforehand, by the key of the question.

    A key may be narrowed to one seat (``mara/forks``) and to one occasion
    (``after_roll#2``, the second time it is asked). What the script does not cover goes to
    ``otherwise``. Without occasions a script is a policy.
    """

    def __init__(self, answers: Mapping[str, Any], otherwise: Answerer = defaults) -> None:
        """Take the written answers and somebody to ask for the rest."""
        self._answers = dict(answers)
        self._otherwise = otherwise
        self._asked: Counter[str] = Counter()
        self._used: set[str] = set()

    def __call__(self, ask: Ask) -> Answer:
        """The written answer, checked against the question."""
        self._asked[ask.key] += 1
        self._asked[f"{ask.seat}/{ask.key}"] += 1
        answer: Answer | None = self.written_for(ask)
        return self._otherwise(ask) if answer is None else answer

    def written_for(self, ask: Ask) -> Answer | None:
        """The written answer to a question that is asked now, checked; None if there is none."""
        for key in (f"{ask.seat}/{ask.key}", ask.key):
            for written in (f"{key}#{self._asked[key] or 1}", key):
                if written in self._answers:
                    self._used.add(written)
                    answer: Answer = check_answer(ask, self._answers[written], written)
                    return answer
        return None

    def leaves(self, key: str) -> bool:
        """Whether nothing is written for a key, and everything else gets its default."""
        keys = {written.rpartition("/")[2].partition("#")[0] for written in self._answers}
        return key not in keys and leaves(self._otherwise, key)

    @property
    def unused(self) -> tuple[str, ...]:
        """Written answers that no question ever called for: usually a misspelt key."""
        return tuple(key for key in self._answers if key not in self._used)


def answer_in_words(ask: Ask, answer: Answer) -> str:
    """An answer in the words of its own question."""
    match ask.question:
        case PickOne(options=options):
            option = next(option for option in options if option.key == answer)
            return f"{option.label} ({option.cost})" if option.cost else option.label
        case YesNo():
            return f"{ask.key.replace('_', ' ')}: {'yes' if answer else 'no'}"
        case Number(names=names):
            name = dict(names).get(answer, "") if isinstance(answer, int) else ""
            is_enough = name and (not answer or str(answer) in name)  # "No bid", "2 actions"
            said = name if is_enough else f"{answer} \u00b7 {name}" if name else answer
            return f"{ask.key.replace('_', ' ')}: {said}"
    if isinstance(answer, tuple):
        answer = ", ".join(map(str, answer)) or "none"
    return f"{ask.key.replace('_', ' ')}: {answer}"
