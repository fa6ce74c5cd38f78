"""The base of designs: rounds of cells, each of which may depend on the scores of earlier rounds."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from workbench.base.cell import Cell
from workbench.base.score_key import ScoreKey

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["Design", "StudyOutline"]


@dataclass(frozen=True)
class StudyOutline:
    """What a design can know about its study.

    Parameters
    ----------
    sources : mapping of str to int
        Key of a source to the number of its truths (1 for a generator).
    learners : tuple of str
        Keys of the learners, in the order of the study.
    scores : callable
        Returns the scores of all cells computed so far, as `Results.frame` does.
    n_rows : mapping of str to int
        Key of a data set to the number of its rows.
    """

    sources: Mapping[str, int]
    learners: tuple[str, ...]
    scores: Callable[[], "pd.DataFrame"]
    n_rows: Mapping[str, int] = field(default_factory=dict)


class Design(ABC):
    """Base of the designs: frozen dataclasses whose fields are their options in TOML.

    The runner computes the missing cells of a round before it asks for the next.

    Attributes
    ----------
    key : str
        The short name.
    has_more_rounds : bool
        Whether scores of one round decide on cells of a next one.
    source_kind : {"truths", "datasets"}
        What the design is for.
    """

    key: ClassVar[str]
    has_more_rounds: ClassVar[bool] = False
    source_kind: ClassVar[Literal["truths", "datasets"]] = "truths"

    def describe(self) -> dict[str, Any]:
        """Return what a cell's identity must hold in addition to its place: plain data, mostly empty."""
        return {}

    def n_replicates(self, n_truths: int) -> int:
        """Return how many replicates a source of so many truths can have; a generator counts as one."""
        return n_truths

    def check_learners(self, learners: Sequence[str]) -> None:  # noqa: B027
        """Raise WorkbenchError if the design names learners that the study lacks; most name none."""

    def check_scores(self, keys: "Sequence[ScoreKey]") -> None:  # noqa: B027
        """Raise WorkbenchError if the design uses a score that no cell gets; most use none."""

    @abstractmethod
    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Yield the cells of each round, in the order in which they should be computed.

        The same plan and scores must yield the same rounds, so that a study can be resumed.
        """
