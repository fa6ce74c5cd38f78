"""The forecasts of learners after each of several training sets, from a store."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_list, learner_name
from workbench.base.text import truncate
from workbench.engine.problem import DrawSpec, Problem, build_problem

if TYPE_CHECKING:
    from workbench.store.results import StudyResults
    from workbench.study.study import Study

__all__ = ["Answers", "InputRows", "Place", "kept_answers", "left_out_once", "places_of"]

PLACE = ["source", "replicate", "n_train", "learner"]
Place = tuple[str, int, int, str]
#: The inputs to forecast: the whole attribute space, or the test rows.
InputRows = Literal["exact", "test"]


@dataclass(frozen=True, eq=False)
class Answers:
    """Forecasts for the same inputs after several training sets of one size."""

    place: Place  # source, replicate, n_train, learner
    p_true: NDArray[np.float64]  # (n_inputs, n_classes)
    y_prob: NDArray[np.float64]  # (n_sets, n_inputs, n_classes)
    weight: NDArray[np.float64] | None = None  # P(x), (n_inputs,); None if the inputs are a sample


def places_of(
    results: "StudyResults", learners: Sequence[str], source: str | None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the cells whose forecasts can be compared between training sets."""
    if not results.design.blocks.truth_known:
        raise WorkbenchError(
            "the study is of data sets, but bias and variance need known probabilities: run a study of truths"
        )
    cells = results.cells().astype({"source": "str", "learner": "str"})
    cells = cells[cells["learner"].isin(learners) & (cells["source"].eq(source) | (source is None))]
    tried = cells.groupby(["source", "learner"])["training_set"].transform("nunique")
    once = [key for key in learners if key in {*cells["learner"][tried < 2]}]
    if not (tried > 1).any():
        raise WorkbenchError(
            "the study has one training set for each truth and size, but bias and variance need several: set "
            "training_sets = 20 or more in its design"
        )
    cells, tried = cells[tried > 1], tried[tried > 1]
    done = cells[cells["state"] == "done"]
    whole = done.groupby(PLACE)["training_set"].transform("nunique") == tried[done.index]
    lacking = {*map(tuple, cells[PLACE].to_numpy())} - {*map(tuple, done[whole][PLACE].to_numpy())}
    words = [f"{learner_name(learner)} on {key} {i} with {n} rows" for key, i, n, learner in sorted(lacking)]
    notes = [] if not once else [left_out_once(once)]
    if words:
        notes.append(f"left out, because some training sets failed: {truncate(words, 5, between='; ')}")
    return done[whole], tuple(notes)


def left_out_once(learners: Sequence[str]) -> str:
    """Return a note on learners that cannot be decomposed, having one training set per size."""
    return f"left out, with one training set of each truth and size: {learner_list(learners)}"


def kept_answers(
    results: "StudyResults", cells: pd.DataFrame, *, on: Mapping[str, Any] | None = None
) -> Iterator[Answers]:
    """Read the stored forecasts of the test rows, truth by truth."""
    from workbench.store import schema
    from workbench.store.reading import kept_predictions
    from workbench.store.restored_study import restore
    from workbench.study.given_sources import given_sources

    path = results._path
    if path is None:
        raise WorkbenchError(
            "these results are in memory, without predictions: pass a store to run or compare"
        )
    with schema.plain_errors(path), closing(schema.read_only(path)) as connection:
        given = {} if on is None else {source.key: source for source in given_sources(on, None, None)}
        restored = restore(results.study, path, on=given)
        there = {source.key for source in restored.study.sources}
        numbers = dict(connection.execute("SELECT identity, cell FROM cells").fetchall())
        for place, own in cells.groupby(PLACE, sort=False):
            if place[0] not in there:
                raise WorkbenchError("; ".join(restored.left_out))
            problem = _rebuilt(restored.study, place, own)
            wanted = [numbers[identity] for identity in own["identity"]]
            kept = kept_predictions(connection, wanted)
            if len(kept) < len(wanted):
                raise WorkbenchError(
                    f"{path} kept no predictions of {place[3]} on {place[0]}: run the study with "
                    "keep_predictions = true in a new store, or fit again with `workbench analyze bias "
                    "--refit STUDY.toml`, or in Python BiasVariance.refit(study)"
                )
            assert problem.test.p_true is not None  # only data sets have none
            yield Answers(place, problem.test.p_true, np.stack([kept[cell].y_prob for cell in wanted]))


def _rebuilt(study: "Study", place: Place, cells: pd.DataFrame) -> Problem:
    """Rebuild the test rows, and check that they are those of the run."""
    source: Any = study.source(place[0])
    replicate, n_test = int(place[1]), int(cells["n_test"].iloc[0])
    problem = build_problem(DrawSpec(source.only(replicate), study.seed, replicate, n_test, exact=False))
    if {*cells["test_digest"]} != {problem.test_digest}:
        raise WorkbenchError(
            f"source {place[0]!r} has other test rows than in the run of the study (replicate {replicate}): "
            "install the package versions of that run, or run the study in a new store"
        )
    return problem
