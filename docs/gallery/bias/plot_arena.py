"""
Is a learner that takes longer any better?
==========================================

The arena ranks more than thirty learners by the bits that they lose to the best possible forecasts. Here is
its leaderboard on truths of nine kinds, against what a fit and a thousand forecasts cost.
"""

import matplotlib.pyplot as plt
import pandas as pd

from workbench.arena.leaderboard import SHARED, View, board
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.reference import read_reference

found = board(read_reference().scores, View(sizes=SHARED), n_resamples=20)
table = pd.DataFrame(found.standings).set_index("learner")
table["cost"] = table["fit"] + table["forecast"]
table = table.sort_values("cost")
best = table[table["regret"] <= table["regret"].cummin()]

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
reach = [table["regret"] - table["low"], table["high"] - table["regret"]]
ax.errorbar(table["cost"], table["regret"], reach, fmt="o", color="0.7", markersize=4)
ax.plot(best["cost"], best["regret"], "C0o--")
for key, one in best.iterrows():
    point = one["cost"], one["regret"]
    ax.annotate(ENTRANTS[key].title, point, (-6, -6), textcoords="offset points", ha="right", va="top")
ax.set(
    xscale="log",
    yscale="log",
    xlabel="median times of a fit and 1000 forecasts [s]",
    ylabel="mean regret [bits]",
)

# %%
# Up to a point: the line joins learners that nobody beats at their price, and among those that take a
# hundredth of a second or more most lie above it. The intervals of ranks hold at once for all learners; where
# they overlap, there is no order.

print(f"{found.n_truths} truths, {found.sizes[0]} to {found.sizes[-1]:,} training rows")
print(table.sort_values("regret")[["first", "last", "regret", "cost"]].head(8).round(4))
# sphinx_gallery_start_ignore
slow = table[table["cost"] > 0.01]
assert slow.index.isin(best.index).mean() < 0.5
# sphinx_gallery_end_ignore
