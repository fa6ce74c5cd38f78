"""Trees and graphs as text and as figures."""
