"""
Which learner is best, for which truth and size?
================================================

Three kinds of truth and four training sizes. Each tile names the learner that most probably has the
best mean, and how probably, over truths of that kind.
"""

from workbench import read_study, run
from workbench.analyses import BestMap

study = read_study("""
name = "a small map"
seed = 3
learners = ["nb", "tan", "aode", "mml_tree"]

[[sources]]
generator = "naive_bayes"
n_attributes = 5
[[sources]]
generator = "tan"
n_attributes = 5
[[sources]]
generator = "decision_tree"
n_attributes = 5

[design]
kind = "fresh_samples"
replicates = 10
sizes = [30, 100, 300, 1000]
n_test = 100

[scores]
metrics = ["ir_b"]
rows = ["exact"]
""")
results = run(study)
results.plot("best_map")

# %%
# On truths of naive Bayes its learner most probably leads at every size.

found = BestMap.of_results(results).table
print(found.round(2).to_string(index=False))
# sphinx_gallery_start_ignore
assert set(found[found["source"] == "naive_bayes"]["best"]) == {"nb"}
# sphinx_gallery_end_ignore
