"""Rule learners: conditions, rules and rule sets, and the members that learn them."""
