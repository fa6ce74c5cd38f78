"""Laws from which truths are drawn, as plain data, one file per kind.

A law specifies what is known about a truth before any row is observed: its kind of structure and the
distribution of its probabilities. `workbench.optimal` computes the optimal forecasts from the law.
"""
