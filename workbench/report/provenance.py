"""How the numbers of a report came about: study, times, versions, failures."""

import json
from collections.abc import Iterator

from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.base.text import count_of
from workbench.report.document import Part, Text
from workbench.report.table import Cell, Table, number, whole
from workbench.store.failures import failures_of
from workbench.store.results import FOUND_IN, StudyResults
from workbench.store.run_notes import REPEAT_OF

__all__ = ["footer_of", "settings_of"]

TIME_NOTE = (
    "Sums over cells, each on one thread. A learner's first fit includes compilation if no kernels were "
    "cached."
)


def settings_of(results: StudyResults) -> Iterator[Part]:
    """Return the study, times, provenance and failures."""
    try:
        toml = results.study.to_toml()
    except WorkbenchError as error:
        yield Text(f"There is no study file: {error}. The study as it is recorded:")
        yield Text(results.study.to_json(indent=1), verbatim=True)
    else:
        yield Text("The study file for `workbench run`:")
        yield Text(toml, verbatim=True)
    yield _times(results)
    provenance = json.loads(results.runs["provenance"].iloc[-1])
    versions = provenance.pop("versions")
    rows = [
        (name, str(value))
        for name, value in {**provenance, **versions}.items()
        if value is not None and not name.startswith((FOUND_IN, REPEAT_OF))  # which stand under the checks
    ]
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
        rows.append(
            (str(learner), learner_name(str(learner)), whole(len(own)), *[number(s, 2) for s in seconds])
        )
    columns = ("key", "learner", "cells", "fit [s]", "predict [s]", "score [s]")
    return Table("Learners, by key, and their time", columns, tuple(rows), TIME_NOTE)


def footer_of(results: StudyResults) -> str:
    """Return the seed, how often the study was run, and when last."""
    runs = results.runs
    ended = runs["ended"].dropna()
    when = f", the last ended {ended.iloc[-1][:19].replace('T', ' ')} UTC" if len(ended) else ""
    return f"Seed {results.study.seed}; {count_of(len(runs), 'run')}{when}."
