"""Studies: sources, learners, metrics and scores, their TOML, and the record that stores keep."""
