"""Fresh training rows from truths, at different sizes for each source."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from workbench.base.cell import Cell
from workbench.base.errors import WorkbenchError, nearest
from workbench.designs._shared.base import StudyOutline
from workbench.designs._shared.fresh_rows import FreshRows, check_positive

__all__ = ["SizesBySource"]


@dataclass(frozen=True)
class SizesBySource(FreshRows):
    """Design with fresh training rows from every truth, at sizes that may differ between sources.

    Sources take turns, truth by truth. So if a study is interrupted, the numbers of truths of any two sources
    differ by at most one. The cells are the same as those of `FreshSamples` at the same sizes.

    Parameters
    ----------
    sizes : mapping of str to tuple of int
        Maps the key of a source to its numbers of training rows.
    usual : tuple of int
        Numbers of training rows for all other sources.
    replicates, n_test, training_sets, once
        As in `FreshSamples`.

    Raises
    ------
    WorkbenchError
        If a number is not a positive integer, a source has no sizes or has a size twice, or `once` is not a
        list of keys. Before anything is computed, if `sizes` names a source that the study lacks.

    Examples
    --------
    >>> design = SizesBySource(sizes={"tan": (50, 500)}, usual=(50,), replicates=2)
    >>> (cells,) = design.rounds(StudyOutline({"tan": 1, "nb": 1}, ("aode",), scores=list))
    >>> [(cell.source, cell.replicate, cell.n_train) for cell in cells][:4]
    [('tan', 0, 50), ('tan', 0, 500), ('nb', 0, 50), ('tan', 1, 50)]
    """

    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    usual: tuple[int, ...] = (50, 500, 5000)
    replicates: int = 40
    n_test: int = 1000
    training_sets: int = 1
    once: tuple[str, ...] = ()
    key: ClassVar[str] = "sizes_by_source"

    def __post_init__(self) -> None:
        self.check_options()
        if not isinstance(self.sizes, Mapping):
            raise WorkbenchError(
                f"sizes is {self.sizes!r}: expected a list for each source, such as {{ tan = [50, 500] }}"
            )
        checked = {str(key): self._checked(str(key), own) for key, own in self.sizes.items()}
        object.__setattr__(self, "sizes", checked)
        object.__setattr__(self, "usual", self._checked("other sources", self.usual))

    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Yield a single round with all cells: truth by truth, alternating between sources.

        Parameters
        ----------
        plan : StudyOutline
            The properties of the study.

        Yields
        ------
        tuple of Cell

        Raises
        ------
        WorkbenchError
            If `sizes` names a source that the study lacks.
        """
        for source in self.sizes:
            if source not in plan.sources:
                raise WorkbenchError(f"unknown source {source!r} in sizes; {nearest(source, plan.sources)}")
        own = {source: self.sizes.get(source, self.usual) for source in plan.sources}
        cells = list(self.cells(plan, own))
        yield tuple(sorted(cells, key=lambda cell: cell.replicate))

    @staticmethod
    def _checked(source: str, sizes: object) -> tuple[int, ...]:
        listed = sizes if isinstance(sizes, list | tuple) else (sizes,)
        found = tuple(check_positive(f"sizes of {source}", size) for size in listed)
        if not found or len(set(found)) < len(found):
            raise WorkbenchError(
                f"sizes of {source} is {list(listed)}: expected at least one size, each named once"
            )
        return found
