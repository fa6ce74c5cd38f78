"""What the description of a study, as a store keeps it, says of its cells."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.study.metric_facts import MetricFacts
from workbench.study.scores import ScoreKey, of_tables, score_keys

__all__ = ["is_on_tables", "missing_scores", "PRIOR", "TRUTH", "compared_learners", "learners_beside"]


def is_on_tables(study: Mapping[str, Any]) -> bool:
    """Tell whether a study splits tables; then its replicates share rows and are no independent subjects.

    Parameters
    ----------
    study : mapping
        As `Study.describe` gives it.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_on_tables({"sources": [["iris", {"table": "1f2e"}]]})
    True
    """
    return any("table" in identity for _, identity in study["sources"])


def missing_scores(
    study: Mapping[str, Any],
    there: Mapping[ScoreKey, int],
    *,
    n_done: int,
    n_exact: int,
    facts: Callable[[str], MetricFacts],
) -> dict[ScoreKey, int]:
    """Count the done cells that lack a score that the study asks for.

    Parameters
    ----------
    study : mapping
        As `Study.describe` gives it.
    there : mapping of ScoreKey to int
        How many cells have each score.
    n_done, n_exact : int
        How many cells are done, and how many of these can have exact scores.
    facts : callable
        Gives what the metric of a key says of itself.

    Returns
    -------
    dict of ScoreKey to int
        Only scores that are missing somewhere.

    Examples
    --------
    >>> from workbench.study.metric_facts import facts_of
    >>> words = {"metrics": ["accuracy"], "priors": ["training"], "rows": ["test"], "cutoffs": ["none"]}
    >>> found = missing_scores({"sources": [], "scores": words}, {}, n_done=3, n_exact=0, facts=facts_of)
    >>> {" ".join(key): n for key, n in found.items()}
    {'accuracy none test none': 3}
    """
    asked = {name: words for name, words in study["scores"].items() if name != "definitions"}
    wanted = score_keys(**asked, facts=facts)
    if is_on_tables(study):
        wanted = of_tables(wanted, facts=facts)
    lacking = {key: (n_exact if key.rows == "exact" else n_done) - there.get(key, 0) for key in wanted}
    return {key: n for key, n in lacking.items() if n > 0}


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
