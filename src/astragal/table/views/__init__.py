"""What a seat sees: a pure view of the campaign's state, and what of it has changed."""
