"""What each learner needs of a table, what it answers beyond probabilities, and which paper it is from."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from workbench.base import catalogue

__all__ = ["ANSWERS", "DECLARED", "MISSING", "NUMBERS", "WEIGHTS", "LearnerFacts", "facts_of"]

#: What becomes of numeric columns.
NUMBERS: Mapping[str, str] = MappingProxyType(
    {
        "taken": "used as numbers",
        "intervals": "cut by Fayyad and Irani's rule, which is fitted with the learner",
        "nominal only": "a number is no value that was declared, so it is missing",
        "not read": "no column is looked at",
        "as inside": "as the learner that is recalibrated",
        "unknown": "other people's learner, which does not say",
    }
)
#: What becomes of missing values.
MISSING: Mapping[str, str] = MappingProxyType(
    {
        "left out": "the forecast is that of the other columns",
        "summed out": "averaged over all values that it may have had, exactly",
        "all branches": "the row goes down all branches of a test by weight",
        "own value": "missing is one more value",
        "fails tests": "no condition on it holds",
        "not read": "no column is looked at",
        "as inside": "as the learner that is recalibrated",
        "accepted": "other people's learner takes NaN; a nominal value is NaN in a table, zeros in an array",
        "refused": "other people's learner takes no NaN; a nominal value is zeros",
        "unknown": "other people's learner, which does not say",
    }
)
#: What `fit` does with `sample_weight`.
WEIGHTS: Mapping[str, str] = MappingProxyType(
    {
        "any": "a whole weight is as many rows; others in proportion",
        "whole": "a weight is as many rows, and must be a whole number",
        "taken": "other people's `fit` takes them",
        "no": "fit takes none",
        "unknown": "other people's learner, which cannot be asked",
    }
)
#: What a learner may answer beyond `predict_proba`: attributes and methods of the fitted learner, and a word.
ANSWERS: Mapping[str, str] = MappingProxyType(
    {
        "predict_set": "sets",
        "export_text": "text",
        "learned_.explain": "text",
        "rules_table": "rules",
        "plot": "plot",
        "network_.plot": "plot",
        "theory_complexity": "theory",
        "message_length_": "message",
        "arc_posteriors_": "arcs",
        "partial_fit": "batches",
    }
)


@dataclass(frozen=True)
class LearnerFacts:
    """What a user should know of a learner before choosing it, as it is without options.

    Parameters
    ----------
    authors : str
        Of the main paper, which the docstring of the class names, too; empty if unknown.
    title : str
        Its title, perhaps a short one.
    year : int or None
        None if unknown.
    numbers : str
        A key of `NUMBERS`.
    missing : str
        A key of `MISSING`.
    weights : str
        A key of `WEIGHTS`.
    limit : str, default ""
        Of size or memory; empty where there is none but time.
    also : tuple of str, default ()
        What it answers beyond `predict_proba`: keys of `ANSWERS`.

    Examples
    --------
    >>> facts_of("c45").missing, facts_of("c45").also
    ('all branches', ('predict_set', 'export_text', 'plot', 'theory_complexity'))
    """

    authors: str
    title: str
    year: int | None
    numbers: str
    missing: str
    weights: str
    limit: str = ""
    also: tuple[str, ...] = ()


_TREE = ("predict_set", "export_text", "plot", "theory_complexity")
_MESSAGE = (*_TREE, "message_length_")
_RULES = ("predict_set", "export_text", "rules_table", "theory_complexity")
_NETWORK = ("network_.plot", "partial_fit")
_CAMML = ("network_.plot", "learned_.explain", "message_length_", "arc_posteriors_")
_PAIRS = "2 GiB for the counts of all pairs of values"
_TABLES = "2 GiB for the counts of pairs, and for its tables"
_TRIPLES = "2 GiB for the counts of all triples of values"
_EXACT = "20 variables by exact search, class included; 14 by exact averaging"
_WEBB_2005 = "Not so naive Bayes: aggregating one-dependence estimators"
_WEBB_2012 = "Learning by extrapolation from marginal to full-multivariate probability distributions"
_WITTEN = "Data Mining: Practical Machine Learning Tools and Techniques"
_HOLTE = "Very simple classification rules perform well on most commonly used datasets"
_GAINES_1995 = "Induction of ripple-down rules applied to modeling large databases"
_CAMML_TITLE = "Learning linear causal models by MML sampling"
_JOHN = "Estimating continuous distributions in Bayesian classifiers"
_C45 = "C4.5: Programs for Machine Learning"
_BOOSTING = "Bagging, boosting, and C4.5; the program itself, C5.0, is release 2.07"
_REWARD = "A Bayesian metric for evaluating machine learning algorithms"
_C50 = LearnerFacts("Quinlan", _BOOSTING, 1996, "taken", "all branches", "any", also=_TREE)
_TAN = LearnerFacts(
    "Friedman, Geiger, Goldszmidt", "Bayesian network classifiers", 1997, "intervals", "summed out", "any",
    _PAIRS, _NETWORK,
)  # fmt: skip
#: Our learners by their keys in the catalogue; one with parameters may have those of its base.
DECLARED: Mapping[str, LearnerFacts] = MappingProxyType(
    {
        "nb": LearnerFacts("John, Langley", _JOHN, 1995, "taken", "left out", "any", also=_NETWORK),
        "tan": _TAN,
        "tan_superparent": replace(
            _TAN, authors="Keogh, Pazzani", title="Learning augmented Bayesian classifiers", year=1999,
            also=("network_.plot",),
        ),
        "aode": LearnerFacts(
            "Webb, Boughton, Wang", _WEBB_2005, 2005, "intervals", "left out", "any", _PAIRS, ("partial_fit",)
        ),
        "kdb": LearnerFacts(
            "Sahami", "Learning limited dependence Bayesian classifiers", 1996, "intervals", "summed out",
            "any", _TABLES, ("network_.plot",),
        ),
        "ande": LearnerFacts(
            "Webb, Boughton, Zheng, Ting, Salem", _WEBB_2012, 2012, "intervals", "left out", "any", _TRIPLES,
            ("partial_fit",),
        ),
        "camml": LearnerFacts(
            "Wallace, Korb", _CAMML_TITLE, 1999, "intervals", "summed out", "whole", _EXACT, _CAMML
        ),
        "c45": LearnerFacts("Quinlan", _C45, 1993, "taken", "all branches", "any", also=_TREE),
        "j48": LearnerFacts("Witten, Frank", _WITTEN, 2005, "taken", "all branches", "any", also=_TREE),
        "c45rules": LearnerFacts("Quinlan", _C45, 1993, "taken", "fails tests", "any", also=_RULES),
        "c50": _C50,
        # trees that vote are no theory
        "c50_boosted": replace(_C50, title="Bagging, boosting, and C4.5", also=_TREE[:-1]),
        "mml_tree": LearnerFacts(
            "Wallace, Patrick", "Coding decision trees", 1993, "taken", "all branches", "any", also=_MESSAGE
        ),
        "mml_graph": LearnerFacts(
            "Tan, Dowe", "MML inference of decision graphs with multi-way joins", 2002, "taken",
            "all branches", "any", also=_MESSAGE,
        ),
        "one_r": LearnerFacts("Holte", _HOLTE, 1993, "taken", "own value", "any", also=_RULES),
        "stump": LearnerFacts("Holte", _HOLTE, 1993, "taken", "own value", "any", also=_RULES),
        "foil": LearnerFacts(
            "Quinlan", "Learning logical definitions from relations", 1990, "taken", "fails tests", "any",
            also=_RULES,
        ),
        "induct_rdr": LearnerFacts(
            "Gaines, Compton", _GAINES_1995, 1995, "taken", "fails tests", "any", also=_RULES
        ),
        "induct_dnf": LearnerFacts(
            "Gaines", "An ounce of knowledge is worth a ton of data", 1989, "taken", "fails tests", "any",
            also=_RULES,
        ),
        "prior": LearnerFacts(
            "Hope, Korb", _REWARD, 2004, "not read", "not read", "any", also=("partial_fit",)
        ),
        "truth": LearnerFacts("Hope, Korb", _REWARD, 2004, "nominal only", "summed out", "no"),
        "recalibrated": LearnerFacts(
            "Niculescu-Mizil, Caruana", "Predicting good probabilities with supervised learning", 2005,
            "as inside", "as inside", "no",
        ),
    }
)  # fmt: skip


def facts_of(key: str) -> LearnerFacts:
    """Return the facts of a learner: declared of ours, else as far as the learner can be asked."""
    base, _ = catalogue.VARIANTS["learners"].get(key, (key, {}))
    declared = DECLARED.get(key) or DECLARED.get(base)
    return declared or _asked(catalogue.find("learners", key))


def _asked(learner: Any) -> LearnerFacts:
    """Ask other people's learner by its scikit-learn tags and its methods."""
    from sklearn.utils import get_tags

    try:
        made = learner()
        tags = get_tags(made).input_tags
    except (TypeError, AttributeError):  # it needs arguments, or is no estimator of scikit-learn's kind
        return LearnerFacts("", "", None, "unknown", "unknown", "unknown")
    return LearnerFacts(
        authors="",
        title="",
        year=None,
        numbers="taken" if tags.two_d_array else "unknown",
        missing="accepted" if tags.allow_nan else "refused",
        weights="taken" if "sample_weight" in inspect.signature(made.fit).parameters else "no",
        also=tuple(name for name in ANSWERS if hasattr(made, name)),
    )
