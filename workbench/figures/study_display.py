"""Figures of all sources of a study at once."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from workbench.figures.base import Display

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["StudyDisplay"]


class StudyDisplay(Display):
    """Draw what an analysis of a whole study found: every source, or the one that is named.

    Its `key` is what `Results.plot` takes.

    Examples
    --------
    >>> from workbench.figures import STUDY_FIGURES
    >>> issubclass(STUDY_FIGURES["best_map"], StudyDisplay)
    True
    """

    @classmethod
    @abstractmethod
    def from_results(
        cls,
        results: "Results",
        *,
        source: str | None = None,
        metric: str | None = None,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
        learners: Sequence[str] | None = None,
    ) -> Self:
        """Make the display of a study.

        Parameters
        ----------
        results : Results
        source : str, optional
            Only this one.
        metric, prior, rows, cutoff : str, optional
            The score, as `Results.choose` takes them.
        learners : sequence of str, optional
            Which are compared; by default those that the study says.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            If there is no such source, score or learner.
        """
