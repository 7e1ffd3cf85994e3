"""Group Tests: everyone rolls, and their Successes are added up.

Success or failure is all there is to it: extra Successes count for nothing, and a failure
falls on the group as a whole (signs.amb.group_yes_and).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Outcome, Procedure
from astragal.play import Line, Play, Tally, call, note, tell, then

from .before_the_roll import TEST, Approach, check_approach, check_goal, may_test, prepare
from .boons import use_up
from .facts import GroupCame, MemberCame, TestAnnounced
from .one_attempt import keep, not_tried_before
from .rolling import throw
from .scene import SignsTable, TriedGoal


class Member(Approach, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A member of the group, and how they take part."""


class GroupTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The group's goal, and everyone who takes part."""

    goal: str
    members: tuple[Member, ...]
    success: str = ""
    failure: str = ""


class GroupOutcome(Outcome, frozen=True):
    """How a group Test came out; ``needed`` is what it took, member by member."""

    passed: bool
    successes: int
    needed: Tally
    reached: str = ""
    due: str = ""


def group_test(arguments: GroupTest, table: SignsTable) -> Play[GroupOutcome]:
    """A whole group acts together: each member makes a Test (signs.group.everyone)."""
    check_goal(arguments.goal)
    names = tuple(member.character for member in arguments.members)
    if len(names) < 2 or len(set(names)) < len(names):
        expected = "two or more different characters"
        raise BadInput("members", list(names), expected, "signs.group.everyone")
    for member in arguments.members:
        sheet = may_test(member.character, table)
        for helper in member.helpers:
            if helper in names:
                name = table.character(helper).name
                what = f"{name} takes part in the group Test and cannot help {sheet.name}"
                raise NotAllowed(what, "signs.group.no_help")
        check_approach(member, TEST, table)
    for name in names:
        yield from not_tried_before(table, name, arguments.goal)
    return then(next_member, arguments, 0, 0, table)


def next_member(
    arguments: GroupTest, done: int, total: int, table: SignsTable
) -> Play[GroupOutcome]:
    """One member after the other; a member who chooses to fail counts as 0 and still takes part.

    signs.amb.group_yes_and.
    """
    if done == len(arguments.members):
        return then(together, arguments, total, table)
    member = arguments.members[done]
    sheet = table.character(member.character)
    score, _ = sheet.score(member.score)
    yield from tell(TestAnnounced("Group Test", sheet.name, score, arguments.goal))
    names = tuple(each.character for each in arguments.members)
    ready = yield from prepare(member, arguments.goal, TEST, table, names)
    if ready is None:
        said = f"{sheet.name} chooses to fail and adds no Successes."
        yield from note(said, "signs.success.downgrade")
        return then(next_member, arguments, done + 1, total, table)
    result = yield from call(throw, ready)
    table = yield from use_up(table, member.character, result.boon, ready.banes)
    so_far = total + result.taken
    verdict = f"{so_far} in total so far."
    yield from tell(MemberCame(sheet.name, result.rolled, result.taken, verdict))
    return then(next_member, arguments, done + 1, so_far, table)


def together(arguments: GroupTest, total: int, table: SignsTable) -> Play[GroupOutcome]:
    """At least as many Successes as members, and the group succeeds (signs.group.success)."""
    needed = Tally(
        tuple(
            Line(1, table.character(member.character).name, "signs.group.success")
            for member in arguments.members
        )
    )
    success = total >= needed.total
    brings = arguments.success if success else arguments.failure
    yield from tell(GroupCame(total, needed.total, success, brings))
    scene = table.scene.number
    kept = (
        TriedGoal(member.character, arguments.goal, total, success, scene)
        for member in arguments.members
    )
    yield from keep(table, *kept)
    return GroupOutcome(
        passed=success,
        successes=total,
        needed=needed,
        reached=arguments.success if success else "",
        due="" if success else arguments.failure,
    )


PROCEDURES = (Procedure("group_test", "Group Test", GroupTest, group_test, frequent=3),)
