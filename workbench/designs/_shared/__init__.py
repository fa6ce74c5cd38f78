"""What designs share: rounds of cells, fresh rows drawn from truths, splits of data sets."""
