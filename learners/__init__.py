"""Probabilistic classifiers with scikit-learn's interface.

All learners read tables whose dtypes declare the attributes, accept missing values, and return unclipped
class probabilities in the order of `classes_`.

A new learner is one file in a folder of its family, and one line below.
"""

from typing import Any

# isort: off
# Learners appear in tables in the order of these lines.
from learners.bayes.naive_bayes import NaiveBayesClassifier as NaiveBayesClassifier
from learners.bayes.m_estimate_naive_bayes import (
    MEstimateNaiveBayesClassifier as MEstimateNaiveBayesClassifier,
)
from learners.bayes.tan import TANClassifier as TANClassifier
from learners.bayes.averaged_tan import AveragedTANClassifier as AveragedTANClassifier
from learners.bayes.aode import AODEClassifier as AODEClassifier
from learners.bayes.kdb import KDBClassifier as KDBClassifier
from learners.bayes.selective_kdb import SelectiveKDBClassifier as SelectiveKDBClassifier
from learners.bayes.ande import AnDEClassifier as AnDEClassifier
from learners.bayes.gaussian_tan import GaussianTANClassifier as GaussianTANClassifier
from learners.bayes.gaussian_aode import GaussianAODEClassifier as GaussianAODEClassifier
from learners.networks.camml import CaMMLClassifier as CaMMLClassifier
from learners.networks.gaussian_camml import GaussianCaMMLClassifier as GaussianCaMMLClassifier
from learners.averages.averaged_assumptions import (
    AveragedAssumptionsClassifier as AveragedAssumptionsClassifier,
)
from learners.averages.averaged_discretizations import (
    AveragedDiscretizationsClassifier as AveragedDiscretizationsClassifier,
)
from learners.averages.bayesian_network_ensemble import (
    BayesianNetworkEnsembleClassifier as BayesianNetworkEnsembleClassifier,
)
from learners.trees.c45 import C45Classifier as C45Classifier
from learners.trees.j48 import J48Classifier as J48Classifier
from learners.rules.c45_rules import C45RulesClassifier as C45RulesClassifier
from learners.trees.c50 import C50Classifier as C50Classifier
from learners.trees.mml_tree import MMLTreeClassifier as MMLTreeClassifier
from learners.trees.mml_graph import MMLGraphClassifier as MMLGraphClassifier
from learners.rules.one_r import OneRClassifier as OneRClassifier
from learners.rules.stump import DecisionStumpClassifier as DecisionStumpClassifier
from learners.rules.foil import FOILClassifier as FOILClassifier
from learners.rules.induct_rdr import InductRDRClassifier as InductRDRClassifier
from learners.rules.induct_dnf import InductDNFClassifier as InductDNFClassifier
from learners.bayes.prior import PriorClassifier as PriorClassifier
# isort: on

from learners.averages.averaged_assumptions import AssumptionsLeftOutWarning
from learners.bayes._shared.left_out_columns import ColumnsLeftOutWarning
from learners.facts import LearnerFacts
from learners.networks.classes.sampled_networks import ChainsDisagreeWarning
from learners.networks.learn_network import learn_network
from learners.networks.learned_gaussian_network import LearnedGaussianNetwork
from learners.networks.learned_network import LearnedNetwork
from learners.networks.message import MessageLength
from learners.networks.network_table import ConstantColumnWarning, MissingValuesWarning
from learners.networks.parameters import learn_parameters, message_length
from learners.networks.structure_prior import StructurePrior
from learners.tables.discretize import MDLPDiscretizer

#: The learners by their short keys.
LEARNERS: dict[str, Any] = {
    vars(member)["facts"].key: member
    for member in list(globals().values())
    if isinstance(member, type) and isinstance(vars(member).get("facts"), LearnerFacts)
}

__all__ = [
    "LEARNERS",
    "LearnerFacts",
    "MDLPDiscretizer",
    "learn_network",
    "learn_parameters",
    "message_length",
    "StructurePrior",
    "LearnedNetwork",
    "LearnedGaussianNetwork",
    "MessageLength",
    "AssumptionsLeftOutWarning",
    "ChainsDisagreeWarning",
    "ColumnsLeftOutWarning",
    "ConstantColumnWarning",
    "MissingValuesWarning",
    *(member.__name__ for member in LEARNERS.values()),
]
