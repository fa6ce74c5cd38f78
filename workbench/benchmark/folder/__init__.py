"""A benchmark on disk: manifest, README, cards and files of the models, and the journal of progress."""
