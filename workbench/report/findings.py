"""The content of a report: a study's results, analyses that several sections show, and the settings."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from workbench.analyses import Differences, Experiment, Resampled, experiments_of, resampled_of
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of
from workbench.report.document import Part, Text
from workbench.report.table import Cell, Table, number, whole
from workbench.report.words import headline_keys
from workbench.store.failures import failures_of
from workbench.store.results import StudyResults

__all__ = ["Findings", "possible", "runs_of", "settings_of", "toml_of"]

TIME_NOTE = (
    "Sums over cells, each on one thread of one process. A learner's first fit includes the compilation of "
    "its kernels where the machine had none cached."
)


@dataclass(frozen=True, eq=False)
class Findings:
    """The results of a study, and analyses that are computed on first use.

    Parameters
    ----------
    results : StudyResults
    score : ScoreKey or None
        The score to report; None on data sets, where every metric is shown.
    """

    results: StudyResults
    score: ScoreKey | None = None

    @cached_property
    def experiments(self) -> tuple[Experiment, ...]:
        """The scores of each source on generating models."""
        return () if self.score is None else self._experiments(self.score)

    @cached_property
    def again(self) -> tuple[Experiment, ...]:
        """The same by the papers' score, in addition to an exact one; else empty."""
        second = self._second()
        return self._experiments(second) if second else ()

    @cached_property
    def differences(self) -> list[Differences]:
        """Paired differences of the experiments that have several generating models."""
        return possible(Differences.of, self.experiments)

    @cached_property
    def tests(self) -> dict[ScoreKey, tuple[Resampled, ...]]:
        """Resampled tests on data sets, by headline score."""
        return {key: resampled_of(self.results, score=key) for key in headline_keys(self.results)}

    def _experiments(self, score: ScoreKey) -> tuple[Experiment, ...]:
        found: list[Experiment] = []
        for source in self.results.study.source_keys:
            try:
                found += experiments_of(self.results, score=score, source=source)
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


def possible(make: Callable[[Experiment], Any], experiments: Iterable[Experiment]) -> list[Any]:
    """Make an analysis of each experiment that allows it."""
    made = []
    for experiment in experiments:
        try:
            made.append(make(experiment))
        except WorkbenchError:
            continue
    return made


def settings_of(results: StudyResults) -> Iterator[Part]:
    """Return the study, times, provenance and failures."""
    toml = toml_of(results)
    if toml:
        yield Text("The study, as a file that `workbench run` takes:")
        yield Text(toml, verbatim=True)
    else:
        yield Text("The study holds parameters that TOML cannot express; here as it is recorded:")
        yield Text(results.study.to_json(indent=1), verbatim=True)
    yield _times(results)
    provenance = json.loads(results.runs["provenance"].iloc[-1])
    versions = provenance.pop("versions")
    rows = [(name, str(value)) for name, value in {**provenance, **versions}.items() if value is not None]
    yield Table("Program, machine and data of the last run", ("what", "value"), tuple(rows))
    failures = list(failures_of(results))
    if failures:
        yield Text(failures[0])
        yield Text("\n".join(line.strip() for line in failures[1:]), verbatim=True)


def _times(results: StudyResults) -> Table:
    cells = results.cells()
    rows: list[tuple[Cell, ...]] = []
    for learner, own in cells[cells["state"] == "done"].groupby("learner", observed=True):
        seconds = [own[f"{what}_seconds"].sum() for what in ("fit", "predict", "score")]
        rows.append((str(learner), whole(len(own)), *[number(s, 2) for s in seconds]))
    columns = ("learner", "cells", "fit [s]", "predict [s]", "score [s]")
    return Table("Time", columns, tuple(rows), TIME_NOTE)


def runs_of(results: StudyResults) -> str:
    """Return how often the study was run, and when last."""
    runs = results.runs
    ended = runs["ended"].dropna()
    when = f", the last ended {ended.iloc[-1][:19].replace('T', ' ')} UTC" if len(ended) else ""
    return f"{count_of(len(runs), 'run')}{when}"


def toml_of(results: StudyResults) -> str | None:
    """Return the text of the study; None, which pandas makes NaN among texts, if TOML cannot express it."""
    toml = results.runs["toml"].iloc[-1]
    return toml if isinstance(toml, str) else None
