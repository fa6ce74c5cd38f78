"""The ground of every room: errors, checks, seeds, identities, cells, keys of scores, the catalogue."""
