"""The page of a reproduction: what it says, its tables and its picture."""
