"""
How many rows does it take to find the arcs?
============================================

Twenty networks of seven variables, and samples of growing size. A message that states its own arcs
leaves out those that do not pay, so that with few rows arcs are missed rather than invented.
"""

import matplotlib.pyplot as plt
import numpy as np

from generators import random_dag
from learners import learn_network

sizes, truths = (
    (50, 200, 1000, 5000),
    [random_dag(n_nodes=7, max_parents=2, random_state=i) for i in range(20)],
)
missed, extra = [], []
for size in sizes:
    found = [
        learn_network(truth.sample_table(size, random_state=i)).structural_distance(truth)
        for i, truth in enumerate(truths)
    ]
    missed.append(np.mean([one.missed for one in found]))
    extra.append(np.mean([one.extra for one in found]))

figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.plot(sizes, missed, "o-", label="missed")
ax.plot(sizes, extra, "s--", label="extra")
ax.set(
    xscale="log", xlabel="rows", ylabel="mean number of arcs", xticks=sizes, xticklabels=sizes, ylim=(0, None)
)
ax.minorticks_off()
ax.legend()

# %%
# With 50 rows many more arcs are missed than invented; with ever more rows ever fewer are missed,
# with 5000 hardly any.

for size, a, b in zip(sizes, missed, extra, strict=True):
    print(f"{size} rows: {a:.2f} missed, {b:.2f} extra")
# sphinx_gallery_start_ignore
assert missed[0] > 3 * extra[0]
assert missed[-1] < 0.2
assert missed == sorted(missed, reverse=True)
# sphinx_gallery_end_ignore
