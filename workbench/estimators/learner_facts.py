"""The learners that a study can name by a key, with the requirements and output of each."""

import functools
import inspect
from collections.abc import Mapping
from typing import Any

from learners import LEARNERS as OUR_LEARNERS
from learners.facts import ANSWERS, LearnerFacts
from workbench.base import catalogue
from workbench.estimators.early_stopped import EarlyStoppedClassifier, early_stopped
from workbench.estimators.pooled.pooled_classifier import PooledClassifier
from workbench.estimators.pretrained import PretrainedClassifier, pretrained
from workbench.estimators.program import ProgramClassifier
from workbench.estimators.recalibrated import RecalibratedClassifier, recalibrated
from workbench.estimators.rivals import RIVALS
from workbench.estimators.truth_classifier import TruthClassifier
from workbench.optimal.classifier import OptimalClassifier
from workbench.optimal.mixture import OptimalMixtureClassifier

__all__ = ["DECLARED", "LEARNERS", "facts_of"]

_CLASSES: Mapping[str, Any] = {
    **OUR_LEARNERS,
    TruthClassifier.facts.key: TruthClassifier,
    OptimalClassifier.facts.key: OptimalClassifier,
    OptimalMixtureClassifier.facts.key: OptimalMixtureClassifier,
    RecalibratedClassifier.facts.key: RecalibratedClassifier,
    EarlyStoppedClassifier.facts.key: EarlyStoppedClassifier,
    PretrainedClassifier.facts.key: PretrainedClassifier,
    PooledClassifier.facts.key: PooledClassifier,
    ProgramClassifier.facts.key: ProgramClassifier,
}
_VARIANTS: Mapping[str, Any] = {
    key: functools.partial(member, **variant.parameters)
    for member in _CLASSES.values()
    for key, variant in member.facts.variants.items()
}
#: Learners by key: a class, or a function that makes a learner; a variant is a `functools.partial`.
LEARNERS: Mapping[str, Any] = {
    **OUR_LEARNERS,
    "cart": "sklearn.tree:DecisionTreeClassifier",
    TruthClassifier.facts.key: TruthClassifier,
    OptimalClassifier.facts.key: OptimalClassifier,
    OptimalMixtureClassifier.facts.key: OptimalMixtureClassifier,
    **RIVALS,
    RecalibratedClassifier.facts.key: recalibrated,  # which takes keys as well
    EarlyStoppedClassifier.facts.key: early_stopped,
    PretrainedClassifier.facts.key: pretrained,
    PooledClassifier.facts.key: PooledClassifier,
    ProgramClassifier.facts.key: ProgramClassifier,
    **_VARIANTS,
}
#: The facts that the classes of this project declare.
DECLARED: Mapping[str, LearnerFacts] = {
    **{key: member.facts for key, member in _CLASSES.items()},
    **{key: made.func.facts.of_variant(key) for key, made in _VARIANTS.items()},
}


def facts_of(key: str) -> LearnerFacts:
    """Return the facts of a learner: declared for ours, known for rivals, otherwise inferred."""
    if key in RIVALS:  # whose packages need not be installed, or imported
        weights = "no" if key == "logistic" else "taken"  # a pipeline takes none
        return LearnerFacts(key, "", "", None, "taken", "accepted", weights)
    return DECLARED.get(key) or _asked(key)


def _asked(key: str) -> LearnerFacts:
    """Infer the facts of a third-party learner from its scikit-learn tags and methods."""
    from sklearn.utils import get_tags

    learner = catalogue.find("learners", key)
    try:
        made = learner()
        tags = get_tags(made).input_tags
    except (TypeError, AttributeError):  # it needs arguments, or is not a scikit-learn estimator
        return LearnerFacts(key, "", "", None, "unknown", "unknown", "unknown")
    return LearnerFacts(
        key,
        authors="",
        title="",
        year=None,
        numbers="taken" if tags.two_d_array else "unknown",
        missing="accepted" if tags.allow_nan else "refused",
        weights="taken" if "sample_weight" in inspect.signature(made.fit).parameters else "no",
        also=tuple(name for name in ANSWERS if hasattr(made, name)),
    )
