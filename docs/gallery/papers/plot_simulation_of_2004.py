"""
Does the learner that fits the truth win?
=========================================

Hope and Korb (2004) drew truths of three kinds, one for each learner: naive Bayes, TAN and AODE.
Here 20 of each, at two training sizes, with Friedman's TAN and CaMML's shortest network; the full
study, `make study`, has the learners of the paper and takes some minutes.
"""

import matplotlib.pyplot as plt

from generators import random_aode, random_naive_bayes, random_tan
from learners import AODEClassifier, CaMMLClassifier, NaiveBayesClassifier, TANClassifier
from workbench import compare

learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "aode": AODEClassifier()}
learners["camml"] = CaMMLClassifier()
kinds = {"naive Bayes": random_naive_bayes, "TAN": random_tan, "AODE": random_aode}
means, found = {}, {}
for kind, draw in kinds.items():
    truths = [draw(random_state=seed) for seed in range(20)]
    found[kind] = compare(learners, on=truths, sizes=(50, 5000), metrics="ir_b", rows="exact")
    means[kind] = found[kind].table("ir_b").xs("mean", axis=1, level=1).droplevel("source")

figure, axes = plt.subplots(1, 3, figsize=(10, 3.5), sharey=True, layout="constrained")
for ax, (kind, table) in zip(axes, means.items(), strict=True):
    for learner, mark in zip(learners, "os^D", strict=True):
        ax.plot([0, 1], table.loc[learner], f"{mark}-", label=learner)
    ax.set(
        title=f"{kind} truths",
        xticks=[0, 1],
        xticklabels=["50", "5000"],
        xlabel="training rows",
        xlim=(-0.3, 1.3),
    )
axes[0].set_ylabel("mean information reward [bits]")
axes[2].legend()

# %%
# On truths of naive Bayes and TAN, yes: with 5000 rows nobody is ahead of their learners by more than
# a hundredth of a bit, though CaMML, which finds the network itself, is their equal. On AODE's truths
# AODE leads with 50 rows and CaMML with 5000; the tests are paired, with Holm's correction.

for kind, results in found.items():
    print(f"{kind} truths:", means[kind].round(3), results.ranking().droplevel(0, axis=1), sep="\n")
# sphinx_gallery_start_ignore
for kind, learner in {"naive Bayes": "nb", "TAN": "tan"}.items():  # rows hang on the processor
    last = means[kind][5000]
    assert (last.max() - last[[learner, "camml"]] < 0.01).all()
assert means["AODE"][50].idxmax() == "aode"
assert means["AODE"][5000].idxmax() == "camml"
# sphinx_gallery_end_ignore
