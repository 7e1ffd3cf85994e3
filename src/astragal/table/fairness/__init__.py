"""Fair dice: what anybody needs to check an evening without trusting the server.

``parts``: what of an entry matters for the dice, and its seal. ``evidence``: what one seat saw of
it, for a file. ``order``: whether throws have their numbers in order. ``check``: deriving
everything again, against what devices kept (``receipts``). ``older``: sessions of the older kind,
whose seed is shown as a whole. ``databases``: a store, entry by entry. ``following``: a log
followed once more from its beginning, and its snapshots compared with what it comes to.
"""

from astragal.table.fairness.check import verify
from astragal.table.fairness.evidence import (
    EntrySeen,
    Evidence,
    PartSeen,
    SessionSeen,
    ThrowSeen,
    evidence,
)
from astragal.table.fairness.older import derive
from astragal.table.fairness.parts import WrittenEntry, sealed, sealed_as_read
from astragal.table.fairness.receipts import Receipt
from astragal.table.fairness.report import FairnessReport, Finding

__all__ = [
    "EntrySeen",
    "Evidence",
    "FairnessReport",
    "Finding",
    "PartSeen",
    "Receipt",
    "SessionSeen",
    "ThrowSeen",
    "WrittenEntry",
    "derive",
    "evidence",
    "sealed",
    "sealed_as_read",
    "verify",
]
