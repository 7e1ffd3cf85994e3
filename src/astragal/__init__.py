"""Astragal: the game table that knows the rules."""
