"""Markdown tables, numbers with intervals, and the generated section of a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from workbench.comparisons import holm, stratified_mean
from workbench.report.renderers.csv_files import with_tables_beside
from workbench.report.renderers.markdown import END, START, between_markers

__all__ = ["half_width", "interval", "number", "starred", "stratified", "table", "write_section"]


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


def number(value: float, digits: int = 3, *, signed: bool = False) -> str:
    """Write a number with a true minus, and none before zero.

    Parameters
    ----------
    value : float
    digits : int
        Decimals.
    signed : bool
        Whether a positive number has a plus.

    Returns
    -------
    str

    Examples
    --------
    >>> number(-0.0001), number(-1.5, 1), number(0.25, 2, signed=True)
    ('0.000', '−1.5', '+0.25')
    """
    return f"{value:{'+' if signed else ''}z.{digits}f}".replace("-", "\N{MINUS SIGN}")


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


def stratified(values: ArrayLike, strata: ArrayLike, digits: int | None = 3, *, n_intervals: int = 1) -> str:
    """Write the mean of the strata's means, and half the width of its interval (`stratified_mean`).

    Parameters
    ----------
    values : array of float, shape (n,)
    strata : array of shape (n,)
        The stratum of each value, such as the kind of its truth.
    digits : int or None
        Decimals; None shows two digits of the half width, with 3 to 6 decimals.
    n_intervals : int
        Simultaneous intervals (Bonferroni).

    Returns
    -------
    str

    Examples
    --------
    >>> stratified([1.0, 1.2, 9.0, 9.2], ["a", "a", "b", "b"], 1)
    '5.1 ± 0.3'
    """
    found = stratified_mean(values, strata, n_intervals=n_intervals)
    half = (found.high - found.low) / 2
    if digits is None:
        digits = min(6, max(3, 1 - math.floor(math.log10(half)))) if half > 0 else 3
    return f"{number(found.mean, digits)} ± {half:.{digits}f}"


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


def write_section(page: str | Path, text: str, name: str = "", *, stays: Sequence[str] | None = None) -> None:
    """Replace the section of a page between ``<!-- generated -->`` and ``<!-- end -->``.

    Parameters
    ----------
    page : str or Path
        A Markdown file with both markers.
    text : str
        The new section.
    name : str
        Of another section, which stands between ``<!-- name -->`` and ``<!-- name end -->``.
    stays : sequence of str, optional
        How the titles of the tables begin that stay on the page. The others become CSV files in the folder
        ``tables`` beside the page, which links to them. A title is the heading above a table, or the bold
        words that its caption begins with. All stay by default.

    Raises
    ------
    WorkbenchError
        If the page lacks a marker.
    """
    place = Path(page)
    if stays is not None:
        text = with_tables_beside(text, place, lambda title: title.startswith(tuple(stays)), name)
    start, end = (f"<!-- {name} -->", f"<!-- {name} end -->") if name else (START, END)
    whole = between_markers(place.read_text(encoding="utf-8"), text, start=start, end=end)
    place.write_text(whole, encoding="utf-8")
