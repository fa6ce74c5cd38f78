"""Shared parts of random concepts: the concept, its rules, and their random parts."""
