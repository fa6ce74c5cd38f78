"""
Who wins, and from how many rows on?
====================================

Three learners on 20 random truths, at four training sizes. Scores are exact, and learners meet the
same rows, so that their differences can be tested on the same truths.
"""

import textwrap

from generators import random_tan
from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
from workbench import compare

learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "aode": AODEClassifier()}
truths = [random_tan(n_attributes=(4, 6), arity=(2, 4), random_state=seed) for seed in range(20)]
results = compare(learners, on=truths, sizes=(30, 100, 300, 1000), metrics="ir_b", rows="exact")
results.plot("reward_by_size")

# %%
# With 300 and 1000 rows TAN wins, as it should on truths of its own kind; with 30 rows AODE leads,
# but not significantly.

print(results.means("ir_b"))
print(textwrap.fill(results.answer(), 90))
# sphinx_gallery_start_ignore
ranking = results.ranking().droplevel(0, axis=1)
assert ranking.loc["tan", [30, 300, 1000]].tolist() == ["tied", "wins", "wins"]
assert ranking.loc["aode", 30] == "leads"
# sphinx_gallery_end_ignore
