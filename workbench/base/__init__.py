"""What every package below uses: errors, checks, seeds, identities, cells, score keys, the catalogue."""
