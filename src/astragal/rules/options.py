"""The choices a group has made among the options of its game.

Which options there are is in `option_specs`; what a choice does is up to the game.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterator, Mapping

from astragal.errors import BadInput
from astragal.rules.lookup import catalogue
from astragal.rules.option_specs import OptionSpec


class Options(Mapping[str, str]):
    """The choice made for every option of one game; those not given take their default.

    >>> options = Options.of("burning_wheel", {"tests_early_stop": "summary"})
    >>> options["tests_early_stop"], options["edition"], options.changed
    ('summary', 'revised', {'tests_early_stop': 'summary'})
    >>> options.but(tests_early_stop="body") == Options.of("burning_wheel")
    True
    """

    __slots__ = ("_choices", "_hash", "_system")

    def __init__(self, system: str, choices: Mapping[str, str]) -> None:
        """Hold choices that were checked already; `Options.of` checks and fills them."""
        self._system = system
        self._choices = dict(choices)
        self._hash = hash((system, tuple(self._choices.items())))

    @classmethod
    def of(cls, system: str, chosen: Mapping[str, object] | None = None) -> Options:
        """Check the choices given and fill in the defaults of all others."""
        specs = _specs(system)
        for name in chosen or {}:
            if name not in specs:
                near = difflib.get_close_matches(name, specs, n=3)
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                raise BadInput(f"options.{name}", name, f"an option of {system}{hint}")
        return cls(
            system,
            {
                name: spec.check(chosen[name]) if chosen and name in chosen else spec.default
                for name, spec in specs.items()
            },
        )

    def but(self, **chosen: str) -> Options:
        """The same options with some choices changed."""
        return Options.of(self._system, {**self._choices, **chosen})

    @property
    def system(self) -> str:
        """The game these are for."""
        return self._system

    @property
    def changed(self) -> dict[str, str]:
        """Only the choices that differ from the default."""
        specs = _specs(self._system)
        return {
            name: choice for name, choice in self._choices.items() if choice != specs[name].default
        }

    def as_dict(self) -> dict[str, str]:
        """All choices as a plain mapping, for files and messages."""
        return dict(self._choices)

    def __getitem__(self, name: str) -> str:
        try:
            return self._choices[name]
        except KeyError:
            near = difflib.get_close_matches(name, self._choices, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise KeyError(f"{name} is not an option of {self._system}{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Options):
            return NotImplemented
        return self._system == other._system and self._choices == other._choices

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Options.of({self._system!r}, {self.changed!r})"


@functools.cache
def _specs(system: str) -> dict[str, OptionSpec]:
    return {spec.name: spec for spec in catalogue().options(system)}
