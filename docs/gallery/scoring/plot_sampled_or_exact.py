"""
How much noise is in a score of 1000 test rows?
===============================================

Where the truth is known and its attributes have few combinations, a score can be computed as an
exact expectation over all rows that can occur. A test sample gives the same up to noise, which is
what the figure shows.
"""

from generators import random_tan
from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
from workbench import compare

learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "aode": AODEClassifier()}
truths = [random_tan(n_attributes=5, arity=3, random_state=seed) for seed in range(10)]
results = compare(learners, on=truths, sizes=(100, 1000), n_test=1000)
results.plot("exact_against_sampled")

# %%
# The sampled scores lie around the exact ones; their distance is as large as many differences
# between learners.

frame = results.frame()
chosen = frame[(frame["metric"] == "ir_b") & (frame["prior"] == "marginal") & (frame["cutoff"] == "none")]
cells = chosen.pivot(index=["replicate", "n_train", "learner"], columns="rows", values="value")
off = (cells["test"] - cells["exact"]).abs().mean()
print(f"a sampled score is off by {off:.3f} bits on average")
# sphinx_gallery_start_ignore
assert 0.001 < off < 0.1
# sphinx_gallery_end_ignore
