"""Probabilistic learners under scikit-learn's contract.

All read tables whose dtypes declare the attributes, leave missing values missing,
and answer with raw class probabilities in the order of `classes_`.
"""

from learners.bayes.ande import AnDEClassifier
from learners.bayes.aode import AODEClassifier
from learners.bayes.kdb import KDBClassifier
from learners.bayes.naive_bayes import NaiveBayesClassifier
from learners.bayes.prior import PriorClassifier
from learners.bayes.tan import TANClassifier
from learners.networks.camml import CaMMLClassifier
from learners.networks.learned_network import LearnedNetwork
from learners.networks.learning import learn_network
from learners.networks.parameters import MessageLength, learn_parameters, message_length
from learners.networks.structure_prior import StructurePrior
from learners.rules.c45_rules import C45RulesClassifier
from learners.rules.foil import FOILClassifier
from learners.rules.induct_dnf import InductDNFClassifier
from learners.rules.induct_rdr import InductRDRClassifier
from learners.rules.one_r import OneRClassifier
from learners.rules.stump import DecisionStumpClassifier
from learners.tables.discretize import MDLPDiscretizer
from learners.trees.c45 import C45Classifier
from learners.trees.c50 import C50Classifier
from learners.trees.j48 import J48Classifier
from learners.trees.mml_graph import MMLGraphClassifier
from learners.trees.mml_tree import MMLTreeClassifier

__all__ = [
    "NaiveBayesClassifier",
    "TANClassifier",
    "AODEClassifier",
    "AnDEClassifier",
    "KDBClassifier",
    "CaMMLClassifier",
    "C45Classifier",
    "J48Classifier",
    "C45RulesClassifier",
    "C50Classifier",
    "MMLTreeClassifier",
    "MMLGraphClassifier",
    "OneRClassifier",
    "DecisionStumpClassifier",
    "FOILClassifier",
    "InductRDRClassifier",
    "InductDNFClassifier",
    "PriorClassifier",
    "MDLPDiscretizer",
    "learn_network",
    "learn_parameters",
    "message_length",
    "StructurePrior",
    "LearnedNetwork",
    "MessageLength",
]
