"""
How hard are truths that are drawn at random?
=============================================

The Bayes error is the share of rows that even the truth's own most probable class gets wrong. It
differs much between truths of one kind, so a study says which difficulty it wants, or draws many
truths.
"""

import matplotlib.pyplot as plt
import numpy as np

from generators import describe, draw_with, random_aode, random_naive_bayes, random_tan

kinds = {"naive Bayes": random_naive_bayes, "TAN": random_tan, "AODE": random_aode}
shape = {"n_attributes": 4, "arity": 3, "n_classes": 2}
errors = {
    name: [describe(draw(**shape, random_state=seed)).bayes_error.value for seed in range(60)]
    for name, draw in kinds.items()
}

figure, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.boxplot(list(errors.values()), tick_labels=list(errors), orientation="horizontal", widths=0.6)
ax.set(xlabel="Bayes error of 60 random truths", xlim=(0, 0.5))

# %%
# Within each kind the Bayes error of the hardest truth is more than twice that of the easiest.
# ``draw_with`` draws a truth of the difficulty asked for, whatever its size.

for name, values in errors.items():
    print(f"{name}: {np.min(values):.3f} to {np.max(values):.3f}")
drawn = draw_with(random_tan, bayes_error=(0.1, 0.15), **shape, random_state=1)
print(f"one of 0.1 to 0.15: {drawn.found['bayes_error']:.3f}, after {drawn.tries} truths")
# sphinx_gallery_start_ignore
assert all(max(values) > 2 * min(values) for values in errors.values())
# sphinx_gallery_end_ignore
