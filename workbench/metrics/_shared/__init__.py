"""What metrics share: their kinds, checks of input, bets, cells and code lengths."""
