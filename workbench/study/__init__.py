"""What a study is: sources, learners, metrics and scores; its TOML, and the record that stores keep."""
