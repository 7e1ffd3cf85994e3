"""What comes next: odds, the questions up to the next roll, and scripts to choose from."""
