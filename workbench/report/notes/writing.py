"""Markdown tables, numbers with intervals, and the generated section of a page."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from workbench.comparisons import holm
from workbench.report.renderers.markdown import between_markers

__all__ = ["half_width", "interval", "starred", "table", "write_section"]


def table(head: Sequence[object], rows: Iterable[Sequence[object]], *, words: int | None = None) -> str:
    """Write a Markdown table.

    Parameters
    ----------
    head : sequence
        The titles of the columns.
    rows : iterable of sequences
        Cells are written with `str`; what Markdown would take for its own is not escaped.
    words : int, optional
        How many of the first columns hold words; the others hold numbers and are aligned to the right. All
        by default.

    Returns
    -------
    str

    Examples
    --------
    >>> print(table(["learner", "IR_B"], [["nb", 0.12], ["tan", 0.2]], words=1))
    | learner | IR_B |
    | --- | ---: |
    | nb | 0.12 |
    | tan | 0.2 |
    """
    rule = ["---" if words is None or i < words else "---:" for i in range(len(head))]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (head, rule, *rows))


def half_width(values: ArrayLike, level: float = 0.95) -> float:
    """Return half the width of Student's t interval of a mean; NaN of fewer than two values.

    Parameters
    ----------
    values : array of float, shape (n,)
        Independent values, such as one for each truth.
    level : float
        The level of the interval.

    Returns
    -------
    float

    Examples
    --------
    >>> round(half_width([0.1, 0.2, 0.3]), 4)
    0.2484
    """
    from scipy.stats import t

    own = np.asarray(values, dtype=float)
    if len(own) < 2:
        return float("nan")
    return float(t.ppf((1 + level) / 2, len(own) - 1) * own.std(ddof=1) / np.sqrt(len(own)))


def interval(values: ArrayLike, digits: int = 3, *, signed: bool = False) -> str:
    """Write a mean and half the width of its 95% interval (Student's t).

    Parameters
    ----------
    values : array of float, shape (n,)
    digits : int
        Decimals.
    signed : bool
        Whether a positive mean has a plus, as differences do.

    Returns
    -------
    str

    Examples
    --------
    >>> interval([0.1, 0.2, 0.3]), interval([0.1, 0.2, 0.3], 2, signed=True)
    ('0.200 ± 0.248', '+0.20 ± 0.25')
    """
    sign = "+" if signed else ""
    return f"{np.mean(np.asarray(values, dtype=float)):{sign}.{digits}f} ± {half_width(values):.{digits}f}"


def starred(gaps: Sequence[ArrayLike], digits: int = 4) -> list[str]:
    """Write mean differences with intervals, and a star where Holm's procedure over all finds one at 5%.

    Parameters
    ----------
    gaps : sequence of arrays of float
        Paired differences, one array for each comparison of the family.
    digits : int
        Decimals.

    Returns
    -------
    list of str

    Examples
    --------
    >>> starred([[0.1, 0.2, 0.3, 0.2], [-0.1, 0.1, 0.0, 0.08]], 2)
    ['+0.20 ± 0.13 *', '+0.02 ± 0.14']
    """
    from scipy.stats import ttest_1samp

    own = [np.asarray(gap, dtype=float) for gap in gaps]
    p = [ttest_1samp(gap, 0.0).pvalue if gap.std(ddof=1) > 0 else 1.0 for gap in own]
    stars = [" *" if one < 0.05 else "" for one in holm(np.nan_to_num(p, nan=1.0))]
    return [f"{interval(gap, digits, signed=True)}{star}" for gap, star in zip(own, stars, strict=True)]


def write_section(page: str | Path, text: str) -> None:
    """Replace the section of a page between ``<!-- generated -->`` and ``<!-- end -->``.

    Parameters
    ----------
    page : str or Path
        A Markdown file with both markers.
    text : str
        The new section.

    Raises
    ------
    WorkbenchError
        If the page lacks a marker.
    """
    place = Path(page)
    place.write_text(between_markers(place.read_text(encoding="utf-8"), text), encoding="utf-8")
