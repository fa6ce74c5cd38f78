"""What could be wrong with a study, looked up in its own results."""

from collections.abc import Iterator, Sequence

import numpy as np

from workbench.analyses import PairedScores
from workbench.base.names import learner_name, source_name
from workbench.base.text import truncate
from workbench.report.document import Part
from workbench.report.findings import Findings
from workbench.report.sections._shared.section import ReportSection, on_every_study
from workbench.report.table import Table
from workbench.store.results import StudyResults

__all__ = ["SECTION"]

# Below this many truths a t interval leans hard on normal differences.
FEW_REPLICATES = 10


def _parts(findings: Findings) -> Iterator[Part]:
    results, experiments = findings.results, findings.experiments
    rows: list[tuple[str, str] | None] = [_complete(results), _same_rows(results), _enumerated(results)]
    if experiments:
        rows += [_below_truth(experiments), _worse_than_prior(experiments), _replicates(experiments)]
    rows += [
        (f"{learner_name(key)} repeats its forecasts", f"NO: {said}")
        for key, said in results.not_reproducible().items()
    ]
    rows += [(f"the rows of {source}", found) for source, found in results.findings().items()]
    yield Table("What was checked", ("check", "found"), tuple(row for row in rows if row is not None))


def _complete(results: StudyResults) -> tuple[str, str]:
    states = results.cells()["state"].value_counts()
    total = int(states.sum())
    counts = ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in states.items())
    lacking = sum(results.missing_scores().values())
    more = f"; {lacking} scores that the study asks for are missing" if lacking else ""
    return ("every cell has its scores", f"{total} cells: {counts}{more}")


def _same_rows(results: StudyResults) -> tuple[str, str]:
    cells = results.cells()
    done = cells[cells["state"] == "done"]
    by = results.design.blocks
    groups = done.groupby(["source", *by.key], observed=True)["test_digest"].nunique()
    odd = int((groups > 1).sum())
    what = by.many if by.has_sizes else f"{by.many} of {by.sources}"
    found = f"yes, by hash, for {len(groups)} {what}" if not odd else f"NO for {odd} of {len(groups)} {what}"
    return ("every learner had the same test rows", found)


def _enumerated(results: StudyResults) -> tuple[str, str] | None:
    counts = results.not_enumerated()
    found = "; ".join(f"NO for {n} of {total} {source_name(key)}" for key, (n, total) in counts.items())
    return ("every truth can be enumerated for exact scores", found) if found else None


def _below_truth(experiments: Sequence[PairedScores]) -> tuple[str, str] | None:
    of_truth = [one for one in experiments if one.truth is not None]
    if not of_truth:
        return None
    above = total = 0
    for one in of_truth:
        truth = one.alongside[str(one.truth)]
        gap = one.sign * (one.values - truth[:, None, :])
        above += int((gap > 0).sum())
        total += gap.size
    exact = of_truth[0].score.rows == "exact"
    what = "no learner is above the truth" + ("" if exact else " (on a sample some are by chance)")
    return (what, f"{above} of {total} scores are above the truth's")


def _worse_than_prior(experiments: Sequence[PairedScores]) -> tuple[str, str] | None:
    found = []
    for one in experiments:
        if one.prior is None:
            continue
        gap = one.sign * (one.values - one.alongside[one.prior][:, None, :])
        for i, learner in enumerate(one.learners):
            for j, size in enumerate(one.sizes):
                n = int((gap[:, i, j] < 0).sum())
                if n:
                    found.append(
                        f"{learner_name(learner)} on {source_name(one.source)} with {size} rows: {n}"
                    )
    if not any(one.prior for one in experiments):
        return None
    n_truths = max(len(one.blocks) for one in experiments)
    listed = truncate(found, between="; ") or "none"
    return (f"learners worse than the class frequencies (of {n_truths} truths)", listed)


def _replicates(experiments: Sequence[PairedScores]) -> tuple[str, str]:
    fewest = min(len(one.blocks) for one in experiments)
    if fewest < FEW_REPLICATES:
        return (
            "enough truths for t intervals",
            f"only {fewest}: intervals depend on normality of the differences",
        )
    skew = max(abs(_skewness(one)) for one in experiments)
    return ("enough truths for t intervals", f"{fewest}, largest skewness of a paired difference: {skew:.1f}")


def _skewness(experiment: PairedScores) -> float:
    """Return the skewness of the paired difference that is farthest from a symmetric one."""
    n = len(experiment.learners)
    worst = 0.0
    for i in range(n):
        for j in range(i):
            gaps = experiment.values[:, i] - experiment.values[:, j]
            centered = gaps - gaps.mean(axis=0)
            spread = np.sqrt((centered**2).mean(axis=0))
            moved = spread > 1e-12
            cubes = (centered[:, moved] ** 3).mean(axis=0) / spread[moved] ** 3
            worst = max(worst, float(np.abs(cubes).max(initial=0.0)))
    return worst


SECTION = ReportSection(80, "Checks", _parts, on_every_study)
