"""Fight!: detailed combat, exchange by exchange.

In the book's order: ``reflexes``, ``distance``, ``state``, ``hesitation``, ``gathering``,
``harm``, ``stances``, ``acts``, ``making_ready``, ``shots``, ``social_and_magic``,
``tandem_actions``, ``other_actions``, ``footing``, ``charge``, ``positioning``, ``script``,
``policies``.
"""
