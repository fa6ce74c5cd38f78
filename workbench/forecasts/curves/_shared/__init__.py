"""What curves share: rows ranked by their forecasts."""
