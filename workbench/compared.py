"""Which learners of a study its tests compare; the others are measured beside them."""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["PRIOR", "TRUTH", "compared_learners", "learners_beside"]

#: Learners that others are measured against; unless they are named, they take part in no test.
PRIOR, TRUTH = "learners.prior:PriorClassifier", "workbench.truth_classifier:TruthClassifier"
YARDSTICKS = (PRIOR, TRUTH)


def compared_learners(study: Mapping[str, Any], asked: Sequence[str] | None = None) -> list[str]:
    """List the learners to compare, on truths and on tables alike.

    Parameters
    ----------
    study : mapping
        As `Study.describe` gives it.
    asked : sequence of str, optional
        Keys that somebody asked for.

    Returns
    -------
    list of str
        In the order of the study: those asked for, else those that the study names under `compared`, else all
        but prior and truth.

    Examples
    --------
    >>> learners = [("nb", {"class": "learners.nb:NaiveBayes"}), ("floor", {"class": PRIOR})]
    >>> compared_learners({"learners": learners})
    ['nb']
    >>> compared_learners({"learners": learners}, ["floor", "nb"])
    ['nb', 'floor']
    """
    named = asked or study.get("compared")
    if named:
        return [key for key, _ in study["learners"] if key in named]
    return [key for key, identity in study["learners"] if identity.get("class") not in YARDSTICKS]


def learners_beside(study: Mapping[str, Any], compared: Sequence[str]) -> list[str]:
    """List the learners of a study that are not compared.

    Parameters
    ----------
    study : mapping
    compared : sequence of str

    Returns
    -------
    list of str
        In the order of the study.
    """
    return [key for key, _ in study["learners"] if key not in compared]
