"""Fight!: what other chapters say about its actions, ready for its script.

The modules: ``reflexes``.
"""
