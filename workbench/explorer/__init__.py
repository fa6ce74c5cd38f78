"""The explorer: one page that shows any store in a browser."""
