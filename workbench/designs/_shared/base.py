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
    """The properties of a study that a design may use to plan its cells.

    Parameters
    ----------
    sources : mapping of str to int
        Maps the key of each source to the number of its truths (1 for a generator).
    learners : tuple of str
        Keys of the learners, in the order of the study.
    scores : callable
        A function that returns the scores of all computed cells, in the form of `Results.frame`.
    n_rows : mapping of str to int
        Maps the key of each data set to the number of its rows.
    n_groups : mapping of str to int
        Maps the key of each data set to the number of its groups (0 without groups).
    """

    sources: Mapping[str, int]
    learners: tuple[str, ...]
    scores: Callable[[], "pd.DataFrame"]
    n_rows: Mapping[str, int] = field(default_factory=dict)
    n_groups: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Blocks:
    """The units by which scores of learners are paired: truths, or parts (train-test splits) of data sets.

    All learners are scored on each block.

    Parameters
    ----------
    key : tuple of str
        The columns of cells that identify a block of a source.
    one, many : str
        Words for one block and for several blocks.
    source, sources : str
        Words for one source and for several sources.
    independent : bool
        Whether blocks share no rows. If so, a block without a score for some learner is left out for all
        learners. Otherwise the learner without the score is left out.
    has_sizes : bool
        Whether learners are trained at several sizes of a source. Otherwise each source is one setting.
    truth_known : bool
        Whether the true distribution of each source is known.
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
        """The word for what learners are ranked on: blocks (at each size), or sources."""
        return self.many if self.has_sizes else self.sources


class Design(ABC):
    """Base class of designs: frozen dataclasses, whose fields are the options of the design in TOML.

    A design yields the cells of a study in rounds. All missing cells of a round are computed before the next
    round is requested.

    Attributes
    ----------
    key : str
        The key of the design in study files.
    has_more_rounds : bool
        Whether the scores of one round determine the cells of the next round.
    blocks : Blocks
        The blocks by which the scores of learners are paired.
    test : PairTest
        The test that compares two learners by their scores on these blocks.
    how : str
        A sentence on how the rows of a source are split, as a format string of the design. Empty if unknown.
    note : str
        A sentence for users who compare learners, such as the reason if there is no valid test. Usually
        empty.
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
        """The kind of sources that the design applies to: "truths" or "datasets"."""
        return "truths" if self.blocks.truth_known else "datasets"

    def test_share(self, n_train: int, n_test: int) -> float:
        """Return the nominal ratio of test to training rows, or groups. It is 0 for independent blocks."""
        return 0.0 if self.blocks.independent else n_test / n_train

    def group_counts(self, n_groups: int) -> tuple[int, int] | None:
        """Return the nominal numbers of training groups and test groups, or None if rows have no groups."""
        return None

    def describe(self) -> dict[str, Any]:
        """Return, as plain data, what identifies a cell besides its position in the study. Usually empty."""
        return {}

    def n_replicates(self, n_truths: int) -> int:
        """Return the number of replicates of a source, given the number of its truths (1 for a generator)."""
        return n_truths

    def check_learners(self, learners: Sequence[str]) -> None:  # noqa: B027
        """Raise WorkbenchError if the design names learners that the study lacks."""

    def check_scores(self, keys: "Sequence[ScoreKey]") -> None:  # noqa: B027
        """Raise WorkbenchError if the design uses a score that no cell has."""

    @abstractmethod
    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Yield the cells of each round, in the order of computation.

        The same plan and scores must always yield the same rounds, so that an interrupted study can be
        resumed.
        """


class AbsentDesign(Design):
    """Placeholder for a design of a package that is not installed: its blocks, with their usual test."""

    def __init__(self, key: str, blocks: Blocks, test: PairTest) -> None:
        self.absent, self.blocks, self.test = key, blocks, test
        self.note = (
            f"The design {key} is neither installed nor imported, so its test is unknown and replaced by "
            f"{self.test.name}. Import its module before you read the store."
        )

    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Raise WorkbenchError: only the package knows the cells."""
        raise WorkbenchError(f"the design {self.absent!r} is not available: import its module, or install it")
