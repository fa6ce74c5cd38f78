"""Shared code of all packages below: errors, checks, seeds, identities, cells, score keys, the catalogue."""
