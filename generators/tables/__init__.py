"""Columns of tables: labels to codes and back, what cells may hold, and where warnings point."""
