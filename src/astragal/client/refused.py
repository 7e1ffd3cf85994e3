"""What a client raises when the server refuses."""

from __future__ import annotations

import msgspec

from astragal.errors import Refusal
from astragal.web.messages import ErrorBody, ErrorDetails


class Refused(Refusal):
    """The server refused: its status (0 over a socket), and its reasons."""

    def __init__(self, status: int, details: ErrorDetails) -> None:
        """Take the server's status and reasons."""
        super().__init__(details.line)
        self.status = status
        self.place = details.place
        self.value = details.value
        self.expected = details.expected
        self.rule = details.rule or None


def refused(status: int, body: bytes) -> Refused:
    """The server's answer as an exception; a proxy in front may answer in another form."""
    try:
        details = msgspec.json.decode(body, type=ErrorBody).error
    except msgspec.MsgspecError:
        details = ErrorDetails(f"The server answered with status {status}.")
    return Refused(status, details)
