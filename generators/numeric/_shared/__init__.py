"""What the generators of numeric truths share."""
