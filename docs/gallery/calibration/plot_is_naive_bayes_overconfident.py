"""
Is naive Bayes overconfident?
=============================

In a reliability diagram each point is a bin of forecasts: how often the class happened against how
probable it was said to be. Overconfident forecasts are too high where they are high and too low
where they are low.
"""

from generators import random_dag_with_class
from learners import NaiveBayesClassifier, TANClassifier
from workbench.figures import ReliabilityDisplay
from workbench.metrics import expected_calibration_error

truth = random_dag_with_class(n_attributes=12, arity=3, n_classes=2, random_state=10)
(X, y), (X_new, y_new) = truth.sample(3000, random_state=1), truth.sample(3000, random_state=2)
learners = {"nb": NaiveBayesClassifier().fit(X, y), "tan": TANClassifier().fit(X, y)}
forecasts = {name: learner.predict_proba(X_new) for name, learner in learners.items()}
classes = learners["nb"].classes_

ReliabilityDisplay.from_predictions(y_new, forecasts, classes=classes).plot()

# %%
# On this truth, in which attributes depend on each other, the calibration error of naive Bayes is
# more than a third above TAN's.

errors = {
    name: expected_calibration_error(y_new, forecast, classes=classes) for name, forecast in forecasts.items()
}
print({name: round(float(error), 3) for name, error in errors.items()})
# sphinx_gallery_start_ignore
assert errors["nb"] > 4 / 3 * errors["tan"]
# sphinx_gallery_end_ignore
