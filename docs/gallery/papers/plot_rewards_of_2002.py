"""
How do the rewards of three papers differ?
==========================================

Good's reward compares a forecast with an even chance, Kononenko and Bratko's with the prior of the
class that happened, Bayesian information reward with the whole prior. The figure is for two classes
with priors 0.8 and 0.2, and shows what a forecast earns if the first class happens.
"""

from workbench.figures import RewardAgainstProbabilityDisplay
from workbench.metrics import good_reward, ir_b, kononenko_bratko

names = ["good_reward", "kononenko_bratko", "ir_b"]
RewardAgainstProbabilityDisplay.from_metrics(names, prior=[0.8, 0.2]).plot()

# %%
# A forecast that repeats the prior knows nothing. Only the two rewards that know the prior pay it
# zero.

prior = [0.8, 0.2]
earned = {
    "good_reward": good_reward([0], [prior]),
    "kononenko_bratko": kononenko_bratko([0], [prior], prior=prior),
    "ir_b": ir_b([0], [prior], prior=prior),
}
print({name: round(float(value), 3) for name, value in earned.items()})
# sphinx_gallery_start_ignore
assert earned["good_reward"] > 0.5
assert earned["kononenko_bratko"] == earned["ir_b"] == 0.0
# sphinx_gallery_end_ignore
