"""The rows of an ARFF file, block by block into columns.

A block of plain or simply quoted rows is split and converted column by column. A block with a brace, a
comment, an escape or other special characters, and every block with an error, is read field by field, which
locates errors.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.columns import Column
from workbench.base.errors import nearest
from workbench.base.text import count_of
from workbench.datasets._shared.lines import Lines, to_number, to_numbers
from workbench.datasets.arff.header import ArffAttribute
from workbench.datasets.arff.scanner import Field, Malformed, row_fields, skip_blanks, sparse_fields

__all__ = ["read_rows"]

BLOCK = 4096  # rows: few enough that one comment slows down little, many enough for fast columns
UNUSUAL = "{}%\\"
AFTER_COMMA = re.compile(r""",(\s*'[^']*'\s*|\s*"[^"]*"\s*|[^,'"]*)""")
MISSING = -1
Row = tuple[int, str]


def read_rows(lines: Lines, attributes: Sequence[ArffAttribute]) -> pd.DataFrame:
    """Read the rows after ``@data``."""
    parts: list[list[NDArray[Any]]] = [[_empty(attribute)] for attribute in attributes]
    lookups = [_lookup(attribute) for attribute in attributes]
    while block := lines.block(BLOCK):
        rows = _rows(block, lines.count - len(block) + 1)
        if not rows:
            continue
        columns = _quick(rows, attributes, lookups) or _careful(rows, attributes, lines)
        for part, column in zip(parts, columns, strict=True):
            part.append(column)
    named = zip(attributes, parts, strict=True)
    return pd.DataFrame({a.name: _column(a, np.concatenate(part)) for a, part in named})


def _empty(attribute: ArffAttribute) -> NDArray[Any]:
    return np.empty(0, {"nominal": np.int32, "numeric": np.float64, "string": object}[attribute.kind])


def _lookup(attribute: ArffAttribute) -> dict[str, int]:
    """Return codes of the fields of a row. Blanks or ? are a value only in quotes."""
    bare = {v: i for i, v in enumerate(attribute.values) if v and v == v.strip() and not set("'\"") & set(v)}
    quoted = {
        f"{q}{v}{q}": i for i, v in enumerate(attribute.values) for q in "'\"" if not {q, "\\"} & set(v)
    }
    return bare | quoted | {"?": MISSING}


def _rows(block: list[str], first: int) -> list[Row]:
    return [
        (number, line.rstrip("\n"))
        for number, line in enumerate(block, start=first)
        if (start := line.lstrip()[:1]) and start != "%"
    ]


def _quick(
    rows: list[Row], attributes: Sequence[ArffAttribute], lookups: list[dict[str, int]]
) -> list[NDArray[Any]] | None:
    """Convert plain rows, or return None if they are not plain or have errors."""
    joined = "\n".join(text for _, text in rows)
    if any(character in joined for character in UNUSUAL):
        return None
    has_quotes = "'" in joined or '"' in joined
    split = [_split_quoted(text) for _, text in rows] if has_quotes else [text.split(",") for _, text in rows]
    if any(len(fields) != len(attributes) for fields in split):
        return None
    columns = zip(*split, strict=True)
    try:
        return [_convert(*each) for each in zip(columns, attributes, lookups, strict=True)]
    except (KeyError, ValueError):
        return None


def _split_quoted(text: str) -> list[str]:
    """Split at the commas outside quotes, keeping quotes, or return nothing for partly quoted values."""
    fields = AFTER_COMMA.findall("," + text)
    return fields if ",".join(fields) == text else []


def _convert(texts: tuple[str, ...], attribute: ArffAttribute, lookup: dict[str, int]) -> NDArray[Any]:
    if attribute.kind == "numeric":
        return to_numbers(texts)
    if attribute.kind == "nominal":
        try:
            return np.array([lookup[text] for text in texts], dtype=np.int32)
        except KeyError:
            return np.array([lookup[text.strip()] for text in texts], dtype=np.int32)
    return _objects([_string(text.strip()) for text in texts])


def _string(text: str) -> str | None:
    if not text:
        raise ValueError("an empty string must be quoted")
    if text[0] in "'\"":
        return text[1:-1]
    return None if text == "?" else text


def _careful(rows: list[Row], attributes: Sequence[ArffAttribute], lines: Lines) -> list[NDArray[Any]]:
    """Convert rows field by field, and raise on the first error."""
    codes = [{value: i for i, value in enumerate(a.values)} for a in attributes]
    columns: list[list[Any]] = [[] for _ in attributes]
    for number, text in rows:
        try:
            fields = _fields(text, len(attributes))
            for column, attribute, lookup, field in zip(columns, attributes, codes, fields, strict=True):
                column.append(_value(field, attribute, lookup))
        except Malformed as error:
            raise lines.error(number, error.at, error.what) from None
    types = [_empty(attribute).dtype for attribute in attributes]
    return [
        _objects(column) if dtype.kind == "O" else np.array(column, dtype=dtype)
        for column, dtype in zip(columns, types, strict=True)
    ]


def _fields(text: str, n_attributes: int) -> Sequence[Field | None]:
    """Return a field for each attribute, None where a sparse row has none."""
    if text[(start := skip_blanks(text, 0)) : start + 1] == "{":
        return _sparse(text, n_attributes)
    fields = row_fields(text, blanks=n_attributes > 1)
    if len(fields) != n_attributes:
        at = fields[n_attributes].at if len(fields) > n_attributes else len(text)
        raise Malformed(
            at, f"the row has {count_of(len(fields), 'value')}: expected {n_attributes}, one per attribute"
        )
    return fields


def _sparse(text: str, n_attributes: int) -> list[Field | None]:
    fields: list[Field | None] = [None] * n_attributes
    for index, value in sparse_fields(text):
        place = int(index.text)
        if place >= n_attributes:
            raise Malformed(index.at, f"the index {place} is too large: expected 0 to {n_attributes - 1}")
        if fields[place] is not None:
            raise Malformed(index.at, f"the index {place} occurs twice in the row")
        fields[place] = value
    return fields


def _value(field: Field | None, attribute: ArffAttribute, lookup: dict[str, int]) -> Any:
    """Convert a field. Values left out of a sparse row are 0 or the first declared value."""
    if field is None:
        if attribute.kind == "string":
            raise Malformed(
                0, f"the sparse row leaves out the string {attribute.name!r}: strings have no default"
            )
        return 0
    is_missing = field.text == "?" and not field.is_quoted
    if attribute.kind == "string":
        return None if is_missing else field.text
    if attribute.kind == "numeric":
        return np.nan if is_missing else _number(field, attribute)
    if is_missing:
        return MISSING
    if field.text not in lookup:
        hint = nearest(field.text, lookup)
        hint = hint if len(hint) < 200 else f"{len(lookup)} values are declared"
        raise Malformed(field.at, f"{field.text!r} is not a declared value of {attribute.name!r}: {hint}")
    return lookup[field.text]


def _number(field: Field, attribute: ArffAttribute) -> float:
    try:
        return to_number(field.text)
    except ValueError:
        what = f"{field.text!r} is not a finite number, and {attribute.name!r} is numeric"
        raise Malformed(field.at, what) from None


def _objects(values: list[Any]) -> NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _column(attribute: ArffAttribute, values: NDArray[Any]) -> Any:
    if attribute.kind != "nominal":
        return values
    return Column.of_states(attribute.name, attribute.values).labels(values)
