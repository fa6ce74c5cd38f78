"""
What do wrong labels take away?
===============================

``add_label_noise`` makes a share of the labels wrong. The altered truth still knows its own
probabilities, so that the ceiling of the reward, which no learner can pass, is exact at every rate.
Each line is one of 20 truths.
"""

import matplotlib.pyplot as plt
import numpy as np

from generators import add_label_noise, describe, random_tan

rates = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4]
truths = [random_tan(n_attributes=5, arity=3, n_classes=2, random_state=seed) for seed in range(20)]
ceilings = np.array(
    [
        [describe(add_label_noise(truth, rate) if rate else truth).ceiling.value for rate in rates]
        for truth in truths
    ]
)

figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.plot(rates, ceilings.T, color="C0", linewidth=1, alpha=0.5)
ax.plot(rates, ceilings.mean(axis=0), "o-", color="0.2", label="mean")
ax.set(xlabel="share of wrong labels", ylabel="ceiling of the reward [bits]", ylim=(0, None))
ax.legend()

# %%
# The first wrong labels cost the most: with one label in ten wrong, more than a third of what could be
# known is gone on each of the 20 truths.

shares = ceilings / ceilings[:, :1]
for rate, left in zip(rates, shares.T, strict=True):
    print(f"{rate:.2f}: {left.mean():.0%} left on average, {left.min():.0%} to {left.max():.0%}")
# sphinx_gallery_start_ignore
assert shares[:, 2].max() < 2 / 3
assert np.diff(shares[:, [0, 2, 3, 4, 5]]).argmin(axis=1).max() == 0
# sphinx_gallery_end_ignore
