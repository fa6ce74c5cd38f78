"""Input of data sets: attributes, columns, class labels, and numbers cut into intervals."""
