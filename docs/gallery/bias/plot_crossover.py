"""
From how many rows on does it pay to assume less?
=================================================

Naive Bayes assumes too much on these truths, in which attributes depend on each other. CaMML
assumes no network, and has to be told by the rows which arcs are there. Where do they change
places?
"""

from generators import random_tan
from learners import CaMMLClassifier, NaiveBayesClassifier
from workbench import compare
from workbench.analyses import Crossovers, paired_scores

learners = {"nb": NaiveBayesClassifier(), "camml": CaMMLClassifier()}
truths = [random_tan(n_attributes=(4, 5), arity=(3, 4), n_classes=2, random_state=seed) for seed in range(40)]
sizes = (10, 20, 50, 100, 200, 500, 1000)
results = compare(learners, on=truths, sizes=sizes, metrics="ir_b", rows="exact")
results.plot("crossovers")

# %%
# Already with 100 rows the learner that assumes less is ahead; the interval says how exactly forty
# truths place the size at which it overtakes.

(experiment,) = paired_scores(results)
crossings = Crossovers.of(experiment)
print(*crossings.sentences)
# sphinx_gallery_start_ignore
assert crossings.table["after"].tolist() == ["camml"]
assert crossings.table["high"].item() < 100
# sphinx_gallery_end_ignore
