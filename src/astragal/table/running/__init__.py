"""Running procedures at a table: the session, its dice, votes, and what is recorded of them."""
