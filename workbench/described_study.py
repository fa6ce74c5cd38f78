"""What the description of a study, as a store keeps it, says of its cells."""

from collections.abc import Callable, Mapping
from typing import Any

from workbench.metric_facts import MetricFacts
from workbench.scores import ScoreKey, of_tables, score_keys

__all__ = ["is_on_tables", "missing_scores"]


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
    >>> from workbench.metric_facts import facts_of
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
