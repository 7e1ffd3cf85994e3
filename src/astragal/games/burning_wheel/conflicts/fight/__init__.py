"""Fight!: detailed combat, exchange by exchange.

In the book's order: ``fight``, ``surprise``, ``exchange``, ``joining``, ``script``, ``reflexes``,
``distance``, ``state``, ``initiative``, ``forfeits``, ``volley``, ``footing``, ``positioning``,
``charge``, ``moment``, ``matching``, ``meetings``, ``lost_actions``, ``getting_ready``, ``clash``,
``consequences``, ``interactions``, ``natural_defenses``, ``skills``, ``strikes``,
``divided_actions``, ``grappling``, ``gathering``, ``attempting``, ``harm``, ``stances``,
``hesitation``,
``readied``, ``acts``, ``making_ready``, ``shots``, ``social_and_magic``, ``tandem_actions``,
``other_actions``, ``outcome``, ``picture``, ``one_action``, ``policies``.

Mounted combat: ``mounted``, ``mounted_cards``, ``mounted_footing``, ``orders``, ``saddle_weapons``,
``rider_targets``, ``mount_nerves``.
"""
