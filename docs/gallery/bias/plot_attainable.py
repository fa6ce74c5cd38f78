"""
How far from the best possible?
===============================

What each learner loses to the truth: gray is what the best possible forecasts lose after as many rows, as
nobody could have known it; the rest is the learner's own. Naive Bayes is the best possible learner of naive
Bayes truths, and the average over all trees that of trees.
"""

from workbench import read_study, run
from workbench.analyses import Regret

study = read_study("""
name = "attainable"
seed = 5
learners = ["nb", "tan", "aode", "averaged_tan", "averaged_assumptions", "optimal", "truth"]

[[sources]]
generator = "naive_bayes"
n_attributes = 4
[[sources]]
generator = "tan"
n_attributes = 4
[[sources]]
generator = "dag"
n_attributes = 4

[design]
kind = "fresh_samples"
replicates = 20
sizes = [20, 200]
n_test = 100

[scores]
metrics = ["log_loss"]
rows = ["exact"]
cutoffs = ["none"]
""")
results = run(study)
results.plot("regret")

# %%
# The same as a table, over all kinds.

table = Regret.of_results(results).over_kinds
table[["n_train", "learner", "irreducible", "regret", "low", "high"]].round(3)
