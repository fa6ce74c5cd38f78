"""Properties of learners, which each class declares as `facts`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

__all__ = ["ANSWERS", "MISSING", "NUMBERS", "WEIGHTS", "LearnerFacts", "Variant"]

#: Treatment of numeric columns.
NUMBERS: Mapping[str, str] = MappingProxyType(
    {
        "taken": "used as numbers",
        "intervals": "cut into intervals by Fayyad and Irani's method when the learner is fitted",
        "random intervals": "cut several times, at random points that ignore the class",
        "1R intervals": "cut into the intervals of Holte's 1R when the learner is fitted",
        "nominal only": "numbers are not declared values, so they count as missing",
        "not read": "columns are ignored",
        "as inside": "as in the averaged learner",
        "unknown": "the third-party learner does not declare its treatment",
    }
)
#: Treatment of missing values.
MISSING: Mapping[str, str] = MappingProxyType(
    {
        "left out": "the forecast uses the other columns",
        "summed out": "averaged over all possible values, exactly if there are not too many",
        "backed off": "the forecast uses the other columns, with their parents before a missing parent",
        "own score": "some of the averaged models learn what a missing value implies about the class",
        "all branches": "the row goes down all branches of a test, each with a part of its weight",
        "own value": "missing counts as one more value",
        "fails tests": "all conditions on it fail",
        "not read": "columns are ignored",
        "as inside": "as in the averaged learner",
        "accepted": "third-party learner accepts NaN (of nominal columns: NaN in a table, zeros in an array)",
        "refused": "third-party learner refuses NaN (a missing nominal value is encoded as zeros)",
        "unknown": "the third-party learner does not declare its treatment",
    }
)
#: What `fit` does with `sample_weight`.
WEIGHTS: Mapping[str, str] = MappingProxyType(
    {
        "any": "a whole weight is equivalent to repeating the row, and other weights count in proportion",
        "whole": "a weight is equivalent to repeating the row, and must be a whole number",
        "whole rows": "a row is used or held out as a whole, so a weight differs from repeating the row",
        "taken": "accepted by the third-party `fit`",
        "no": "not accepted by `fit`",
        "unknown": "the third-party learner does not declare its treatment",
    }
)
#: What a learner may offer beyond `predict_proba`: attributes and methods of the fitted learner, and a label.
ANSWERS: Mapping[str, str] = MappingProxyType(
    {
        "predict_set": "sets",
        "export_text": "text",
        "learned_.explain": "text",
        "explain": "text",
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
class Variant:
    """A learner with given parameters under a separate key."""

    parameters: Mapping[str, Any]
    differs: Mapping[str, Any] = field(default_factory=dict)  # fields of the learner's facts


@dataclass(frozen=True)
class LearnerFacts:
    """Properties of a learner with its default options.

    Parameters
    ----------
    key : str
        Short name in studies and tables.
    authors : str
        Authors of the main paper, which the class's docstring also cites. Empty if unknown.
    title : str
        Title of the paper, possibly shortened.
    year : int or None
        Year of the paper, or None if unknown.
    numbers : str
        Treatment of numeric columns: a key of `learners.facts.NUMBERS`.
    missing : str
        Treatment of missing values: a key of `learners.facts.MISSING`.
    weights : str
        Treatment of weights: a key of `learners.facts.WEIGHTS`.
    limit : str, default ""
        Limit of the number of columns or of memory. Empty if only time is a limit.
    also : tuple of str, default ()
        Methods beyond `predict_proba`: keys of `learners.facts.ANSWERS`.
    variants : mapping of str to Variant, optional
        Further keys, each for the learner with certain parameters.

    Examples
    --------
    >>> from learners import TANClassifier
    >>> TANClassifier.facts.key, TANClassifier.facts.missing
    ('tan', 'summed out')
    >>> TANClassifier.facts.of_variant("tan_superparent").year
    1999
    """

    key: str
    authors: str
    title: str
    year: int | None
    numbers: str
    missing: str
    weights: str
    limit: str = ""
    also: tuple[str, ...] = ()
    variants: Mapping[str, Variant] = field(default_factory=dict)

    def of_variant(self, key: str) -> "LearnerFacts":
        """Return the facts of a variant, which is named by its key."""
        return replace(self, key=key, variants={}, **self.variants[key].differs)
