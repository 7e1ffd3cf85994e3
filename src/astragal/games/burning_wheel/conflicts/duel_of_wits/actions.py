"""The seven verbal actions: the skills they test, the words they need, the dice they get.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``). The
scripted maneuver is the task, and the words carry the intent
(duel_of_wits.play.intent_and_task); what two actions do to each other is in
``conflicts/duel_of_wits/matrix``.
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import (
    GM,
    AskKind,
    Fact,
    Line,
    Option,
    Play,
    Step,
    Text,
    ask,
    choose,
    consent,
    note,
    tell,
)
from astragal.rules import Options, catalogue

from ...artha.aristeia import lightened
from ...conditions.every_test import conditions_on
from ...conditions.lines import Tester
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...tests.attempts import Attempt, prepare
from ...tests.helping import known_roots, root_stat
from ...tests.intent import Agreement, Context
from .matrix import NOTHING, Rolls, actions, pairing

OTHER = "other"
"""The card for anything but a verbal action: gritting one's teeth, casting a spell."""

CONCEDE = "concede"
"""The card with which a side gives up: there is no exchange then, whatever else it scripts."""

LABELS = {"avoid": "Avoid the Topic", OTHER: "Something else", NOTHING: "No action"}

REQUIREMENTS = {
    "avoid": ("change the subject, however silly that sounds", "duel_of_wits.avoid.requirement"),
    "dismiss": (
        "a crushing last word: the other side is ignorant and not worth hearing",
        "duel_of_wits.dismiss.requirement",
    ),
    "feint": (
        "mislead the other side; against a Rebuttal, a false point, then the real one",
        "duel_of_wits.feint.speech_against_rebuttal",
    ),
    "incite": ("a plain insult", "duel_of_wits.incite.requirement"),
    "obfuscate": (
        "something irrelevant or bewildering, while the other side is talking",
        "duel_of_wits.obfuscate.requirement",
    ),
    "point": ("the main thrust is enough", "duel_of_wits.play.must_speak"),
    "rebuttal": ("answer what was said, then attack", "duel_of_wits.rebuttal.requirement"),
}
"""What must be said for each action, and by which rule."""


class Speaker(msgspec.Struct, frozen=True, cache_hash=True):
    """Who scripts, speaks and rolls for a side (duel_of_wits.group.primary), and its helpers.

    ``skill`` is the dueling skill, chosen for the whole duel (duel_of_wits.skill.chosen_at_body).
    """

    character: str
    skill: str
    helpers: tuple[str, ...] = ()


class Debate(msgspec.Struct, frozen=True, cache_hash=True):
    """What is argued, and by whom."""

    about: str
    speakers: tuple[Speaker, Speaker]


class Speech(Fact, frozen=True, tag="spoke"):
    """The words of a volley."""

    name: str
    action: str
    words: str

    def sentence(self) -> str:
        """The words, and what they are meant to do."""
        return f"{self.name} ({label(self.action)}): {self.words}"


def label(action: str) -> str:
    """The name of an action.

    >>> label("avoid"), label("point")
    ('Avoid the Topic', 'Point')
    """
    return LABELS.get(action, action.capitalize())


# --- Skills --------------------------------------------------------------------------------


@cache
def main_skills() -> tuple[str, ...]:
    """The skills with which a duel may be fought (duel_of_wits.skill.main_list).

    All others may only support it (duel_of_wits.skill.secondary_list).

    >>> main_skills()[:2], main_skills()[-1]
    (('Oratory', 'Rhetoric'), 'Haggling')
    """
    rows = catalogue().table("duel_of_wits.table.skill_roles").records()
    return tuple(str(row["skill"]) for row in rows if row["main dueling skill"])


@cache
def listed(action: str) -> tuple[str, ...]:
    """What an action may be rolled with.

    duel_of_wits.avoid.test, duel_of_wits.dismiss.skills, duel_of_wits.feint.skills,
    duel_of_wits.incite.skills, duel_of_wits.obfuscate.skills, duel_of_wits.point.skills,
    duel_of_wits.rebuttal.skills.

    >>> listed("avoid"), listed("incite")
    (('Will',), ('Ugly Truth', 'Intimidation', 'Falsehood', 'Command'))
    """
    table = catalogue().table("duel_of_wits.table.action_skills")
    return table.where(action=action).texts("tests")


@cache
def own_dice(action: str) -> tuple[Line, ...]:
    """The dice that an action itself adds: +2D for a Dismiss (duel_of_wits.dismiss.bonus)."""
    table = catalogue().table("duel_of_wits.table.action_skills")
    dice = table.number("dice_modifier", action=action)
    return (Line(dice, label(action), "duel_of_wits.dismiss.bonus"),) if dice else ()


def may_test(action: str, rolls: Rolls, speaker: Speaker, options: Options) -> tuple[str, ...]:
    """The abilities that a speaker may roll for an action, whether or not they are on the sheet.

    Point and Rebuttal are rolled with the dueling skill (duel_of_wits.amb.changing_skill), also
    where that is Haggling (duel_of_wits.amb.haggling_not_listed); the free Point after a Feint
    with that or with a Feint skill (duel_of_wits.amb.feint_point_skill).
    """
    if action in ("point", "rebuttal"):
        return (speaker.skill,)
    skills = listed(action)
    if rolls is Rolls.FREE_POINT:
        skills += (speaker.skill,)
    if action == "dismiss" and options["duel_of_wits_dismiss_skill"] == "also_dueling_skill":
        skills += (speaker.skill,)
    haggling = options["duel_of_wits_haggling_actions"] == "also_dismiss_and_obfuscate"
    if action in ("dismiss", "obfuscate") and speaker.skill == "Haggling" and haggling:
        skills += (speaker.skill,)
    return tuple(dict.fromkeys(skills))


@lru_cache(1024)
def trained(sheet: Sheet, skills: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the abilities that are on a sheet, the best first."""
    found = [rated for name in skills if (rated := sheet.find(name)) is not None and rated.exponent]
    return tuple(rated.name for rated in sorted(found, key=lambda rated: -rated.exponent))


def with_dice(room: BurningTable, character: str, skills: tuple[str, ...]) -> tuple[str, ...]:
    """Those of a speaker's abilities that wounds and the like have left any dice of."""
    sheet = room.character(character)
    rated = [sheet.ability(name) for name in skills]
    return tuple(
        each.name
        for each in rated
        if each.exponent > sum(c.lost for c in conditions_on(Tester(character, each, room)))
    )


@lru_cache(1024)  # it is asked again in every volley
def has_dice(action: str, rolls: Rolls, speaker: Speaker, room: BurningTable) -> bool:
    """Whether a speaker has dice for an action, for none can be added to none.

    tests.amb.zero_dice. A root stat without dice is none of a speaker who can stand and argue.
    """
    may = may_test(action, rolls, speaker, room.options)
    skills = trained(room.character(speaker.character), may)
    return not skills or bool(with_dice(room, speaker.character, skills))


@lru_cache(256)
def cards(speaker: Speaker, sheet: Sheet, options: Options) -> tuple[Option, ...]:
    """The actions that a speaker may script, each with its skills and counters.

    An action without any fitting skill is tried by Beginner's Luck, where the table allows that
    (duel_of_wits.amb.beginners_luck). The notes are the short lists of the game
    (duel_of_wits.actions.counters, duel_of_wits.actions.countered_by,
    duel_of_wits.actions.defends_against). The same card may be used again
    (duel_of_wits.amb.repeated_actions).
    """
    found = []
    for action in actions():
        skills = may_test(action, Rolls.ONCE, speaker, options)
        known = trained(sheet, skills)
        if not known and options["duel_of_wits_beginners_luck"] == "never":
            continue
        tests = ", ".join(known) or f"untrained: {', '.join(skills)}"
        note = "; ".join((tests, *qualifiers(action)))
        rule = "duel_of_wits.actions.seven"
        found.append(Option(key=action, label=label(action), rule=rule, note=note))
    # duel_of_wits.amb.other_acts_in_a_volley
    rule = "duel_of_wits.amb.other_acts_in_a_volley"
    found.append(Option(key=OTHER, label=label(OTHER), rule=rule, note="no defence"))
    rule, note = "duel_of_wits.amb.walk_away_mid_duel", "you lose, before any card is shown"
    found.append(Option(key=CONCEDE, label=label(CONCEDE), rule=rule, note=note))
    return tuple(found)


@cache
def qualifiers(action: str) -> tuple[str, ...]:
    """The short lists of an action: what it counters, is countered by, and defends against.

    >>> qualifiers("feint")
    ('counters rebuttal', 'defends against obfuscate')
    """
    row = catalogue().table("duel_of_wits.table.qualifiers_as_printed").where(action=action)
    heads = ("counters", "countered by", "defends against")
    return tuple(
        f"{head} {row[head]}" for head in heads if row[head] not in ("not given", "nothing")
    )


# --- Speaking ------------------------------------------------------------------------------


@cache
def speaking_order(a: str, b: str) -> tuple[str, int | None]:
    """Who speaks first, in the catalogue's words, and which side that is (None: the GM decides).

    duel_of_wits.order.rebuttal_last, duel_of_wits.order.interrupts,
    duel_of_wits.order.same_time_attacks.

    >>> speaking_order("rebuttal", "dismiss")
    ('the point or dismiss', 1)
    """
    for row in catalogue().table("duel_of_wits.table.speaking_order").records():
        says, first = row.text("who speaks first"), row.text("first_code")
        for mine, other, side in ((a, b, 0), (b, a, 1)):
            if mine in row.texts("one_codes") and other in row.texts("other_codes"):
                sides = {"one": side, "other": 1 - side, "decided": None, "either": 0}
                return says, sides[first]
    raise LookupError(f"duel_of_wits.table.speaking_order has no row for {a!r} and {b!r}")


def speak(debate: Debate, played: tuple[str, str], room: BurningTable) -> Step[tuple[str, str]]:
    """Each side speaks its action before any dice are rolled (duel_of_wits.play.must_speak).

    The action is the task, and the words carry the intent (duel_of_wits.play.intent_and_task);
    they are said at the table, and may be written down. The GM may find that they do not fit the
    action; then the player tries again. Where no dice are rolled, nobody waits for them.
    """
    kind: AskKind = "offered" if any(pairing(*played).rolling) else "aside"
    first = 0
    if all(played):
        says, side = speaking_order(*played)
        if side is None:
            side = yield from _who_begins(debate, says, room)
        first = side
    words = ["", ""]
    for side in (first, 1 - first):
        action = played[side]
        if action:
            words[side] = yield from _say(debate, side, action, kind, room)
    return words[0], words[1]


def _say(debate: Debate, side: int, action: str, kind: AskKind, room: BurningTable) -> Step[str]:
    character = debate.speakers[side].character
    sheet = room.character(character)
    demand, rule = REQUIREMENTS[action]
    prompt = f"{sheet.name}, {label(action)}: your words ({demand})"
    question = Text(default="")
    while True:
        words = yield from ask(
            sheet.seat(character), "speech", prompt, question, because=rule, kind=kind
        )
        if words:
            yield from tell(Speech(sheet.name, action, words))
        fits = yield from consent(
            GM,
            "spoken",
            f"{sheet.name}, {label(action)}: the speech fits ({demand})",
            because=rule,
        )
        if fits:
            return words
        question = Text(required=True)


def _who_begins(debate: Debate, says: str, room: BurningTable) -> Step[int]:
    """A trait or age decides between two attacks at once; nothing else depends on it.

    duel_of_wits.amb.who_speaks_first.
    """
    names = [speaker.character for speaker in debate.speakers]
    ages = [room.character(name).age for name in names]
    elder = names[1] if ages[1] > ages[0] else names[0]
    chosen = yield from choose(
        GM,
        "speaks_first",
        f"Both attack. Who speaks first? ({says})",
        {name: room.character(name).name for name in names},
        default=elder,
        because="duel_of_wits.order.same_time_attacks",
        kind="aside",
    )
    return names.index(chosen)


def speak_up(
    debate: Debate, rolling: tuple[bool, bool], room: BurningTable
) -> Step[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Which helpers speak up in this volley, and for whom; all before the primary rolls.

    duel_of_wits.group.help_timing. A silent helper gives no dice
    (duel_of_wits.group.help_requires_speech), and any helper may help the other side
    (duel_of_wits.group.help_other_side). Ability and manner are asked as for any other help
    (duel_of_wits.group.help), which has to be accepted and to fit the action
    (duel_of_wits.amb.group_treachery_consent, duel_of_wits.group.help_fits_manoeuvre).
    """
    helping: list[tuple[str, ...]] = [(), ()]
    if not any(rolling):
        return (), ()
    rule = "duel_of_wits.group.help_other_side"
    silent = "duel_of_wits.group.help_requires_speech"
    nobody = Option(key="nobody", label="Stay silent", rule=silent)
    sides = tuple(
        Option(key=speaker.character, label=room.character(speaker.character).name, rule=rule)
        for speaker, rolls in zip(debate.speakers, rolling, strict=True)
        if rolls
    )
    for speaker in debate.speakers:
        for helper in speaker.helpers:
            sheet = room.character(helper, "helpers")
            said = yield from choose(
                sheet.seat(helper),
                "speak_up",
                f"{sheet.name}: speak up for whom?",
                (nobody, *sides),
                default=nobody.key,
                because=rule,
            )
            for at, other in enumerate(debate.speakers):
                if said == other.character:
                    helping[at] += (helper,)
    return helping[0], helping[1]


# --- Dice ----------------------------------------------------------------------------------


def gather(
    debate: Debate,
    side: int,
    action: str,
    rolls: Rolls,
    words: str,
    context: Context,
    helpers: tuple[str, ...],
    room: BurningTable,
) -> Play[Attempt]:
    """The dice of one action: a skill, FoRKs, help, what is carried over, artha.

    As for any test (duel_of_wits.skill.forks); Will takes no FoRKs. Dice of the duel's own rules
    add to one another and to an argued advantage (duel_of_wits.amb.modifiers_stack).
    """
    speaker = debate.speakers[side]
    character = speaker.character
    sheet = room.character(character)
    words = words or label(action)
    agreed = yield from _with_skill(debate, side, action, rolls, words, room)
    with_own = msgspec.structs.replace(context, dice=own_dice(action) + context.dice)
    yield from _note_luck(sheet, agreed)
    # No target: enmity is no obstacle here, as it is in ordinary social tests; it counts in the
    # body of argument instead (circles.enmity.social_penalty, circles.enmity.duel_bonus).
    return (yield from prepare(agreed.declared(helpers), agreed, 0, with_own, room))


def _with_skill(
    debate: Debate, side: int, action: str, rolls: Rolls, words: str, room: BurningTable
) -> Step[Agreement]:
    speaker = debate.speakers[side]
    sheet = room.character(speaker.character)
    seat = sheet.seat(speaker.character)
    may = may_test(action, rolls, speaker, room.options)
    skills = trained(sheet, may)
    skills = with_dice(room, speaker.character, skills) or skills
    name = (skills or may)[0]
    if len(skills or may) > 1:
        name = yield from choose(
            seat,
            "skill",
            f"{sheet.name}, {label(action)}: skill",
            {each: str(sheet.find(each) or each) for each in skills or may},
            default=name,
            because="duel_of_wits.amb.dismiss_skill",
        )
    if skills:
        rated = lightened(room, speaker.character, sheet.ability(name))
        return Agreement(speaker.character, debate.about, words, rated)
    stat, roots = yield from root_stat(seat, sheet, name, known_roots(name, room))
    stat = lightened(room, speaker.character, stat)
    return Agreement(speaker.character, debate.about, words, stat, name, roots)


def _note_luck(sheet: Sheet, agreed: Agreement) -> Step[None]:
    if agreed.missing_skill:
        text = f"{sheet.name} tries {agreed.missing_skill} by Beginner's Luck."
        yield from note(text, "duel_of_wits.amb.beginners_luck")
