"""Networks as figures: text, layout, routing of arcs, and the drawing itself."""
