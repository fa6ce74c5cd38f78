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
    """Base class of figures of a whole study: every source, or one of them.

    Its `key` is the argument of `Results.plot`. Every report draws it if possible. A subclass overrides
    `reported` if its figure is of one source, uninformative for some studies, or slow.

    Attributes
    ----------
    source : str or None
        The only source that it shows. None for the whole study.
    draws : tuple of {"truths", "data sets"}
        The kinds of studies that it applies to.

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
        """The kind of truths that it shows, in words."""
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
        """Make the display of a study.

        Parameters
        ----------
        results, score, learners
            As in `ExperimentDisplay.from_results`.
        source : str, optional
            The only source to show.

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
        """Return the displays of a report: by default one of all sources that can be compared.

        Parameters
        ----------
        results : StudyResults
        experiments : sequence of PairedScores
            The report's experiments: one per source with at least two learners to compare, with the same
            score.

        Yields
        ------
        Display or str
            Displays, and a sentence on missing ones. Nothing if the figure cannot be made or is
            uninformative.
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
