"""Making: a procedure that ends with what a plain function makes of another one's result.

Live play carries on as after any call. A walk over every outcome makes all results in one go,
where it would otherwise have to begin the procedure again for each of them. Where only part of a
result matters to what follows, a walk goes on once for each such part (:func:`onward`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import msgspec

from astragal.play.effects import Call, Play, Then

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)


class Making(msgspec.Struct, frozen=True):
    """A procedure: play another to its end, and make something of its result.

    The function gets the result and further values; it decides nothing and rolls nothing.
    ``apart`` is as for a call: the other procedure is one for several, who may be taken one by one.
    """

    make: Callable[..., Any]
    apart: bool = False

    def __call__(self, start: Then[Any], *values: Any) -> Play[Any]:
        """Run the other procedure, then the function."""
        result = yield Call(start, self.apart)
        return self.make(result, *values)


def made_of(make: Callable[..., T], start: Then[Any], *values: Any) -> Then[T]:
    """Go on with a procedure, and end with ``make(result, *values)`` (to be *returned*)."""
    return Then(Making(make), (start, *values))


def made_of_several(
    make: Callable[..., T],
    procedure: Callable[[tuple[H, ...]], Play[tuple[Any, ...]]],
    several: tuple[H, ...],
    *values: Any,
) -> Then[T]:
    """Go on with a procedure for several at once, as `together` does; make one result of all.

    It ends with ``make(results, *values)``.
    """
    return Then(Making(make, apart=len(several) > 1), (Then(procedure, (several,)), *values))


class Onward(msgspec.Struct, frozen=True):
    """A procedure: play one to its end, go on with what matters of its result, and add the rest.

    ``matters`` gets the result and further values, ``follows`` what matters and these values, and
    ``make`` what came of that and the whole result. None of them decides or rolls anything.
    """

    matters: Callable[..., Hashable]
    follows: Callable[..., Then[Any]]
    make: Callable[[Any, Any], Any]

    def __call__(self, start: Then[Any], *values: Any) -> Play[Any]:
        """Run the first procedure, then the one that follows."""
        result = yield Call(start)
        came = yield Call(self.follows(self.matters(result, *values), *values))
        return self.make(came, result)


def onward(
    matters: Callable[..., Hashable],
    follows: Callable[..., Then[Any]],
    make: Callable[[Any, Any], T],
    start: Then[Any],
    *values: Any,
) -> Then[T]:
    """Go on with a procedure, then with what follows from as much of its result as matters.

    It ends with ``make(what came of that, result)`` (to be *returned*).
    """
    return Then(Onward(matters, follows, make), (start, *values))
