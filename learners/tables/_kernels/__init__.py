"""Compiled loops that code columns and cut numbers."""
