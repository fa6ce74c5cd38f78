"""
Does feedback on calibration help while rows come in?
=====================================================

Prequential evaluation forecasts each row before its outcome is known, and then learns it. A Platt
map, learned from the forecasts and outcomes so far, corrects each forecast in turn.
"""

from generators import random_dag_with_class
from learners import NaiveBayesClassifier
from workbench.figures import PrequentialDisplay
from workbench.prequential import prequential

truth = random_dag_with_class(n_attributes=12, arity=3, n_classes=2, random_state=10)
X, y = truth.sample(3000, random_state=1)
result = prequential(NaiveBayesClassifier(), X, y, recalibration="platt")
PrequentialDisplay(result).plot()

# %%
# Over all rows the corrected forecasts earn more than those of naive Bayes as it is.

plain, corrected = result.reward.mean(), result.reward_recalibrated.mean()
print(f"as it is {plain:.3f} bits per row, corrected {corrected:.3f}")
# sphinx_gallery_start_ignore
assert corrected > plain
# sphinx_gallery_end_ignore
