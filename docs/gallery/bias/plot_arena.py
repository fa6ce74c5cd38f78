"""
Is a learner that takes longer any better?
==========================================

The arena ranks more than thirty learners by the bits that they lose to the best possible forecasts. Here is
its leaderboard on truths of nine kinds, against what a fit costs.
"""

import matplotlib.pyplot as plt
import pandas as pd

from workbench.arena.leaderboard import SHARED, View, board
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.reference import read_reference

found = board(read_reference().scores, View(sizes=SHARED), n_resamples=20)
table = pd.DataFrame(found.standings).set_index("learner")
table = table.sort_values("fit")
best = table[table["regret"] <= table["regret"].cummin()]

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
reach = [table["regret"] - table["low"], table["high"] - table["regret"]]
ax.errorbar(table["fit"], table["regret"], reach, fmt="o", color="0.7", markersize=4)
ax.plot(best["fit"], best["regret"], "C0o--")
for key, one in best.iterrows():
    point = one["fit"], one["regret"]
    ax.annotate(ENTRANTS[key].title, point, (-6, -6), textcoords="offset points", ha="right", va="top")
ax.set(xscale="log", yscale="log", xlabel="median time of a fit [s]", ylabel="mean regret [bits]")

# %%
# Not by itself: the line joins learners that nobody beats at their price, and ends long before the slowest
# ones. The intervals of ranks hold at once for all learners; where they overlap, there is no order.

print(f"{found.n_truths} truths, {found.sizes[0]} to {found.sizes[-1]:,} training rows")
print(table.sort_values("regret")[["first", "last", "regret", "fit"]].head(8).round(4))
# sphinx_gallery_start_ignore
assert best["fit"].max() < 0.2 * table["fit"].max()
# sphinx_gallery_end_ignore
