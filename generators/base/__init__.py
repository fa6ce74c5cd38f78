"""The basis of the package: variables and factorizations, checks, codes, seeds and random parts."""
