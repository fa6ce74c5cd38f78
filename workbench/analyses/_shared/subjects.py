"""The scores of learners on each truth and size, or on each part of a data set."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from workbench.base.errors import WorkbenchError, check_known
from workbench.base.names import metric_name, source_name
from workbench.base.score_key import ScoreKey

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["THE_TRUTHS", "behind_number", "check_learners", "check_source", "subjects_of", "truths_of"]

#: The truths of a comparison whose source has no name.
THE_TRUTHS = "the truths"
PLACE = ["source", "n_train", "replicate", "fold"]
#: Units of which there are so many; of the others the metric is named.
COUNTED = ("bits", "nats", "cost per sample")


def subjects_of(results: "StudyResults", score: ScoreKey, learners: Sequence[str]) -> pd.DataFrame:
    """Return one row per truth and size, or per part of a data set, and one column per learner."""
    cells = results.cells().astype({"source": "str", "learner": "str"})
    tried = cells.groupby([*PLACE, "learner"]).size()
    own = results.scores(score).astype({"source": "str", "learner": "str"})
    values = own.groupby([*PLACE, "learner"])["value"]
    means = values.mean().where(values.size() == tried.reindex(values.size().index))
    places = pd.MultiIndex.from_frame(cells[PLACE].drop_duplicates())
    return means.unstack("learner").reindex(index=places, columns=pd.Index(learners, name="learner"))


def truths_of(source: str) -> str:
    """Name the truths of a source in a sentence."""
    if source == "truths":
        return THE_TRUTHS
    return source if source.endswith("truths") else f"{source_name(source)} truths"


def behind_number(unit: str, metric: str) -> str:
    """Return the words after a difference in a sentence: a unit that is a noun, otherwise the metric."""
    return f" {unit}" if unit in COUNTED else f" in {metric_name(metric)}"


def check_learners(results: "StudyResults", learners: Sequence[str]) -> None:
    """Raise WorkbenchError if the study lacks one of the learners."""
    if isinstance(learners, str):
        raise WorkbenchError(f"learners is {learners!r}: expected a list, such as [{learners!r}]")
    check_known("learner", learners, results.study.learner_keys)


def check_source(results: "StudyResults", source: str | None) -> None:
    """Raise WorkbenchError if the study lacks the source."""
    check_known("source", () if source is None else (source,), results.study.source_keys)
