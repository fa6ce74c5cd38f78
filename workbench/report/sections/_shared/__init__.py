"""What sections of a report share."""
