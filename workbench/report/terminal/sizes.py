"""Results by training size: crossovers, the best learner, rows needed, regret."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.analyses import BestMap, Crossovers, Regret, SampleComplexity, paired_scores
from workbench.analyses.best_map import WITHIN
from workbench.analyses.sample_complexity import CEILINGS
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.comparisons import FARTHEST_SIZES
from workbench.report.size_tables import best_table, needed_table, over_kinds_table, regret_table
from workbench.report.table import Table

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["best_parts", "crossover_lines", "sample_size_parts", "regret_parts"]


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
    experiments = paired_scores(results, score=score, learners=pair, source=source)
    for experiment in experiments:
        found = Crossovers.of(experiment)
        n = len(experiment.blocks)
        yield f"{experiment.score.words}; {n} {experiment.kind.removeprefix('the ')}"
        yield from (f"  {sentence}" for sentence in found.sentences)
        yield from experiment.notes
    yield (
        "In brackets 95% intervals, bootstrap over truths. Leaders are tested with Holm's correction over "
        "sizes."
    )


def best_parts(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
    within: float = WITHIN,
) -> Iterator[Table | str]:
    """Return the most probably best learner of each source and size."""
    found = BestMap.of_results(results, score=score, learners=learners, source=source, within=within)
    yield replace(best_table(found), note="")
    yield "probability: that the learner has the best mean, Bayesian bootstrap over truths"
    if found.table["p_within"].notna().any():
        yield f"within {within:g} of the optimum: the same probability for the mean of the best learner"
    yield from found.notes


def sample_size_parts(
    results: "StudyResults",
    *,
    shares: Sequence[float],
    of: str = "truth",
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[Table | str]:
    """Return the training rows that each learner needs for shares of the truth's score, or the optimum's."""
    found = SampleComplexity.of_results(
        results, score=score, learners=learners, source=source,
        shares=shares, of=of,
    )  # fmt: skip
    yield replace(needed_table(found), note="")
    yield (
        f"rows with which a learner reaches the share of the way from {learner_name(found.floor)} to "
        f"{CEILINGS[found.ceiling]}"
    )
    yield "Interpolated over log size. In brackets 95% intervals, bootstrap over truths."
    if found.is_coarse:
        yield (
            f"sizes more than {FARTHEST_SIZES:.0f} times apart: answers between two such sizes are not "
            "resolved, and intervals reach to both"
        )
    yield from found.notes


def regret_parts(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> Iterator[Table | str]:
    """Return what each learner loses to the truth, divided into irreducible loss and regret."""
    found = Regret.of_results(results, score=score, learners=learners, source=source)
    yield replace(regret_table(found, brief=True), note="")
    together = over_kinds_table(found, brief=True)
    if together is not None:
        yield replace(together, note="")
    yield from found.sentences
    yield from _regret_legend(found)
    yield from found.notes


def _regret_legend(found: Regret) -> Iterator[str]:
    """Explain the columns that occur."""
    table = found.table
    if table["irreducible"].notna().any():
        yield "irreducible: the optimum's loss relative to the truth, with the same training rows"
    if found.has_mix:
        yield "structure: structure regret, the cost of not knowing the kind of truth"
        yield (
            "learner's: learner regret, the loss relative to the optimum that knows only the set of "
            "kinds, negative where a learner assumes the right kind"
        )
    if table["regret"].notna().any():
        yield "regret: the loss relative to the optimum with the same training rows"
    yield "in brackets 95% intervals, simultaneous over the learners and sizes of a source (Bonferroni)"
    if (table["mc_error"] > 0).any():
        yield f"Monte Carlo standard error of the optimum: up to {table['mc_error'].max():.4f}"
    least, most = table["n"].min(), table["n"].max()
    yield f"{least if least == most else f'{least} to {most}'} truths of each kind"
