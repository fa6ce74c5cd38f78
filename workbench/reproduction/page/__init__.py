"""The page of a reproduction: sentences, tables and a figure."""
