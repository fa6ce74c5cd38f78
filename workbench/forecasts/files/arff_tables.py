"""Tables of predictions in ARFF, such as OpenML's `predictions.arff`."""

import io
from collections.abc import Sequence
from typing import Any

from workbench.datasets._shared.lines import Lines
from workbench.datasets.arff.header import read_header
from workbench.datasets.arff.rows import read_rows
from workbench.forecasts.files.prediction_table import PredictionTable

__all__ = ["arff_table", "is_arff"]

#: Attributes that tell OpenML's parts of a cross-validation from each other; `sample` is of learning curves.
PART = ("repeat", "fold", "sample")


def is_arff(lines: Sequence[tuple[int, str]]) -> bool:
    """Return whether the first line that is not a comment is a declaration."""
    first = next((text.lstrip() for _, text in lines if _is_row(text)), "")
    return first.lower().startswith(("@relation", "@attribute"))


def arff_table(file: str, lines: Sequence[tuple[int, str]], encoding: str) -> PredictionTable:
    """Read a table, the values that it declares, and the part of a cross-validation of each row."""
    source = Lines(io.StringIO("".join(text for _, text in lines)), file, encoding)
    _, attributes = read_header(source)
    numbers = [line for line, text in lines[source.count :] if _is_row(text)]
    frame = read_rows(source, attributes)
    texts = zip(*(map(_text, frame[each.name]) for each in attributes), strict=True)
    parts = list(zip(*(frame[name] for name in PART if name in frame), strict=True))
    fold_of = {part: fold for fold, part in enumerate(dict.fromkeys(parts))}
    return PredictionTable(
        file,
        tuple(each.name for each in attributes),
        list(zip(numbers, texts, strict=True)),
        declared={each.name: each.values for each in attributes if each.values},
        folds=[fold_of[part] for part in parts] or None,
    )


def _is_row(text: str) -> bool:
    return not text.lstrip().startswith("%") and not text.isspace()


def _text(value: Any) -> str:
    """Write a value with the digits that it needs, and a missing one as ARFF does."""
    return "?" if value is None or value != value else str(value).removesuffix(".0")
