"""Rule learners, one per file: 1R, a stump, FOIL, Induct and C4.5rules. They may use trees."""
