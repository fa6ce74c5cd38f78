"""Figures of a study as pictures of a report."""

from collections.abc import Iterator, Sequence

from workbench.analyses import Comparison, PairedScores
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.figures import STUDY_FIGURES, DataSetsDisplay, Display, ExperimentDisplay, StudyDisplay
from workbench.figures._shared.base import HEIGHT, WIDTH
from workbench.report.document import Picture
from workbench.report.words import source_word, word
from workbench.store.results import StudyResults

__all__ = ["data_sets_picture", "is_tall", "pictures", "study_figures", "study_picture"]

#: Times the usual height from which a figure may be higher than a screen.
TALL = 1.3


def pictures(results: StudyResults, experiments: Sequence[PairedScores], key: str) -> Iterator[Picture]:
    """Draw a figure of each experiment that it can be made of."""
    kind: type[ExperimentDisplay] = catalogue.find("figures", key)
    for experiment in experiments:
        try:
            display = kind.of(experiment, results)
        except WorkbenchError:
            continue  # what the figure needs is not there: one truth, or no exact scores
        name = word(f"{key} {experiment.score.rows} {source_word(results, experiment.source)}")
        yield Picture(
            name, f"{kind.title}: {experiment.kind}", display.caption, display.sketch, tall=is_tall(display)
        )


def data_sets_picture(tests: Sequence[Comparison]) -> Picture:
    """Draw the means of all learners on all data sets by one score."""
    key, display = tests[0].scores.score, DataSetsDisplay(tests)
    name = "_".join(["data_sets", key.metric, key.cutoff])
    return Picture(
        name, f"{key.words} by {tests[0].scores.by.source}", display.caption, display.sketch, tall=True
    )


def study_picture(results: StudyResults, display: StudyDisplay, i: int = 0) -> Picture:
    """Draw a figure of a whole study, or of one of its sources; `i` numbers several of the same."""
    if display.source is None:
        name, title = f"{display.key} {i + 1}" if i else display.key, display.title
    else:
        name = f"{display.key} {source_word(results, display.source)}"
        title = f"{display.title}: {display.kind}"
    return Picture(
        word(name), title, display.caption, display.sketch, display.width > WIDTH, is_tall(display)
    )


def is_tall(display: Display) -> bool:
    """Return whether a figure has so many lines that a screen's height would make them too small to read."""
    return display.height > TALL * HEIGHT


def study_figures() -> dict[str, type[StudyDisplay]]:
    """List the figures of a whole study by key, ours first, then those of installed packages."""
    others = {key: catalogue.find("figures", key) for key in catalogue.keys("figures")}
    return STUDY_FIGURES | {
        key: kind
        for key, kind in others.items()
        if isinstance(kind, type) and issubclass(kind, StudyDisplay) and key not in STUDY_FIGURES
    }
