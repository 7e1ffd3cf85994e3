"""Beliefs, Instincts and traits, and the vote on traits.

In the book's order: ``beliefs``, ``statements_of_faith``, ``instincts``, ``ready_for_play``,
``sessions``, ``trait_vote``.
"""
