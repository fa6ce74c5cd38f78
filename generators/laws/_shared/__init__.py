"""Shared parts of the laws."""
