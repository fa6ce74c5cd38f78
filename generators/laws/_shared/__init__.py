"""What the laws share."""
