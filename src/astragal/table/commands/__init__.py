"""What a seat can do, and how each command becomes one entry of the log."""
