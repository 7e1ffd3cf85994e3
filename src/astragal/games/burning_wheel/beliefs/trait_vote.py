"""The trait vote: what the table makes of the characters after a long story.

Every character is discussed first, and only then is there a vote (beliefs.vote.sequence). A
new trait takes a unanimous vote, a lost one a unanimous vote or a majority, depending on who
proposed it. Artha spent for
a Belief or Instinct opens the stronger kinds; the vote still decides
(beliefs.vote.artha_does_not_bypass).
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Ask,
    Number,
    Option,
    PickOne,
    PickSeveral,
    Play,
    Seat,
    Step,
    Text,
    ask,
    ask_all,
    choose,
    confirm_aside,
    consent,
    note,
)
from astragal.rules import Options, catalogue

from ..sheet.parts import Artha, Belief, Trait, TraitKind
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet


class Story(Enum):
    """How long the story was (beliefs.vote.limit_short, beliefs.vote.limit_long)."""

    SHORT = "short"
    LONG = "long"


class TraitVote(Arguments, frozen=True):
    """Who took part in the story, and how long it was.

    All of them are discussed, and nobody else (beliefs.vote.who_is_eligible).
    """

    participants: tuple[str, ...]
    story: Story = Story.SHORT


KINDS = {"character": "Character trait", "die": "Die trait", "call_on": "Call-on trait"}
"""The kinds of traits, as people read them."""


class Motion(msgspec.Struct, frozen=True):
    """What the table votes on: a trait gained, or one lost."""

    character: str
    trait: Trait
    by: Seat
    loss: bool = False


class VoteCount(msgspec.Struct, frozen=True):
    """How a vote came out: what for, for whom, and how many were for it, against it or neither."""

    character: str
    motion: str
    yes: int
    no: int
    abstained: int = 0

    def __str__(self) -> str:
        """As people read it: ``3 for, 1 against, 1 abstained``."""
        said = f"{self.yes} for, {self.no} against"
        return f"{said}, {self.abstained} abstained" if self.abstained else said


class TraitVoteOutcome(Outcome, frozen=True):
    """Traits gained and lost, and motions rejected, each with its character; and the votes."""

    gained: tuple[tuple[str, str], ...]
    lost: tuple[tuple[str, str], ...]
    rejected: tuple[tuple[str, str], ...]
    votes: tuple[VoteCount, ...] = ()


def trait_vote(arguments: TraitVote, table: BurningTable) -> Play[TraitVoteOutcome]:
    """Discuss, vote, grant: in this order, for all characters together (beliefs.vote.sequence)."""
    names = arguments.participants
    check_participants(names, table, "beliefs.vote.who_is_eligible")
    over = yield from consent(
        GM,
        "story_over",
        "Has the campaign or extended adventure ended?",
        because="beliefs.vote.when",
    )
    if not over:
        raise NotAllowed("The trait vote takes place when the story has ended", "beliefs.vote.when")
    voters = electorate(names, table)
    motions: list[Motion] = []
    for name in names:
        motions += yield from _discuss(name, voters, table)
    carried: list[Motion] = []
    rejected: list[Motion] = []
    counts: tuple[VoteCount, ...] = ()
    for motion in motions:
        passed, count = yield from _vote(motion, voters, table)
        (carried if passed else rejected).append(motion)
        counts += (count,)
    carried = yield from _within_limit(carried, arguments.story, table)
    for motion in carried:
        table = yield from _grant(motion, table)
    for name in names:
        table = yield from _clear_marks(name, table)
    yield from table.amend("scene", "since_trait_vote", 0, because="beliefs.amb.vote_frequency")
    return TraitVoteOutcome(
        tuple((m.character, m.trait.name) for m in carried if not m.loss),
        tuple((m.character, m.trait.name) for m in carried if m.loss),
        tuple((m.character, m.trait.name) for m in rejected),
        counts,
    )


def check_participants(names: tuple[str, ...], table: BurningTable, rule: str) -> None:
    """Refuse a vote without anybody, with strangers, or with somebody named twice."""
    for name in names:
        table.character(name, "participants")
    if not names or len(set(names)) < len(names):
        raise BadInput("participants", list(names), "everyone who took part, each once", rule)


def electorate(participants: tuple[str, ...], table: BurningTable) -> tuple[Seat, ...]:
    """The GM and every player who took part, one vote each (beliefs.vote.who_nominates)."""
    seats = (table.character(name).seat(name) for name in participants)
    return tuple(dict.fromkeys((GM, *seats)))


# --- Discussion ----------------------------------------------------------------------------


def _discuss(character: str, voters: tuple[Seat, ...], table: BurningTable) -> Step[list[Motion]]:
    """Go round the table and collect nominations for one character.

    What was suggested already is discussed and voted on once.
    """
    sheet = table.character(character)
    owner = sheet.seat(character)
    motions: list[Motion] = []
    for seat in voters:
        suggestion = yield from ask(
            seat,
            f"nominate_{character}",
            f"Nominate a trait for {sheet.name} (empty: none)",
            Text(default="", longest=60),
            because="beliefs.vote.who_nominates",
        )
        if suggestion and _is_new(suggestion, motions, sheet):
            motions += yield from _described(suggestion, seat, character, sheet.name)
        if seat in (GM, owner) and sheet.traits:
            losses = yield from _propose_loss(seat, character, table)
            # The GM is asked first. If the owner proposes the same, a majority will do
            # (beliefs.vote.loss_by_owner_majority), and there is one vote.
            same = [each.trait for each in losses]
            motions = [m for m in motions if not m.loss or m.trait not in same] + losses
    for belief in (*sheet.beliefs, *sheet.instincts):
        motions += yield from _propose_evolution(belief, owner, character, motions, sheet)
    return motions


def _is_new(suggestion: str, motions: list[Motion], sheet: Sheet) -> bool:
    """Whether nobody has suggested that trait yet; one that the character has is refused."""
    wanted = suggestion.strip().casefold()
    if any(trait.name.casefold() == wanted for trait in sheet.traits):
        expected = f"a trait that {sheet.name} does not have yet"
        raise BadInput("trait", suggestion, expected, "beliefs.vote.unanimous_to_gain")
    return all(each.loss or each.trait.name.casefold() != wanted for each in motions)


def _described(suggestion: str, seat: Seat, character: str, name: str) -> Step[list[Motion]]:
    """What kind of trait it would be; all three may be awarded (beliefs.vote.kinds_awardable).

    One that changes the body must follow from what happened in play (beliefs.vote.body_traits).
    """
    kind = yield from choose(
        seat,
        "trait_kind",
        f"What kind of trait is {suggestion}?",
        KINDS,
        default="character",
        because="beliefs.vote.kinds_awardable",
    )
    body = yield from confirm_aside(
        seat,
        "alters_body",
        f"Does {suggestion} change {name}'s body?",
        because="beliefs.vote.body_traits",
    )
    if body:
        borne_out = yield from consent(
            GM,
            "borne_out",
            f"Do events in play support {suggestion}?",
            because="beliefs.vote.body_traits",
        )
        if not borne_out:
            return []
    return [Motion(character, Trait(suggestion, TraitKind(kind), body=body), seat)]


def _propose_loss(seat: Seat, character: str, table: BurningTable) -> Step[list[Motion]]:
    """The GM and the owner, and nobody else, may propose that a trait be lost.

    beliefs.vote.loss_who_proposes; any trait (beliefs.amb.loss_of_inborn_or_lifepath_traits).
    """
    sheet = table.character(character)
    chosen = yield from choose(
        seat,
        f"lose_{character}",
        f"Propose that {sheet.name} loses a trait?",
        {"none": "None", **{trait.name: trait.name for trait in sheet.traits}},
        default="none",
        because="beliefs.vote.loss_who_proposes",
        kind="aside",
    )
    if chosen == "none":
        return []
    trait = next(t for t in sheet.traits if t.name == chosen)
    return [Motion(character, trait, seat, loss=True)]


def _propose_evolution(
    belief: Belief, owner: Seat, character: str, motions: list[Motion], sheet: Sheet
) -> Step[list[Motion]]:
    """A Belief or Instinct for which artha was spent may be nominated to become a trait.

    artha.evolve.fate, artha.evolve.persona, artha.evolve.deeds: by the kinds of artha marked.
    """
    eligible = evolves_into(belief.spent)
    if not eligible:
        return []
    name = yield from ask(
        owner,
        "evolve",
        f"Nominate this to become a trait? Name the trait (empty: no). {belief.text}",
        Text(default="", longest=60),
        because="beliefs.vote.artha_does_not_bypass",
    )
    if not name or not _is_new(name, motions, sheet):
        return []
    options = tuple(
        Option(key=f"{kind.value}:{points}", label=label, rule="artha.evolve.mark")
        for kind, points, label in eligible
    )
    chosen = yield from choose(
        owner,
        "evolve_kind",
        f"What kind of trait is {name}?",
        options,
        default=options[0].key,
        because="artha.amb.evolve_exclusive",
    )
    kind, _, most = chosen.partition(":")
    low, high = (1, 3) if most == "3" else (4, 10)
    points = 1
    if kind == "die":
        points = yield from ask(
            owner,
            "evolve_points",
            f"How many points is {name} worth?",
            Number(least=low, most=high, default=low),
            because="artha.evolve.mark",
        )
    return [Motion(character, Trait(name, TraitKind(kind), points=points), owner)]


def evolves_into(spent: Artha) -> tuple[tuple[TraitKind, int, str], ...]:
    """The kinds of trait that artha spent for a Belief or Instinct opens, by the catalogue.

    The number tells minor die traits (3 points or less) from major ones (4 and more).

    >>> [kind.value for kind, _, _ in evolves_into(Artha(persona=1))]
    ['die', 'call_on']
    """
    table = catalogue().table("artha.table.evolving")
    found: list[tuple[TraitKind, int, str]] = []
    for field in ("fate", "persona", "deeds"):
        if not getattr(spent, field):
            continue
        for row in table.all_where(artha_marked=field.capitalize()):
            kind = TraitKind(row["trait_code"])
            found.append((kind, row.number("points_most"), row.text("eligible_for")))
    return tuple(found)


# --- The vote ------------------------------------------------------------------------------


class Vote(Enum):
    """For, against, or neither."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"


def cast_votes(
    voters: tuple[Seat, ...], key: str, prompt: str, *, because: str
) -> Step[tuple[Vote, ...]]:
    """Everybody votes at once, for or against, or abstains."""
    options = tuple(Option(vote.value, vote.value.capitalize(), because) for vote in Vote)
    question = PickOne(options=options, default="abstain")
    answers = yield from ask_all(*(Ask(seat, key, prompt, question, because) for seat in voters))
    return tuple(Vote(str(answer)) for answer in answers)


def carries(votes: tuple[Vote, ...], *, unanimous: bool) -> bool:
    """Whether a motion passes, among those present (beliefs.amb.vote_majority_and_abstention).

    >>> carries((Vote.YES, Vote.ABSTAIN), unanimous=True)
    True
    >>> carries((Vote.YES, Vote.NO), unanimous=False)
    False
    """
    ayes, noes = votes.count(Vote.YES), votes.count(Vote.NO)
    if unanimous:
        return ayes > 0 and noes == 0
    return ayes > noes


def counted(votes: tuple[Vote, ...], character: str, motion: str) -> VoteCount:
    """The votes on a motion, counted.

    >>> print(counted((Vote.YES, Vote.YES, Vote.NO), "ann", "Brave"))
    2 for, 1 against
    """
    yes, no, abstained = (votes.count(each) for each in Vote)
    return VoteCount(character, motion, yes, no, abstained)


def threshold(motion: Motion) -> tuple[bool, str]:
    """Whether a motion takes a unanimous vote, and the rule that says so."""
    if not motion.loss:
        row, rule = "gain a new trait", "beliefs.vote.unanimous_to_gain"
    elif motion.by == GM:
        row, rule = "lose a trait, proposed by the GM", "beliefs.vote.loss_by_gm_unanimous"
    else:
        row, rule = "lose a trait, proposed by the owner", "beliefs.vote.loss_by_owner_majority"
    needed = catalogue().table("beliefs.table.trait_vote_thresholds")
    return needed.value("needed_to_pass", motion=row) == "unanimous", rule


def _vote(
    motion: Motion, voters: tuple[Seat, ...], table: BurningTable
) -> Step[tuple[bool, VoteCount]]:
    """Vote on a motion; on a new trait the owner does not, by default.

    beliefs.amb.vote_owner_and_gm.
    """
    sheet = table.character(motion.character)
    owner = sheet.seat(motion.character)
    unanimous, rule = threshold(motion)
    seats = voters
    if not motion.loss and table.options["beliefs_owner_votes_on_gain"] == "no":
        seats = tuple(seat for seat in voters if seat != owner)
    what = "lose" if motion.loss else "gain"
    prompt = f"Should {sheet.name} {what} the trait {motion.trait.name}?"
    key = f"vote_{motion.character}_{motion.trait.name}"
    votes = yield from cast_votes(seats, key, prompt, because=rule)
    passed = carries(votes, unanimous=unanimous)
    verdict = "passes" if passed else "fails"
    count = counted(votes, motion.character, motion.trait.name)
    text = f"The vote for {sheet.name} to {what} the trait {motion.trait.name} {verdict}: {count}."
    yield from note(text, rule)
    return passed, count


def most_new_traits(story: Story, options: Options) -> int | None:
    """The most new traits a character takes from one vote (beliefs.amb.vote_limits_binding)."""
    custom = options["beliefs_new_traits_per_vote"]
    if custom == "no_limit":
        return None
    limits = catalogue().table("beliefs.table.trait_vote_limits")
    row = "short adventure or scenario" if story is Story.SHORT else "long or epic story"
    column = "max_new_traits_low" if custom == "short_1_long_2" else "max_new_traits_high"
    return limits.number(column, story_length=row)


def _within_limit(carried: list[Motion], story: Story, table: BurningTable) -> Step[list[Motion]]:
    """Where more traits pass than the limit allows, the table picks which to keep.

    beliefs.vote.limit_short, beliefs.vote.limit_long.
    """
    most = most_new_traits(story, table.options)
    kept: list[Motion] = [motion for motion in carried if motion.loss]
    for character in dict.fromkeys(motion.character for motion in carried):
        gains = [m for m in carried if m.character == character and not m.loss]
        if most is not None and len(gains) > most:
            rule = f"beliefs.vote.limit_{story.value}"
            choices = tuple(Option(key=m.trait.name, label=m.trait.name, rule=rule) for m in gains)
            chosen = yield from ask(
                GM,
                "keep",
                f"{table.character(character).name}: which {most} of these new traits stay?",
                PickSeveral(
                    options=choices,
                    least=most,
                    most=most,
                    default=tuple(m.trait.name for m in gains[:most]),
                ),
                because="beliefs.amb.vote_limits_binding",
            )
            gains = [m for m in gains if m.trait.name in chosen]
        kept += gains
    return kept


# --- What follows --------------------------------------------------------------------------


def _grant(motion: Motion, table: BurningTable) -> Step[BurningTable]:
    """What was voted becomes a trait, or ceases to be (beliefs.trait.must_be_bought_or_voted)."""
    traits = table.character(motion.character).traits
    _, because = threshold(motion)
    if motion.loss:
        after = tuple(trait for trait in traits if trait.name != motion.trait.name)
    else:
        after = (*traits, motion.trait)
    return (yield from table.amend(motion.character, "traits", after, because=because))


def _clear_marks(character: str, table: BurningTable) -> Step[BurningTable]:
    """Marks count for one arc of the story; the vote clears them (artha.amb.evolve_exclusive)."""
    for field in ("beliefs", "instincts"):
        for index in range(len(getattr(table.character(character), field))):
            path = f"{field}.{index}.spent"
            because = "artha.amb.evolve_exclusive"
            table = yield from table.amend(character, path, Artha(), because=because)
    return table


PROCEDURES = (Procedure("trait_vote", "Trait vote", TraitVote, trait_vote),)
