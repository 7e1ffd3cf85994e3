"""Making: a procedure that ends with what a plain function makes of another one's result.

Live play carries on as after any call. A walk over every outcome makes all results in one go,
where it would otherwise have to begin the procedure again for each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from astragal.play.effects import Play, Then, call

T = TypeVar("T")


class Making(msgspec.Struct, frozen=True):
    """A procedure: play another to its end, and make something of its result.

    The function gets the result and further values; it decides nothing and rolls nothing.
    """

    make: Callable[..., Any]

    def __call__(self, start: Then[Any], *values: Any) -> Play[Any]:
        """Run the other procedure, then the function."""
        result = yield from call(start.procedure, *start.args)
        return self.make(result, *values)


def made_of(make: Callable[..., T], start: Then[Any], *values: Any) -> Then[T]:
    """Go on with a procedure, and end with ``make(result, *values)`` (to be *returned*)."""
    return Then(Making(make), (start, *values))
