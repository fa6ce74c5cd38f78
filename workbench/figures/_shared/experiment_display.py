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
    """Base class of figures of one source of truths.

    A subclass defines how the figure is made from an experiment (`of`), in addition to the methods of
    `Display`. The attribute `key` is the argument of `Results.plot`.

    Attributes
    ----------
    draws : tuple of str
        The kinds of studies that the figure can show: "truths".

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
        """Make the figure of one source from the results of a study.

        Parameters
        ----------
        results : StudyResults
        source : str, optional
            Key of the source. Optional if there is only one source.
        score : ScoreKey or str, optional
            The score, as a key or a part of one (see `Results.choose`).
        learners : sequence of str, optional
            The learners to compare. By default those of the study.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            If there is no such source, score or learner, or if there are several sources and none is named.
        """
        sources = results.study.source_keys
        if source is None and len(sources) > 1:
            raise WorkbenchError(
                f"there are {len(sources)} sources: name one of {', '.join(sources)}, or several with "
                "sources="
            )
        experiments = paired_scores(results, score=score, learners=learners, source=source, independent=True)
        if not experiments:
            raise WorkbenchError(
                f"{source or sources[0]} has no scores to draw: run the study first, or name another source"
            )
        return cls.of(experiments[0], results)

    @classmethod
    @abstractmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> Self:
        """Make the figure from an experiment.

        Parameters
        ----------
        experiment : PairedScores
            The scores of one source.
        results : StudyResults
            The results of the study that the experiment comes from.

        Returns
        -------
        Display
        """


def not_compared(experiment: PairedScores) -> list[str]:
    """Return a sentence of a caption on the learners that are left out, if any."""
    left_out = learner_list(one.learner for one in experiment.left_out)
    return [f"Not compared, for lack of finite scores: {left_out}."] if left_out else []
