"""Trees and graphs as flat arrays, and the forecasts and costs read from them."""
