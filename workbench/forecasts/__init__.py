"""forecasts."""
