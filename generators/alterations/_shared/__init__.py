"""Shared parts of the alterations: checks, names, and soft evidence."""
