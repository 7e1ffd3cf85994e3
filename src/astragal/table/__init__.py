"""The table: campaigns as logs of events, seats and what each may see, the store, fair dice.

It knows the games through :class:`~astragal.games.game.Game` alone.
"""
