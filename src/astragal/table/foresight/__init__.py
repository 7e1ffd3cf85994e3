"""What comes next: odds, and the questions up to the next roll."""
