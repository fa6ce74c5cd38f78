"""The content of a report: a study's results and analyses that several sections show."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from workbench.analyses import Comparison, PairedScores, Verdict, comparisons_of, paired_scores
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.report.words import headline_keys
from workbench.store.results import StudyResults

__all__ = ["Findings", "possible"]


@dataclass(frozen=True, eq=False)
class Findings:
    """The results of a study, and analyses that are computed on first use."""

    results: StudyResults
    # to report; where each source is one setting every metric is shown, and that of this score first
    score: ScoreKey | str | None = None

    @cached_property
    def experiments(self) -> tuple[PairedScores, ...]:
        """The scores of each source on generating models."""
        return self._experiments(self.results.choose(self.score))

    @cached_property
    def again(self) -> tuple[PairedScores, ...]:
        """The same by the papers' score, in addition to an exact one; else empty."""
        second = self._second()
        return self._experiments(second) if second else ()

    @cached_property
    def tests(self) -> dict[ScoreKey, tuple[Comparison, ...]]:
        """What the tests found: by the score that decides, or without sizes by one score a metric."""
        if self.results.design.blocks.has_sizes:
            known = self.experiments
            key = known[0].score if known else self.results.choose(self.score)
            return {key: tuple(possible(Comparison.of, known))}
        keys = headline_keys(self.results, self.score)
        return {key: comparisons_of(self.results, score=key) for key in keys}

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """What the tests found by the score that decides."""
        return next(iter(self.tests.values()))

    @cached_property
    def verdict(self) -> Verdict | None:
        """The answer by size, if there is one."""
        return Verdict.of(self.comparisons, results=self.results) if self.comparisons else None

    def _experiments(self, score: ScoreKey) -> tuple[PairedScores, ...]:
        found: list[PairedScores] = []
        for source in self.results.study.source_keys:
            try:
                found += paired_scores(self.results, score=score, source=source, independent=True)
            except WorkbenchError:
                continue  # fewer than two learners; the tables of all measures are still shown
        return tuple(found)

    def _second(self) -> ScoreKey | None:
        """Return the papers' score in addition to an exact one: test rows, against the training prior."""
        first = self.experiments[0].score if self.experiments else None
        if first is None or first.rows != "exact":
            return None
        for prior in ("training", first.prior):
            key = first._replace(prior=prior, rows="test")
            if key in self.results.score_keys:
                return key
        return None


def possible(make: Callable[[PairedScores], Any], experiments: Iterable[PairedScores]) -> list[Any]:
    """Make an analysis of each experiment that allows it."""
    made = []
    for experiment in experiments:
        try:
            made.append(make(experiment))
        except WorkbenchError:
            continue
    return made
