"""
Does a learner lose by bias or by variance?
===========================================

Bias is what a learner loses on average over training sets because its assumption is wrong; variance
is what it loses because training sets differ. Both are measured here against the true
probabilities, in bits of divergence.
"""

from generators import random_tan
from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
from workbench.analyses import bias_variance
from workbench.figures import BiasVarianceDisplay

learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "aode": AODEClassifier()}
truths = [random_tan(n_attributes=5, arity=3, n_classes=2, random_state=seed) for seed in range(5)]
found = bias_variance(learners, on=truths, sizes=[50, 200, 1000], training_sets=20)
BiasVarianceDisplay(found).plot()

# %%
# With more rows variance goes and bias stays: at 1000 rows nearly all that naive Bayes loses is
# bias.

table = found.table
print(table[["learner", "n_train", "loss", "bias", "variance"]].round(4).to_string(index=False))
# sphinx_gallery_start_ignore
nb = table[table["learner"] == "nb"].set_index("n_train")
assert nb.loc[1000, "bias"] > 0.8 * nb.loc[1000, "loss"]
# sphinx_gallery_end_ignore
