"""
What does recalibration buy?
============================

scikit-learn's ``CalibratedClassifierCV`` works around every learner here. It learns, from folds of
the training rows, how far the forecasts have to be moved.
"""

import matplotlib.pyplot as plt
from sklearn.calibration import CalibratedClassifierCV

from generators import random_dag_with_class
from learners import NaiveBayesClassifier
from workbench.metrics import class_prior, ir_b

truth = random_dag_with_class(n_attributes=12, arity=3, n_classes=2, random_state=10)
(X, y), (X_new, y_new) = truth.sample(3000, random_state=1), truth.sample(3000, random_state=2)
plain = NaiveBayesClassifier().fit(X, y)
learners = {"as it is": plain}
for method in ("sigmoid", "temperature"):
    learners[method] = CalibratedClassifierCV(NaiveBayesClassifier(), method=method, cv=5).fit(X, y)

prior = class_prior(y, classes=plain.classes_)
forecasts = {name: learner.predict_proba(X_new) for name, learner in learners.items()}
rewards = {
    name: ir_b(y_new, forecast, prior=prior, classes=plain.classes_) for name, forecast in forecasts.items()
}
rewards["the truth"] = ir_b(y_new, truth.posterior(X_new), prior=prior, classes=plain.classes_)

figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
bars = ax.barh(list(rewards), list(rewards.values()), color=["#d55e00", "#0072b2", "#0072b2", "0.6"])
ax.bar_label(bars, fmt="%.3f", padding=3)
ax.axvline(0, color="0.3", linewidth=1)
ax.invert_yaxis()
ax.set(xlabel="information reward [bits]", xlim=(None, 1.15 * rewards["the truth"]))

# %%
# Recalibrated, the same learner earns more; what is still missing to the truth is what its
# independence and the finite number of rows cost.

print({name: round(float(reward), 3) for name, reward in rewards.items()})
# sphinx_gallery_start_ignore
assert min(rewards["sigmoid"], rewards["temperature"]) > rewards["as it is"]
assert max(rewards["sigmoid"], rewards["temperature"]) < rewards["the truth"]
# sphinx_gallery_end_ignore
