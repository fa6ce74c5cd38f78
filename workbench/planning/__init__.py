"""Planning: what more rows would bring each learner, by twins of a table and by extrapolation."""
