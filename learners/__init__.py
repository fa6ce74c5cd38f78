"""Probabilistic learners under scikit-learn's contract.

All read tables whose dtypes declare the attributes, leave missing values missing,
and answer with raw class probabilities in the order of `classes_`.
"""

from learners.ande import AnDEClassifier
from learners.aode import AODEClassifier
from learners.camml import CaMMLClassifier
from learners.discretize import MDLPDiscretizer
from learners.kdb import KDBClassifier
from learners.learned_network import LearnedNetwork
from learners.naive_bayes import NaiveBayesClassifier
from learners.network_learning import learn_network
from learners.parameters import MessageLength, learn_parameters, message_length
from learners.prior import PriorClassifier
from learners.structure_prior import StructurePrior
from learners.tan import TANClassifier

__all__ = [
    "NaiveBayesClassifier",
    "TANClassifier",
    "AODEClassifier",
    "AnDEClassifier",
    "KDBClassifier",
    "CaMMLClassifier",
    "PriorClassifier",
    "MDLPDiscretizer",
    "learn_network",
    "learn_parameters",
    "message_length",
    "StructurePrior",
    "LearnedNetwork",
    "MessageLength",
]
