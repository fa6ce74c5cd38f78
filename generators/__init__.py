"""Truths that are known: random Bayesian networks and mixtures of them, with exact probabilities.

A truth answers `sample`, `log_joint`, `posterior` and `enumerate`. Nothing here learns.

Examples
--------
>>> truth = random_tan(n_attributes=5, random_state=1)
>>> X, y = truth.sample(100, random_state=2)
>>> truth.posterior(X).shape == (100, len(truth.classes))
True
"""

from generators.aode import random_aode
from generators.dag import random_dag
from generators.enumeration import Enumeration
from generators.mixture import Mixture, from_json
from generators.naive_bayes import random_naive_bayes
from generators.network import Network
from generators.tan import random_tan

__all__ = [
    "Network",
    "Mixture",
    "Enumeration",
    "random_naive_bayes",
    "random_tan",
    "random_aode",
    "random_dag",
    "from_json",
]
