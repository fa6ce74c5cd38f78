"""Base classes of designs: rounds of cells, fresh rows from truths, splits of data sets."""
