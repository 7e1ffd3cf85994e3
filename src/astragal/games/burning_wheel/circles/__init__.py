"""Circles: finding people, and what binds them: contacts, relationships, affiliations, reputations.

In the book's order: ``searches``, ``search_obstacle``, ``bonus_dice``, ``circles_test``,
``search_results``, ``contacts``, ``relationships``, ``affiliations``, ``losing_standing``,
``identities``, ``reputation_vote``, ``quiet_searches``, ``detection``.
"""
