"""
Is naive Bayes overconfident?
=============================

In a reliability diagram each point is a bin of forecasts: how often the class happened against how
probable it was said to be. Overconfident forecasts are too high where they are high and too low
where they are low. Here are the forecasts on 20 truths, after 200 training rows each.
"""

import numpy as np
import pandas as pd
from scipy.stats import ttest_1samp

from generators import random_dag_with_class
from learners import NaiveBayesClassifier, TANClassifier
from workbench.figures import ReliabilityDisplay
from workbench.metrics import expected_calibration_error, overconfidence, underconfidence

learners, outcomes = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}, []
forecasts, errors, excess = ({name: [] for name in learners} for _ in range(3))
for seed in range(20):
    truth = random_dag_with_class(n_attributes=8, arity=3, n_classes=2, random_state=seed)
    (X, y), (X_new, y_new) = truth.sample(200, random_state=1), truth.sample(2000, random_state=2)
    outcomes.append(y_new)
    for name, learner in learners.items():
        given = y_new, learner.fit(X, y).predict_proba(X_new)
        forecasts[name].append(given[1])
        errors[name].append(expected_calibration_error(*given, classes=learner.classes_))
        over, under = (side(*given, classes=learner.classes_) for side in (overconfidence, underconfidence))
        excess[name].append(over - under)

pooled = {name: np.concatenate(several) for name, several in forecasts.items()}
ReliabilityDisplay.from_predictions(pd.concat(outcomes), pooled, classes=learner.classes_).plot()

# %%
# Yes: on 17 of 20 truths it is more over- than underconfident. But so is TAN on 19, and neither is
# significantly worse than the other, by this difference or by the calibration error.

found = {**excess, "nb - tan": np.subtract(excess["nb"], excess["tan"])}
found["nb - tan, calibration error"] = np.subtract(errors["nb"], errors["tan"])
for name, values in found.items():
    low, high = ttest_1samp(values, 0).confidence_interval()
    print(
        f"{name}: {np.mean(values):.3f} ({low:.3f} to {high:.3f}), above 0 on {np.greater(values, 0).sum()}"
    )
# sphinx_gallery_start_ignore
assert [np.greater(excess[name], 0).sum() for name in excess] == [17, 19]
assert ttest_1samp(excess["nb"], 0).confidence_interval().low > 0
assert all(ttest_1samp(found[name], 0).pvalue > 0.05 for name in list(found)[2:])
# sphinx_gallery_end_ignore
