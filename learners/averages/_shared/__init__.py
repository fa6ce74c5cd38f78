"""Parts of the averages: assumptions with all their structures and tables, and their mixture."""
