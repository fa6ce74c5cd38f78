"""Laws from which truths are drawn, as plain data; one file per kind.

A law says what is known of a truth before any row is seen: its kind of structure and the distribution of its
probabilities. `workbench.optimal` computes the best possible forecasts from it.
"""
