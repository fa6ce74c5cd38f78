"""
What does a forecast earn for the probability that it gives?
============================================================

In a class that happens with probability 0.7, accuracy pays the same for every forecast above one
half. Information reward pays most, on average, for saying 0.7: it is proper, so that honesty is the
best policy.
"""

from workbench.figures import RewardAgainstProbabilityDisplay

display = RewardAgainstProbabilityDisplay.from_metrics(["ir_b", "accuracy"], chance=0.7).plot()

# %%
# The best forecast by reward is the true probability; by accuracy anything from one half to one is
# best.

for curve, name in zip(display.curves, ("information reward", "accuracy"), strict=True):
    low, high = curve.best(0.7)
    print(f"{name}: best from {low:.2f} to {high:.2f}")
# sphinx_gallery_start_ignore
assert [curve.best(0.7) for curve in display.curves] == [(0.7, 0.7), (0.5, 1.0)]
# sphinx_gallery_end_ignore
