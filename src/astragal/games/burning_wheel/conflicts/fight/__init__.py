"""Fight!: detailed combat, exchange by exchange.

In the book's order: ``fight``, ``surroundings``, ``surprise``, ``exchange``, ``joining``,
``cards``, ``script``, ``strike_cards``, ``reflexes``, ``distance``, ``state``, ``initiative``,
``forfeits``, ``volley``, ``announcing``, ``footing``, ``footing_rolls``, ``positioning``,
``charge``, ``moment``, ``matching``, ``meetings``, ``lost_actions``, ``getting_ready``, ``clash``,
``consequences``, ``interactions``, ``natural_defenses``, ``skills``, ``strikes``,
``divided_actions``, ``grappling``, ``eight_legs``, ``gathering``, ``turned_aside``, ``narrowing``,
``remembered_parts``, ``narrowed_tables``, ``weapon_in_hand``, ``harm``, ``stances``,
``hesitation``, ``readied``, ``acts``, ``making_ready``, ``shots``, ``social_and_magic``,
``spells``, ``casting``, ``interruptions``, ``first_weapons``, ``fallen_weapons``,
``after_missiles``, ``tandem_actions``, ``prayers``, ``other_actions``, ``outcome``, ``picture``,
``one_action``, ``card_runs``, ``temperaments``, ``scripters``, ``policies``.

Mounted combat: ``mounted``, ``mounted_cards``, ``mounted_footing``, ``orders``, ``saddle_weapons``,
``rider_targets``, ``mount_nerves``.
"""
