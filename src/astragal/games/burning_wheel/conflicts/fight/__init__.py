"""Fight!: detailed combat, exchange by exchange.

In the book's order: ``reflexes``, ``distance``, ``state``, ``hesitation``, ``gathering``,
``harm``, ``stances``, ``footing``, ``charge``, ``positioning``, ``script``.
"""
