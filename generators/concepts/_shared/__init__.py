"""What random concepts share: the truth itself, its rules, and what is drawn for them."""
