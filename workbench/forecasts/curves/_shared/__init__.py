"""Shared code of curves: rows ranked by their forecasts."""
