"""The base of the tree learners, the tree that C4.5 and its rules start from, and boosting."""
