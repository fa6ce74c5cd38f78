"""Compiled loops over families, orders and totally ordered models."""
