"""What lies ahead: odds, and the questions up to the next roll."""
