"""What a campaign's log keeps: items, events, and the state that a fold over them gives."""
