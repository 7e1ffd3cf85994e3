"""Fight!: what other chapters say about its actions, ready for its script.

In the book's order: ``reflexes``, ``distance``, ``state``, ``hesitation``, ``gathering``,
``harm``, ``stances``, ``other_actions``, ``tandem_actions``, ``shots``.
"""
