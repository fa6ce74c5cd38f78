"""Columns of classes that no row names, detected by the sums of the rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from workbench.datasets._shared.lines import to_numbers
from workbench.forecasts.files.printed_rows import Digits, PrintedRows

__all__ = ["refuse_lost_classes"]

#: Floating-point tolerance of sums.
EXACT = 1e-9
#: Largest number of sets of columns to try.
MOST_TRIED = 5_000


def refuse_lost_classes(
    printed: PrintedRows, header: Sequence[str], records: Sequence[Sequence[str]], unused: Sequence[int]
) -> None:
    """Raise if rows sum to one only together with unused columns."""
    scored = [i for i, row in enumerate(printed.rows) if row.actual is not None]
    if not scored:
        return
    by_class = zip(*(printed.rows[i].texts for i in scored), strict=True)
    used = [_numbers(texts) for texts in by_class]
    known = [each for each in used if each is not None]
    if len(known) < len(used):
        return  # invalid probabilities are reported when all are read
    table = _joined(known)
    found = {place: _numbers([records[i][place] for i in scored]) for place in unused}
    lost = _completing(table, {place: each for place, each in found.items() if each is not None})
    if lost:
        names = ", ".join(repr(header[place]) for place in lost)
        worst = int(table.misses().argmax())
        raise printed.error(
            printed.rows[scored[worst]].line,
            f"the probabilities of {', '.join(printed.classes)} sum to {1.0 - table.misses()[worst]:.6g}, "
            f"but to one together with {names}, whose class no row names: name all classes with "
            f"classes=[...], or their columns with columns={{label: {header[lost[0]]!r}, ...}}",
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Columns:
    """Some columns of numbers, and the digits they are printed with."""

    values: NDArray[np.float64]  # (n_samples, n_columns)
    digits: tuple[Digits, ...]  # by column

    def misses(self) -> NDArray[np.float64]:
        """Return how far each row is below one."""
        return 1.0 - self.values.sum(axis=1)

    def slack(self) -> NDArray[np.float64]:
        decimals = max(each.decimals for each in self.digits)
        return Digits(decimals, max(each.significant for each in self.digits)).slack(self.values)


def _numbers(texts: Sequence[str]) -> _Columns | None:
    """Read a column whose numbers are all from 0 to 1."""
    try:
        values = to_numbers(texts, missing=())
    except ValueError:
        return None
    if ((values < 0.0) | (values > 1.0)).any():
        return None
    return _Columns(values[:, None], (Digits.of(texts),))


def _joined(columns: Sequence[_Columns]) -> _Columns:
    digits = tuple(digits for each in columns for digits in each.digits)
    return _Columns(np.hstack([each.values for each in columns]), digits)


def _completing(used: _Columns, unused: dict[int, _Columns]) -> tuple[int, ...]:
    """Find the smallest set of columns, or all, that completes the sums to one."""
    misses = used.misses()
    if (misses <= EXACT).all():
        return ()
    # a column that exceeds what a row lacks cannot be a class's, as probabilities are not negative
    room = misses + 2.0 * used.slack()  # its own rounding and that of the others
    fitting = [
        place
        for place, each in unused.items()
        if (each.values[:, 0] <= room).all()
    ]  # fmt: skip
    for places in islice(_sets(fitting), MOST_TRIED):
        whole = _joined([used, *(unused[place] for place in places)])
        left = np.abs(whole.misses())
        if (left > whole.slack()).any():
            continue
        # rounding could explain both: a class was lost if its column halves the deviation
        if (np.abs(misses) > used.slack()).any() or left.sum() < 0.5 * np.abs(misses).sum():
            return places
    return ()


def _sets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return sets of indices, small ones first, and the full set before those of three."""
    for n in (1, 2):
        yield from combinations(places, n)
    if len(places) > 2:
        yield tuple(places)
    for n in range(3, len(places)):
        yield from combinations(places, n)
