"""Generating models with exact probabilities: random networks, mixtures, concepts, and alterations of them.

A truth is a generating model with `sample`, `log_joint`, `posterior` and `enumerate`. This package contains
no learners. A new generator is one file in the folder of its family and one import here.

Examples
--------
>>> truth = random_tan(n_attributes=5, random_state=1)
>>> X, y = truth.sample(100, random_state=2)
>>> truth.posterior(X).shape == (100, len(truth.classes))
True
"""

from generators.alterations.irrelevant_attributes import IrrelevantAttributes, add_irrelevant
from generators.alterations.label_noise import LabelNoise, add_label_noise
from generators.alterations.missing_values import MissingValues, add_missing
from generators.alterations.numeric_cuts import NumericAttributes, make_numeric
from generators.alterations.redundant_attributes import RedundantAttributes, add_redundant
from generators.altered import altered
from generators.base.generator import GENERATORS
from generators.concepts._shared.concept import Concept
from generators.concepts._shared.rule import Rule
from generators.concepts.decision_graph import random_decision_graph as random_decision_graph
from generators.concepts.decision_tree import random_decision_tree as random_decision_tree
from generators.concepts.parity import random_parity as random_parity
from generators.concepts.rules import random_rules as random_rules
from generators.facts import Facts, describe
from generators.files.documents import from_json
from generators.laws._shared.law import Law, law_of
from generators.laws.added_attributes import AddedAttributesLaw
from generators.laws.aode import AODELaw
from generators.laws.dag import DAGLaw
from generators.laws.gaussian_naive_bayes import GaussianNaiveBayesLaw
from generators.laws.gaussian_tan import GaussianTANLaw
from generators.laws.intractable import IntractableLaw
from generators.laws.kdb import KDBLaw
from generators.laws.naive_bayes import NaiveBayesLaw
from generators.laws.tan import TANLaw
from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.conditional_gaussian_mixture import ConditionalGaussianMixture
from generators.networks.enumeration import Enumeration
from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.mixture import Mixture
from generators.networks.network import Network
from generators.networks.network_file import read_network, write_network
from generators.networks.normal import Normal
from generators.numeric.gaussian_aode import random_gaussian_aode as random_gaussian_aode
from generators.numeric.gaussian_dag import random_gaussian_dag
from generators.numeric.gaussian_naive_bayes import GaussianNaiveBayes
from generators.numeric.gaussian_naive_bayes import random_gaussian_naive_bayes as random_gaussian_naive_bayes
from generators.numeric.gaussian_tan import random_gaussian_tan as random_gaussian_tan
from generators.structures.aode import random_aode as random_aode
from generators.structures.dag import random_dag
from generators.structures.dag_with_class import random_dag_with_class as random_dag_with_class
from generators.structures.kdb import random_kdb as random_kdb
from generators.structures.naive_bayes import random_naive_bayes as random_naive_bayes
from generators.structures.tan import random_tan as random_tan
from generators.suites.suite import Suite, list_suites, suite
from generators.targeted import Drawn, draw_with

__all__ = [
    "GENERATORS",
    "Network",
    "GaussianNetwork",
    "Normal",
    "Mixture",
    "Concept",
    "Rule",
    "GaussianNaiveBayes",
    "ConditionalGaussian",
    "ConditionalGaussianMixture",
    "Enumeration",
    "random_dag",
    "random_gaussian_dag",
    *(function.__name__ for function in GENERATORS.values()),
    "IrrelevantAttributes",
    "RedundantAttributes",
    "LabelNoise",
    "MissingValues",
    "NumericAttributes",
    "add_irrelevant",
    "add_redundant",
    "add_label_noise",
    "add_missing",
    "make_numeric",
    "altered",
    "Facts",
    "describe",
    "Drawn",
    "draw_with",
    "Suite",
    "suite",
    "list_suites",
    "from_json",
    "read_network",
    "write_network",
    "Law",
    "law_of",
    "NaiveBayesLaw",
    "TANLaw",
    "KDBLaw",
    "AODELaw",
    "DAGLaw",
    "GaussianNaiveBayesLaw",
    "GaussianTANLaw",
    "AddedAttributesLaw",
    "IntractableLaw",
]
