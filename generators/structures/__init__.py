"""Random networks, and mixtures of them, by structure; one file per generator."""
