"""What a user should know of a learner before choosing it; each learner class declares its own as `facts`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

__all__ = ["ANSWERS", "MISSING", "NUMBERS", "WEIGHTS", "LearnerFacts", "Variant"]

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
class Variant:
    """A learner with parameters that has a key of its own.

    Parameters
    ----------
    parameters : mapping
        What the constructor is given.
    differs : mapping, optional
        Fields of the learner's facts that are different.
    """

    parameters: Mapping[str, Any]
    differs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LearnerFacts:
    """What a user should know of a learner before choosing it, as it is without options.

    Parameters
    ----------
    key : str
        The short name that studies and tables use.
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
    variants : mapping of str to Variant, optional
        Further keys: the learner with parameters.

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
        """Return the facts of a variant under its own key."""
        return replace(self, key=key, variants={}, **self.variants[key].differs)
