"""Figures of all sources of a study."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Self

from workbench.analyses._shared.paired_scores import PairedScores
from workbench.analyses._shared.subjects import truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.base import Display

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["StudyDisplay"]


class StudyDisplay(Display):
    """Base class of figures of all sources of a study, or of one source.

    The attribute `key` is the argument of `Results.plot`. Every report draws the figure if possible. A
    subclass overrides `reported` if its figure shows one source, is uninformative for some studies, or is
    slow.

    Attributes
    ----------
    source : str or None
        The only source that the figure shows. None for all sources.
    draws : tuple of {"truths", "data sets"}
        The kinds of studies that the figure can show.

    Examples
    --------
    >>> from workbench.figures import STUDY_FIGURES
    >>> issubclass(STUDY_FIGURES["best_map"], StudyDisplay)
    True
    """

    draws: ClassVar[tuple[str, ...]] = ("truths", "data sets")
    source: str | None = None

    @property
    def kind(self) -> str:
        """The kind of truths that the figure shows, in words."""
        return truths_of(self.source or "truths")

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
        """Make the figure from the results of a study.

        Parameters
        ----------
        results, score, learners
            As in `ExperimentDisplay.from_results`.
        source : str, optional
            The only source to show. By default all sources.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            If there is no such source, score or learner.
        """

    @classmethod
    def reported(cls, results: "StudyResults", experiments: Sequence[PairedScores]) -> "Iterator[Self | str]":
        """Return the displays for a report: by default one display of all sources that can be compared.

        Parameters
        ----------
        results : StudyResults
        experiments : sequence of PairedScores
            The scores in the report. There is one item per source with at least two learners to compare, all
            with the same score.

        Yields
        ------
        Display or str
            Displays, and a sentence on each display that cannot be made. Nothing if the figure does not apply
            or is uninformative.
        """
        sources = [one.source for one in experiments if len(one.blocks) > 1]
        if not sources:
            return
        try:
            yield cls.from_results(_only(results, sources), score=experiments[0].score)
        except WorkbenchError:
            return


def _only(results: "StudyResults", sources: Sequence[str]) -> "StudyResults":
    """Keep the sources that can be drawn."""
    if {*results.study.source_keys} == {*sources}:
        return results  # sharing what has been read already
    return replace(results, study=results.study.only_sources(sources))
