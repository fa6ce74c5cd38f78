"""What alterations share: checks, names, and evidence that is passed on."""
