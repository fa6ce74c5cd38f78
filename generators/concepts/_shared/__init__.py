"""The common parts of random concepts: the truth itself, its rules, and what is drawn for them."""
