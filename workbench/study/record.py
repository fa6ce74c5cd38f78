"""What the description of a study, as a store keeps it, says of its cells."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.base.score_key import ScoreKey
from workbench.study.metric_facts import MetricFacts
from workbench.study.scores import of_tables, score_keys

__all__ = ["is_on_tables", "missing_scores", "PRIOR", "TRUTH", "compared_learners", "learners_beside"]


def is_on_tables(study: Mapping[str, Any]) -> bool:
    """Whether a study splits tables; then its replicates share rows and are no independent subjects."""
    return any("table" in identity for _, identity in study["sources"])


def missing_scores(
    study: Mapping[str, Any],
    there: Mapping[ScoreKey, int],
    *,
    n_done: int,
    n_exact: int,
    facts: Callable[[str], MetricFacts],
) -> dict[ScoreKey, int]:
    """Count the done cells that lack a score that the study asks for."""
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
    """List the learners to compare, on truths and on tables alike."""
    named = asked or study.get("compared")
    if named:
        return [key for key, _ in study["learners"] if key in named]
    return [key for key, identity in study["learners"] if identity.get("class") not in YARDSTICKS]


def learners_beside(study: Mapping[str, Any], compared: Sequence[str]) -> list[str]:
    """List the learners of a study that are not compared."""
    return [key for key, _ in study["learners"] if key not in compared]
