"""Beliefs, Instincts and traits, and the vote on traits.

In the book's order: ``beliefs``, ``trait_vote``.
"""
