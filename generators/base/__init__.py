"""What everything here stands on: variables and factorizations, checks, codes, seeds and random parts."""
