"""Words that stand for secrets: planted, and searched for in whatever is sent."""

from __future__ import annotations


class Secrets:
    """Words that not everybody may hear."""

    def __init__(self) -> None:
        self._count = 0
        self.known: dict[str, set[str]] = {}

    def word(self, *seats: str) -> str:
        self._count += 1
        word = f"zq{self._count:04d}qz"
        self.known[word] = set(seats)
        return word

    def told(self, word: str, *seats: str) -> None:
        """Now these know it, too; without seats, all do."""
        if not seats:
            self.known.pop(word, None)
        elif word in self.known:
            self.known[word] |= set(seats)

    def kept_from(self, seat: str) -> list[str]:
        return [word for word, seats in self.known.items() if seat not in seats]
