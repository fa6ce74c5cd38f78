"""Compiled kernels of computations with a factorization."""
