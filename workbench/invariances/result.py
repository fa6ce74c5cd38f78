"""The findings of all checks: a table, plain sentences, and a view in notebooks."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import pandas as pd

from generators.networks.notebook import block, table_html, title_lines
from workbench.base.names import learner_name
from workbench.base.text import and_of
from workbench.invariances.family import Check
from workbench.invariances.finding import CHANGED, FAILED, LEFT_OUT, NOISE, UNCHANGED, Finding

__all__ = ["Invariances", "invariances_of"]

HEADS = ("check", "rows", "verdict", "change (bits)", "largest difference", "note")
#: A check, its kind of rows, and what it has found.
Checked = tuple[Check, str, Finding]


@dataclass(frozen=True, eq=False)
class Invariances:
    """Results of checks which changes of the data change a learner's forecasts, and by how much.

    Attributes
    ----------
    learner : str
        Key of the learner.
    table : DataFrame
        One row for each check. Columns: check, rows (nominal or numeric), verdict, change (bits), largest
        difference, note. The change is the Jensen-Shannon divergence between the forecasts before and after,
        from 0 to 1, averaged over test rows and truths. The largest difference is the largest change of any
        probability. Both are NaN for checks that compare no forecasts.
    sentences : tuple of str
        The results in sentences.
    ignored_columns : tuple of int
        Positions, counted from 1, of the columns whose values do not change any forecast. Also empty if "use
        of columns" was not checked.

    See Also
    --------
    check_invariances : Runs the checks.

    Examples
    --------
    >>> from workbench import check_invariances
    >>> found = check_invariances("prior", checks=["order of columns", "use of columns"], n_truths=1)
    >>> found
    Invariances('prior': Unchanged by the order of columns. Ignores every column.)
    >>> found.ignored_columns
    (1, 2, 3, 4, 5, 6)
    """

    learner: str
    table: pd.DataFrame
    sentences: tuple[str, ...]
    ignored_columns: tuple[int, ...]

    def __repr__(self) -> str:
        return f"Invariances({self.learner!r}: {' '.join(self.sentences)})"

    def _repr_html_(self) -> str:
        # notebooks show this
        shown = self.table.copy()
        for name, digits in (("change (bits)", "{:.3f}"), ("largest difference", "{:.2g}")):
            shown[name] = ["" if math.isnan(value) else digits.format(value) for value in self.table[name]]
        title = f"Invariances of {learner_name(self.learner)}"
        return block([title_lines(title, self.sentences), table_html(shown, words=True)])


def invariances_of(learner: str, checked: Sequence[Checked]) -> Invariances:
    """Put the findings together."""
    lines = [
        (check.name, kind, found.verdict, found.bits, found.largest, found.note)
        for check, kind, found in checked
    ]
    ignored = tuple(position for _, _, found in checked for position in found.ignored)
    return Invariances(learner, pd.DataFrame(lines, columns=list(HEADS)), tuple(_sentences(checked)), ignored)


def _sentences(checked: Sequence[Checked]) -> Iterator[str]:
    by_verdict: dict[str, list[tuple[Check, Finding]]] = {}
    for check, _, found in checked:
        by_verdict.setdefault(found.verdict, []).append((check, found))
    if unchanged := by_verdict.get(UNCHANGED):
        yield f"Unchanged by {_listed([check for check, _ in unchanged])}."
    if changed := by_verdict.get(CHANGED):
        parts = [f"{check.frame.format(check.words)} ({_amount(found)})" for check, found in changed]
        yield f"Changed by {and_of(parts)}."
    if noise := by_verdict.get(NOISE):
        yield f"Changed no more than by a refit: {_listed([check for check, _ in noise])}."
    yield from (found.sentence for _, _, found in checked if found.sentence)
    yield from _failures(by_verdict.get(FAILED, []), len(checked))
    if left := by_verdict.get(LEFT_OUT):
        yield f"Left out, because the time limit was reached: {and_of([check.name for check, _ in left])}."


def _failures(failed: Sequence[tuple[Check, Finding]], n_checks: int) -> Iterator[str]:
    """Say each reason once, with the checks that it ended."""
    for note in dict.fromkeys(found.note for _, found in failed):
        ended = [check for check, found in failed if found.note == note]
        where = "in every check" if len(ended) == n_checks else f"with {_listed(ended)}"
        yield f"Fails {where}: {note}{'' if note.endswith('.') else '.'}"


def _listed(checks: Sequence[Check]) -> str:
    """List what is changed; neighbors with the same words around their own share these."""
    parts: list[str] = []
    for frame, members in groupby(checks, key=lambda check: check.frame):
        words = [check.words for check in members]
        parts += words if frame == "{}" else [frame.format(and_of(words))]
    return and_of(parts)


def _amount(found: Finding) -> str:
    return "less than 0.001 bits" if found.bits < 0.0005 else f"{found.bits:.3f} bits"
