"""Results by training size: crossovers, the best learner, rows needed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.analyses import BestMap, Crossovers, SampleComplexity, experiments_of
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.comparisons import FARTHEST_SIZES
from workbench.report.size_tables import best_table, needed_table
from workbench.report.table import Table

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["best_parts", "crossover_lines", "needed_parts"]


def crossover_lines(
    results: "StudyResults",
    *,
    pair: Sequence[str] | None = None,
    score: ScoreKey | str | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Report at which sizes learners overtake each other."""
    if pair is not None and len(set(pair)) != 2:
        raise WorkbenchError(f"the pair is {','.join(pair)}: expected two learners, such as nb,tan")
    experiments = experiments_of(results, score=score, learners=pair, source=source)
    for experiment in experiments:
        found = Crossovers.of(experiment)
        n = len(experiment.replicates)
        yield f"{experiment.score.words}; {n} {experiment.kind.removeprefix('the ')}"
        yield from (f"  {sentence}" for sentence in found.sentences)
        yield from experiment.notes
    yield "in brackets 95% intervals, bootstrap over truths; leaders are decided by Holm's test over sizes"


def best_parts(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[Table | str]:
    """Return the most probably best learner of each source and size."""
    found = BestMap.of_results(results, score=score, learners=learners, source=source)
    yield replace(best_table(found), note="")
    yield "probability: that the learner has the best mean, Bayesian bootstrap over truths"
    yield from found.notes


def needed_parts(
    results: "StudyResults",
    *,
    shares: Sequence[float],
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[Table | str]:
    """Return the training rows that each learner needs for shares of the truth's own score."""
    found = SampleComplexity.of_results(
        results, score=score, learners=learners, source=source,
        shares=shares,
    )  # fmt: skip
    yield replace(needed_table(found), note="")
    yield f"rows at which a learner reaches the share of the way from {found.floor} to the truth's score"
    yield "interpolated over log size; in brackets 95% intervals, bootstrap over truths"
    if found.is_coarse:
        yield (
            f"sizes more than {FARTHEST_SIZES:.0f} times apart: answers between two such sizes are not "
            "resolved, and intervals reach to both"
        )
    yield from found.notes
