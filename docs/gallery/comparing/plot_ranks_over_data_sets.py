"""
Do learners differ in their ranks over data sets?
=================================================

Each data set ranks the learners. Friedman's test asks whether the mean ranks differ more than
chance allows; bars join learners that do not differ significantly.
"""

from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from learners import AODEClassifier, NaiveBayesClassifier, PriorClassifier, TANClassifier
from workbench import compare
from workbench.analyses import Ranks
from workbench.designs import RandomSplits
from workbench.figures import CriticalDifferenceDisplay

learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "aode": AODEClassifier()}
learners |= {"tree": DecisionTreeClassifier(random_state=0), "majority": PriorClassifier()}
loaders = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer, "digits": load_digits}
data = {name: load(return_X_y=True, as_frame=True) for name, load in loaders.items()}
X, y = data["digits"]
data["digits"] = (X.iloc[:600, 18:46:3], y[:600])  # ten pixels, to be quick
results = compare(learners, on=data, metrics="accuracy", design=RandomSplits(repeats=3))

ranks = Ranks.of(results, learners=list(learners), score="accuracy")
CriticalDifferenceDisplay.from_ranks(ranks).plot()

# %%
# Yes, by Friedman's test. But four data sets are too few to say which: no pair differs significantly,
# not even from the majority class, which is last on all four.

print(results.table("accuracy").round(3))
print(f"Friedman's test in Iman and Davenport's form: p = {ranks.tests[None].p_F:.3f}")
print(ranks.pairs.round(3).to_string())
# sphinx_gallery_start_ignore
assert ranks.tests[None].p_F < 0.05 < ranks.pairs[["p_holm", "p_nemenyi"]].min(axis=None)
assert (results.table("accuracy")["mean"].unstack().idxmin(axis=1) == "majority").all()
# sphinx_gallery_end_ignore
