"""
How much do learners improve with the training rows of a table?
===============================================================

``sizes=`` draws rows from truths, but a table has only its own rows. ``RandomSplits(train=share)`` trains on
a share of them and tests on the rest. A loop over shares computes the learning curves of a table.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from workbench import compare
from workbench.designs import RandomSplits

X, y = load_digits(return_X_y=True, as_frame=True)
X = X.loc[:, X.nunique() > 10].iloc[:, ::3]  # a third of the pixels, to be quick
learners = {
    "naive Bayes": "nb",
    "forest": RandomForestClassifier(25, random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=300)),
}
means, pairs = {}, {}
for share in (0.05, 0.1, 0.2, 0.4, 0.8):  # for 100 training rows: 100 / len(X)
    splits = RandomSplits(repeats=8, train=share)
    results = compare(learners, on={"digits": (X, y)}, design=splits, metrics="brier")
    n_train = results.cells()["n_train"].iloc[0]
    means[n_train] = results.table("brier").loc["digits"]
    pairs[n_train] = results.differences("brier").set_index(["learner", "other"])
means, pairs = (pd.concat(tables, names=["n_train"]) for tables in (means, pairs))
lead = pairs.xs(("forest", "logistic"), level=("learner", "other"))

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
styles = {"naive Bayes": ("#0072b2", "o-"), "forest": ("#d55e00", "s--"), "logistic": ("#009e73", "^-.")}
for learner, (color, fmt) in styles.items():
    rows = means.xs(learner, level="learner")
    left.errorbar(rows.index, rows["mean"], yerr=rows["sd"], fmt=fmt, color=color, capsize=4, label=learner)
left.legend()
left.set(title="Mean and standard deviation over splits", ylabel="Brier score")
left.set(xlabel="training rows", xscale="log")
bars = (lead["difference"] - lead["low"], lead["high"] - lead["difference"])
right.errorbar(lead.index, lead["difference"], yerr=bars, fmt="o-", capsize=4, color="0.3")
right.axhline(0, color="0.6", linewidth=1)
right.set(title="Forest minus logistic regression, 95% intervals", ylabel="difference of Brier scores")
right.set(xlabel="training rows", xscale="log")

# %%
# The forest improves most from 89 to 1437 rows. It differs significantly from the logistic one (``p_holm``)
# with 718 rows only. The intervals are those of single pairs, corrected for rows that splits share. With a
# small share test sets overlap much, so intervals are wide although standard deviations are small.

print(means["mean"].unstack("learner").round(3))
print(lead[["difference", "low", "high", "p_holm"]].round(3))
# sphinx_gallery_start_ignore
curve = means["mean"].unstack("learner")
assert (curve.idxmin(axis=1) == "logistic").all()
assert (curve.loc[89] - curve.loc[1437]).idxmax() == "forest"
assert lead.index[lead["p_holm"] < 0.05].tolist() == [718]
# sphinx_gallery_end_ignore
