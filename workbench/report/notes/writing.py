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
    """Return a Markdown table.

    Parameters
    ----------
    head : sequence
        The titles of the columns.
    rows : iterable of sequences
        The cells of each row, which are converted by `str`. Characters with a meaning in Markdown are not
        escaped.
    words : int, optional
        Number of leading columns with words. The other columns contain numbers and are aligned to the right.
        By default all columns contain words.

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
    """Format a number with a true minus sign. A number that rounds to zero has no sign.

    Parameters
    ----------
    value : float
    digits : int
        Number of decimals.
    signed : bool
        Whether a positive number has a plus sign.

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
    """Return half the width of Student's t interval of a mean, NaN for fewer than two values.

    Parameters
    ----------
    values : array of float, shape (n,)
        Independent values, such as one for each truth.
    level : float
        The confidence level of the interval, between 0 and 1.

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
    """Format a mean ± half the width of its 95% interval (Student's t).

    Parameters
    ----------
    values : array of float, shape (n,)
        Independent values, such as one for each truth.
    digits : int
        Number of decimals.
    signed : bool
        Whether a positive mean has a plus sign, as for differences.

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
    """Format the mean of the strata's means ± half the width of its interval (`stratified_mean`).

    Parameters
    ----------
    values : array of float, shape (n,)
        Independent values, such as one for each truth.
    strata : array of shape (n,)
        The stratum of each value, such as the kind of its truth.
    digits : int or None
        Number of decimals. None shows two digits of the half width, with 3 to 6 decimals.
    n_intervals : int
        Number of simultaneous intervals, by which the error rate is divided (Bonferroni).

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
    """Format mean differences with 95% intervals, and a star if significant at 5% by Holm's procedure.

    Parameters
    ----------
    gaps : sequence of arrays of float
        Paired differences, one array for each comparison. Holm's procedure corrects for all of them.
    digits : int
        Number of decimals.

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
    """Replace the text of a page between ``<!-- generated -->`` and ``<!-- end -->``.

    Parameters
    ----------
    page : str or Path
        A Markdown file with both markers.
    text : str
        The new text.
    name : str
        Name of another pair of markers to write between: ``<!-- name -->`` and ``<!-- name end -->``.
    stays : sequence of str, optional
        Beginnings of the titles of the tables that stay on the page. The other tables become CSV files in the
        folder ``tables`` next to the page, with links on the page. The title of a table is the heading above
        it, or the bold words at the start of its caption. By default all tables stay.

    Raises
    ------
    WorkbenchError
        If a marker is missing on the page.
    """
    place = Path(page)
    if stays is not None:
        text = with_tables_beside(text, place, lambda title: title.startswith(tuple(stays)), name)
    start, end = (f"<!-- {name} -->", f"<!-- {name} end -->") if name else (START, END)
    whole = between_markers(place.read_text(encoding="utf-8"), text, start=start, end=end)
    place.write_text(whole, encoding="utf-8")
