"""Short keys for the rows of the catalogue's tables, for answers and arguments."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from astragal.errors import BadInput


def key_of(text: object) -> str:
    """A row's words as a key that is easily typed.

    >>> key_of("volcanic eruption, cataclysm")
    'volcanic_eruption_cataclysm'
    """
    return re.sub(r"[^a-z0-9]+", "_", str(text).casefold()).strip("_")


def check_key(key: str, known: Mapping[str, object], place: str, rule: str) -> str:
    """A key that there is, or a refusal that names the nearest ones."""
    wanted = key_of(key)
    if wanted in known:
        return wanted
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.4) or list(known)
    raise BadInput(place, key, f"one of {', '.join(near)}", rule)
