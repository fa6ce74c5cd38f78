"""
How probably is one learner practically better?
===============================================

A test asks whether two learners are exactly equal, which they never are. The posterior says how
probably the difference is negligible, here less than one hundredth of accuracy, and how probably
one is better by more.
"""

from sklearn.datasets import load_breast_cancer

from learners import AODEClassifier, NaiveBayesClassifier
from workbench import compare
from workbench.analyses import Posterior
from workbench.designs import RandomSplits
from workbench.figures import PosteriorRopeDisplay

learners = {"nb": NaiveBayesClassifier(), "aode": AODEClassifier()}
cancer = load_breast_cancer(return_X_y=True, as_frame=True)
results = compare(learners, on={"cancer": cancer}, metrics="accuracy", design=RandomSplits(repeats=20))

posterior = Posterior.of(results, "aode", "nb", rope=0.01, score="accuracy")
PosteriorRopeDisplay.from_posterior(posterior, source="cancer").plot()

# %%
# AODE is practically better with a probability near 0.9: likely, but short of the 0.95 at which it
# would be decided. That it is practically worse is all but excluded.

print(posterior.table.round(3).to_string())
# sphinx_gallery_start_ignore
(row,) = posterior.table.to_dict("records")
assert 0.85 < row["p_better"] < 0.95
assert row["p_worse"] < 0.01
assert row["decision"] is None
# sphinx_gallery_end_ignore
