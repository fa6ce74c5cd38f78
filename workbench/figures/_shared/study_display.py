"""Figures of all sources of a study at once."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from workbench.analyses._shared.experiment import Experiment
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.base import Display

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["StudyDisplay"]


class StudyDisplay(Display):
    """Draw what an analysis of a whole study found: every source, or the one that is named.

    Its `key` is what `Results.plot` takes. Every report draws it where it can be made; a subclass whose
    figure is of one source, tells nothing of some studies or takes long says so by a `reported` of its own.

    Attributes
    ----------
    source : str or None
        The source it shows, where it is one alone; None for those of the whole study.

    Examples
    --------
    >>> from workbench.figures import STUDY_FIGURES
    >>> issubclass(STUDY_FIGURES["best_map"], StudyDisplay)
    True
    """

    source: str | None = None

    @property
    def kind(self) -> str:
        """The truths it shows, in words."""
        return "the truths" if self.source in (None, "truths") else f"{self.source} truths"

    @classmethod
    @abstractmethod
    def from_results(
        cls,
        results: "StudyResults",
        *,
        source: str | None = None,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> Self:
        """Make the display of a study.

        Parameters
        ----------
        results, score, learners
            As `ExperimentDisplay.from_results` takes them.
        source : str, optional
            Only this one.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            If there is no such source, score or learner.
        """

    @classmethod
    def reported(cls, results: "StudyResults", experiments: Sequence[Experiment]) -> "Iterator[Self | str]":
        """Make what a report shows of it: by default one display of all sources that can be compared.

        Parameters
        ----------
        results : StudyResults
        experiments : sequence of Experiment
            Those of the report: one for each source with at least two learners to compare, by one score.

        Yields
        ------
        Display or str
            Displays; and a sentence on what is not drawn and a reader would miss. Nothing where the figure
            cannot be made or tells nothing.
        """
        sources = [one.source for one in experiments if len(one.replicates) > 1]
        if not sources:
            return
        try:
            yield cls.from_results(_only(results, sources), score=experiments[0].score)
        except WorkbenchError:
            return


def _only(results: "StudyResults", sources: Sequence[str]) -> "StudyResults":
    """Leave out the sources that would be an error."""
    if {*results.study.source_keys} == {*sources}:
        return results  # with what it has read already
    return replace(results, study=results.study.only_sources(sources))
