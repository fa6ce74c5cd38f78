"""
Does accuracy notice an attribute that is counted twice?
========================================================

Copies of attributes tell nothing new. Naive Bayes counts each of them as new evidence, so its
forecasts become bolder with every copy, while the most probable class seldom changes.
"""

import matplotlib.pyplot as plt

from generators import random_naive_bayes
from learners import NaiveBayesClassifier
from workbench.metrics import accuracy, class_prior, ir_b

truth = random_naive_bayes(n_attributes=4, arity=3, n_classes=2, random_state=5)
(X, y), (X_new, y_new) = truth.sample(2000, random_state=1), truth.sample(4000, random_state=2)

copies, scores = range(1, 9), {"accuracy": [], "information reward [bits]": []}
for n in copies:
    wide, wide_new = (
        table[list(table) * n].set_axis([f"x{i}" for i in range(4 * n)], axis=1) for table in (X, X_new)
    )
    learner = NaiveBayesClassifier().fit(wide, y)
    forecast, classes = learner.predict_proba(wide_new), learner.classes_
    prior = class_prior(y, classes=classes)
    scores["accuracy"].append(accuracy(y_new, forecast, classes=classes))
    scores["information reward [bits]"].append(ir_b(y_new, forecast, prior=prior, classes=classes))

figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
for ax, (name, values) in zip(axes, scores.items(), strict=True):
    ax.plot(copies, values, "o-")
    ax.set(xlabel="times that each attribute is given", ylabel=name)
axes[0].set_ylim(0, 1)
axes[1].axhline(0, color="0.6", linewidth=1)

# %%
# Accuracy changes by less than a hundredth. Reward falls with each copy, and below zero, which is
# what the prior earns.

for name, values in scores.items():
    print(name, [round(float(value), 3) for value in values])
# sphinx_gallery_start_ignore
area, reward = scores.values()
assert max(area) - min(area) < 0.01
assert reward == sorted(reward, reverse=True)
assert reward[-1] < 0
# sphinx_gallery_end_ignore
