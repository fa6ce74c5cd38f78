"""The base of designs: rounds of cells, each of which may depend on the scores of earlier rounds."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from workbench.base.cell import Cell
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.comparisons import PairedT, PairTest

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["AbsentDesign", "Blocks", "Design", "StudyOutline"]


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
    n_groups : mapping of str to int
        The same for groups of rows that belong together; 0 where there are none.
    """

    sources: Mapping[str, int]
    learners: tuple[str, ...]
    scores: Callable[[], "pd.DataFrame"]
    n_rows: Mapping[str, int] = field(default_factory=dict)
    n_groups: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Blocks:
    """A kind of blocks, on each of which all learners are scored.

    Parameters
    ----------
    key : tuple of str
        The columns of cells that name a block of a source.
    one, many : str
        What a block is called.
    source, sources : str
        What a source is called.
    independent : bool
        Whether blocks share no rows. Then one on which a learner lacks a score is left out for all; of others
        the learner is left out.
    has_sizes : bool
        Whether a source is learned from at several sizes; else each source is one setting.
    truth_known : bool
        Whether the true distribution is known.
    """

    key: tuple[str, ...]
    one: str
    many: str
    source: str
    sources: str
    independent: bool
    has_sizes: bool
    truth_known: bool

    @property
    def ranked_on(self) -> str:
        """What learners are ranked on: blocks at each size, or sources."""
        return self.many if self.has_sizes else self.sources


class Design(ABC):
    """Base of the designs: frozen dataclasses whose fields are their options in TOML.

    The runner computes the missing cells of a round before it asks for the next.

    Attributes
    ----------
    key : str
        The short name.
    has_more_rounds : bool
        Whether scores of one round decide on cells of a next one.
    blocks : Blocks
        What the scores of learners are paired by.
    test : PairTest
        The test of two learners on these blocks.
    how : str
        How the rows of a source are split, as a format string of the design; empty if unknown.
    note : str
        A sentence for users who compare learners; mostly empty.
    """

    key: ClassVar[str]
    has_more_rounds: ClassVar[bool] = False
    blocks: Blocks = Blocks(
        ("replicate",), "truth", "truths", "kind of truth", "kinds of truth",
        independent=True, has_sizes=True, truth_known=True,
    )  # fmt: skip
    test: PairTest = PairedT()
    note: str = ""
    how: str = ""

    @property
    def source_kind(self) -> Literal["truths", "datasets"]:
        """What the design is for."""
        return "truths" if self.blocks.truth_known else "datasets"

    def test_share(self, n_train: int, n_test: int) -> float:
        """Return the nominal number of test rows, or groups, over training ones; 0 if blocks share none."""
        return 0.0 if self.blocks.independent else n_test / n_train

    def group_counts(self, n_groups: int) -> tuple[int, int] | None:
        """Return the nominal numbers of training and test groups; None where rows belong to no groups."""
        return None

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


class AbsentDesign(Design):
    """Stands for a design of a package that is not installed: its kind of blocks, with their usual test."""

    def __init__(self, key: str, blocks: Blocks, test: PairTest) -> None:
        self.absent, self.blocks, self.test = key, blocks, test
        self.note = (
            f"The design {key} is neither installed nor imported, so that its own test is unknown: in its "
            f"place stands {self.test.name}. Import its module before you read the store."
        )

    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Raise WorkbenchError: only the package knows the cells."""
        raise WorkbenchError(f"the design {self.absent!r} is not there: import its module, or install it")
