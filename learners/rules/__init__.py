"""Rule learners, one file each: 1R, a stump, FOIL, Induct and C4.5rules; they may use trees."""
