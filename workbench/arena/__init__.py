"""The arena: a static site that ranks learners by their profiles."""
