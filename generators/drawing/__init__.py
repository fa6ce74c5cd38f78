"""Networks as figures: what to write, where to place it, how to lead the arcs, and the drawing itself."""
