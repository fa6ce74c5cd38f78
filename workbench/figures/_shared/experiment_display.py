"""Figures of one experiment of a study: the truths of one source."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from workbench.analyses._shared.paired_scores import PairedScores, paired_scores
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_list
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.base import Display

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["ExperimentDisplay", "not_compared"]


class ExperimentDisplay(Display):
    """Base class of figures of one experiment: the truths of one source.

    A subclass defines how it is made from an experiment (`of`), in addition to the methods of `Display`. Its
    `key` is the argument of `Results.plot`.

    Attributes
    ----------
    draws : tuple of str
        The kinds of studies that it applies to: "truths".

    Examples
    --------
    >>> from workbench.figures import FIGURES
    >>> issubclass(FIGURES["interaction"], ExperimentDisplay)
    True
    """

    draws: ClassVar[tuple[str, ...]] = ("truths",)

    @classmethod
    def from_results(
        cls,
        results: "StudyResults",
        *,
        source: str | None = None,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> Self:
        """Make the display of one source.

        Parameters
        ----------
        results : StudyResults
        source : str, optional
            Optional if there is only one.
        score : ScoreKey or str, optional
            As `Results.choose` takes it.
        learners : sequence of str, optional
            The learners to compare. By default those of the study.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            If there is no such source, score or learner, or several sources and none is named.
        """
        sources = results.study.source_keys
        if source is None and len(sources) > 1:
            raise WorkbenchError(
                f"there are {len(sources)} sources: name one of {', '.join(sources)}, or several, sources="
            )
        experiments = paired_scores(results, score=score, learners=learners, source=source, independent=True)
        if not experiments:
            raise WorkbenchError(f"{source or sources[0]} has no scores to draw")
        return cls.of(experiments[0], results)

    @classmethod
    @abstractmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the display of an experiment.

        Parameters
        ----------
        experiment : PairedScores
        results : StudyResults
            The results of the experiment.

        Returns
        -------
        Display
        """


def not_compared(experiment: PairedScores) -> list[str]:
    """Return a sentence of a caption on the learners that are left out, if any."""
    left_out = learner_list(one.learner for one in experiment.left_out)
    return [f"Not compared, for lack of finite scores: {left_out}."] if left_out else []
