"""What came of checking the dice."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """Something that does not fit, or that people should know; ``wrong`` tells which."""

    session: int
    entry: int | None
    wrong: bool
    text: str


class FairnessReport(msgspec.Struct, frozen=True):
    """What came of checking: how many throws fit, how many were typed in, and what was found.

    ``unseen`` throws are known to be there, but not shown to this seat; ``undone`` ones were shown
    and then undone. ``compared`` is how many receipts of devices were compared.
    """

    fit: int
    typed: int
    unseen: int
    findings: tuple[Finding, ...]
    undone: int = 0
    compared: int = 0

    @property
    def fair(self) -> bool:
        """Whether nothing was found wrong."""
        return not any(finding.wrong for finding in self.findings)
