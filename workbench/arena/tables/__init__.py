"""The arena on real tables: learners ranked by cross-validation on the tables of a folder."""
