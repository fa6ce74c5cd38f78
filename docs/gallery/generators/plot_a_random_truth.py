"""
What does a random truth look like?
===================================

A truth is a joint distribution from which rows are drawn and that answers what the probability of
each class is. This one is a TAN: the class is a parent of every attribute, and each attribute but
one has another attribute as a parent.
"""

from generators import describe, random_tan

truth = random_tan(n_attributes=6, arity=(2, 4), n_classes=3, random_state=7)
truth.plot()

# %%
# Because it is known, so is the best that anybody can do on its rows.

facts = describe(truth)
print(f"the most probable class is wrong with probability {facts.bayes_error.value:.3f}")
print(f"no learner's expected information reward is above {facts.ceiling.value:.3f} bits")

X, y = truth.sample(5, random_state=1)
print(X.assign(y=y))
print(truth.posterior(X).round(3))
