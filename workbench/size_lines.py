"""What depends on the training size, as lines of text for the command line."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from workbench.analyses import BestMap, BiasVariance, Crossovers, SampleComplexity, experiments_of
from workbench.errors import WorkbenchError
from workbench.summary import Column
from workbench.text_table import aligned

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["best_lines", "bias_lines", "crossover_lines", "needed_lines"]

#: Words of the measures that have an interval.
MEASURES = ("loss", "bias", "variance")


def crossover_lines(
    results: "Results",
    *,
    pair: Sequence[str] | None = None,
    metric: str | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Say at which sizes learners overtake each other.

    Parameters
    ----------
    results : Results
    pair : sequence of two str, optional
        By default all pairs of the learners that the study compares.
    metric, prior, rows, cutoff, source : str, optional
        As `experiments_of` takes them.

    Yields
    ------
    str
        One line a pair and source.

    Raises
    ------
    WorkbenchError
        As `experiments_of`, if the pair is not two learners, or a source has one replicate.
    """
    if pair is not None and len(set(pair)) != 2:
        raise WorkbenchError(f"the pair is {','.join(pair)}: expected two learners, such as nb,tan")
    experiments = experiments_of(
        results, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=pair, source=source
    )
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
    metric: str | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print the most probably best learner of each source and size.

    Parameters
    ----------
    results : Results
    metric, prior, rows, cutoff, learners, source : optional
        As `experiments_of` takes them.

    Yields
    ------
    str

    Raises
    ------
    WorkbenchError
        As `BestMap.of_results`.
    """
    found = BestMap.of_results(
        results, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners, source=source
    )
    yield Column(found.experiments[0].score).line
    lines = [["", "rows", "best", "", "second", "", "truths"]]
    for row in found.table.itertuples():
        p = [f"{row.p_best:.3f}", f"{row.p_second:.3f}"]
        lines.append([row.source, str(row.n_train), row.best, p[0], row.second, p[1], str(row.n)])
    yield from aligned(lines, words=(0, 2, 4))
    yield "numbers: probability that the learner has the best mean, Bayesian bootstrap over truths"
    yield from found.notes


def needed_lines(
    results: "Results",
    *,
    shares: Sequence[float],
    metric: str | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print the training rows that each learner needs for shares of the truth's own score.

    Parameters
    ----------
    results : Results
    shares : sequence of float
        Between 0 and 1.
    metric, prior, rows, cutoff, learners, source : optional
        As `experiments_of` takes them.

    Yields
    ------
    str

    Raises
    ------
    WorkbenchError
        As `SampleComplexity.of_results`.
    """
    found = SampleComplexity.of_results(
        results, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners, source=source,
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
    yield "in brackets 95% intervals, bootstrap over truths"
    yield from found.notes


def bias_lines(
    results: "Results",
    *,
    loss: str = "kl",
    cutoff: str = "none",
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[str]:
    """Print bias and variance of each learner, from the predictions that a store keeps.

    Parameters
    ----------
    results : Results
    loss, cutoff, learners, source : optional
        As `BiasVariance.of` takes them.

    Yields
    ------
    str

    Raises
    ------
    WorkbenchError
        As `BiasVariance.of`.
    """
    found = BiasVariance.of(results, loss=loss, cutoff=cutoff, learners=learners, source=source)  # type: ignore[arg-type]
    table = found.table
    yield f"{found.name} [{found.unit}], {table['n_sets'].max()} training sets, on test rows"
    lines = [["", "", "rows", *MEASURES, "share of variance", "truths"]]
    for row in table.to_dict("records"):
        cells = [_with_interval(row[m], row[f"{m}_low"], row[f"{m}_high"]) for m in MEASURES]
        share = "-" if np.isnan(row["variance_share"]) else f"{row['variance_share']:.0%}"
        lines.append([row["source"], row["learner"], str(row["n_train"]), *cells, share, str(row["n"])])
    yield from aligned(lines, words=(0, 1))
    yield "bias and variance corrected for the finite number of training sets; in brackets 95% intervals"
    yield from found.notes


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{value:.4f}" if np.isnan(low) else f"{value:.4f} ({low:.4f}, {high:.4f})"
