"""What depends on the training size, as lines of text for the command line."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from workbench.analyses import BestMap, Crossovers, SampleComplexity, experiments_of
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import probability_words
from workbench.comparisons import FARTHEST_SIZES
from workbench.report.renderers.text_table import aligned
from workbench.report.terminal.summary import Column

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["best_lines", "crossover_lines", "needed_lines"]


def crossover_lines(
    results: "Results",
    *,
    pair: Sequence[str] | None = None,
    score: ScoreKey | str | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print at which sizes learners overtake each other."""
    if pair is not None and len(set(pair)) != 2:
        raise WorkbenchError(f"the pair is {','.join(pair)}: expected two learners, such as nb,tan")
    experiments = experiments_of(results, score=score, learners=pair, source=source)
    for experiment in experiments:
        found = Crossovers.of(experiment)
        n = len(experiment.replicates)
        yield f"{Column(experiment.score).line}; {n} {experiment.kind.removeprefix('the ')}"
        yield from (f"  {sentence}" for sentence in found.sentences)
        yield from experiment.notes
    yield "in brackets 95% intervals, bootstrap over truths; leaders are decided by Holm's test over sizes"


def best_lines(
    results: "Results",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print the most probably best learner of each source and size."""
    found = BestMap.of_results(results, score=score, learners=learners, source=source)
    yield Column(found.experiments[0].score).line
    lines = [["", "rows", "best", "", "second", "", "truths"]]
    for row in found.table.itertuples():
        p = [probability_words(row.p_best), probability_words(row.p_second)]
        second = row.second if row.p_second > 0 else "-"  # of all others none can be the best
        lines.append([row.source, str(row.n_train), row.best, p[0], second, p[1], str(row.n)])
    yield from aligned(lines, words=(0, 2, 4))
    yield "numbers: probability that the learner has the best mean, Bayesian bootstrap over truths"
    yield from found.notes


def needed_lines(
    results: "Results",
    *,
    shares: Sequence[float],
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print the training rows that each learner needs for shares of the truth's own score."""
    found = SampleComplexity.of_results(
        results, score=score, learners=learners, source=source,
        shares=shares,
    )  # fmt: skip
    yield Column(found.experiments[0].score).line
    lines = [["", "", *[f"{share:.0%}" for share in shares]]]
    for (key, learner), own in found.table.groupby(["source", "learner"], sort=False):
        cells = []
        for row in own.itertuples():
            place = (row.source, row.learner, row.share)
            cells.append(f"{row.label} ({found.label(place, row.low)}, {found.label(place, row.high)})")
        lines.append([key, learner, *cells])
    yield from aligned(lines, words=(0, 1))
    yield f"rows from which on a learner has the share of the way from {found.floor} to the truth's score"
    yield "interpolated over log size; in brackets 95% intervals, bootstrap over truths"
    if found.is_coarse:
        yield (
            f"sizes more than {FARTHEST_SIZES:.0f} times apart: of what lies between two such no more is "
            "known, and intervals reach to both"
        )
    yield from found.notes
