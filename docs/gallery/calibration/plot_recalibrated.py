"""
What does recalibration buy?
============================

scikit-learn's ``CalibratedClassifierCV`` works around every learner here. It learns, from folds of
the training rows, how far the forecasts have to be moved. What naive Bayes gains by it is measured
on 40 truths, exactly, after 200 rows and after 1000.
"""

import matplotlib.pyplot as plt
from sklearn.calibration import CalibratedClassifierCV

from generators import draw_with, random_dag_with_class
from learners import NaiveBayesClassifier
from workbench import compare

shape = {"n_attributes": 6, "arity": 3, "n_classes": 2, "class_entropy": (0.5, 1)}  # no class is rare
truths = [draw_with(random_dag_with_class, **shape, random_state=seed).truth for seed in range(40)]
methods = ("sigmoid", "temperature")
learners = {name: CalibratedClassifierCV(NaiveBayesClassifier(), method=name, cv=5) for name in methods}
learners["as it is"] = NaiveBayesClassifier()
results = compare(learners, on=truths, sizes=(200, 1000), metrics="ir_b", rows="exact")

gains = results.differences().query("other == 'as it is'").set_index(["learner", "n_train"])
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
labels = [f"{method}, {rows} rows" for method, rows in gains.index]
ax.errorbar(gains["difference"], labels, xerr=(gains["high"] - gains["low"]) / 2, fmt="o", capsize=4)
ax.axvline(0, color="0.3", linewidth=1)
ax.margins(y=0.2)
ax.invert_yaxis()
ax.set(xlabel="gain of information reward [bits], with 95% intervals")

# %%
# On average a hundredth of a bit with 200 rows, and less with 1000; with 200 rows it costs reward on
# about a quarter of the 40 truths. Of these gains only that of temperature scaling with 200 rows was
# significant on two other sets of 40 truths as well.

print(gains[["difference", "low", "high", "p_holm"]].round(4).to_string())
chosen = results.frame().query("prior == 'marginal' and cutoff == 'none'")
rewards = chosen.pivot(index=["n_train", "replicate"], columns="learner", values="value")
worse = rewards[list(methods)].lt(rewards["as it is"], axis=0).groupby("n_train").sum()
print("truths on which it costs:", worse, sep="\n")
# sphinx_gallery_start_ignore
means = gains["difference"].unstack()  # seeds of given truths, and so the rows, hang on the processor
assert means[200].between(0.004, 0.03).all()
assert (means[1000] < means[200]).all()
assert worse.loc[200].between(4, 16).all()
# sphinx_gallery_end_ignore
