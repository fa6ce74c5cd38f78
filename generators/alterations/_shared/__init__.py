"""Helpers of the alterations: checks, names, and soft evidence."""
