"""What a client raises when the server says no."""

from __future__ import annotations

import msgspec

from astragal.errors import Refusal
from astragal.web.messages import Refused as RefusedAnswer
from astragal.web.messages import Wrong


class Refused(Refusal):
    """The server refused: its status (0 over a socket), and its words."""

    def __init__(self, status: int, wrong: Wrong) -> None:
        """Take the server's words."""
        super().__init__(wrong.line)
        self.status = status
        self.place = wrong.place
        self.value = wrong.value
        self.expected = wrong.expected
        self.rule = wrong.rule or None


def refused(status: int, body: bytes) -> Refused:
    """The server's answer as an exception; whatever else stands in front may answer, too."""
    try:
        wrong = msgspec.json.decode(body, type=RefusedAnswer).error
    except msgspec.MsgspecError:
        wrong = Wrong(f"the server answered {status}")
    return Refused(status, wrong)
