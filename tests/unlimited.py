"""Rates that no test comes up against: what is refused must not depend on a quick machine."""

from __future__ import annotations

from astragal.web.settings import Rate, Rates

PLENTY = Rate(10_000, 100_000)
UNLIMITED = Rates(**dict.fromkeys(Rates.__struct_fields__, PLENTY))
