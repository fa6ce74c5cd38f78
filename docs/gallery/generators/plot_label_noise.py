"""
What do wrong labels take away?
===============================

``add_label_noise`` makes a share of the labels wrong. The altered truth still knows its own
probabilities, so that the ceiling of the reward, which no learner can pass, is exact at every rate.
"""

import matplotlib.pyplot as plt

from generators import add_label_noise, facts_of, random_tan

truth = random_tan(n_attributes=5, arity=3, n_classes=2, random_state=12)
rates = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4]
ceilings = [facts_of(add_label_noise(truth, rate) if rate else truth).ceiling.value for rate in rates]

figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.plot(rates, ceilings, "o-")
ax.set(xlabel="share of wrong labels", ylabel="ceiling of the reward [bits]", ylim=(0, None))

# %%
# On this truth the first wrong labels cost the most: with one label in ten wrong, more than a third of what
# could be known is gone.

for rate, ceiling in zip(rates, ceilings, strict=True):
    print(f"{rate:.2f}: {ceiling:.3f} bits, {ceiling / ceilings[0]:.0%}")
# sphinx_gallery_start_ignore
assert ceilings[2] < ceilings[0] * 2 / 3
# sphinx_gallery_end_ignore
