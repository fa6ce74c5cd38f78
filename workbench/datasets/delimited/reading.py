"""Delimited text as a table: missing options are detected and reported."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import count_of, truncate
from workbench.datasets._shared.findings import LeadingZerosWarning, ReadAsWarning, TableFinding, listed
from workbench.datasets.delimited.content import Content, content_of
from workbench.datasets.delimited.layout import layout_of
from workbench.datasets.delimited.numbers import (
    PLAIN,
    NumberStyle,
    is_number,
    may_be_thousands,
    numbers_of,
    style_of,
)
from workbench.datasets.delimited.options import MISSING, SEPARATORS, TextOptions
from workbench.datasets.delimited.rows import (
    irregular_rows,
    regular_rows,
    rows_of,
    start_of,
    text_type,
)

__all__ = ["Fields", "TextTable", "lines_of_rows", "read_fields", "read_text"]

#: A whole number that is written as Python writes it.
CANONICAL = r"^(?:0|-?[1-9][0-9]{0,17})$"
#: Bytes of a file that are searched for codes with leading zeros.
SEARCHED = 2**22
#: And those of which the first rows are looked at.
SAMPLE = 2**18
LEADING_ZERO = "^[+-]?0[0-9]+$"
#: How many values show what a column's numbers look like.
FIRST = 200
#: Rows from which on a line below the names can be told to be none.
LEAST_BELOW = 5


@dataclass(frozen=True)
class TextTable:
    """A table of text, and what a user should know about how it was read."""

    frame: pd.DataFrame
    findings: tuple[TableFinding, ...]


@dataclass(frozen=True)
class Fields:
    """The values of a text as written."""

    name: str  # of the file
    names: tuple[str, ...]
    rows: list[tuple[int, list[str]]]  # the line on which a row ends, and its values
    decimal: str


def read_fields(content: Content, options: TextOptions, ending: str = "") -> Fields:
    """Read all values as text, each with its line."""
    layout = layout_of(content, options.sep, options.header, ending)
    rows = [(record.last, record.fields) for record in rows_of(content, layout)]
    decimal = options.decimal or _decimal_of(layout.sep, [fields for _, fields in rows[:FIRST]])
    return Fields(content.name, layout.names, rows, decimal)


def lines_of_rows(path: Path, options: TextOptions, ending: str, rows: Sequence[int]) -> list[int]:
    """Return the lines of a file, from 1, on which rows, from 0, end."""
    found = read_fields(content_of(path, options.encoding), options, ending)
    words = [options.missing_of(name) for name in found.names]
    named = [j for j, name in enumerate(found.names) if name]
    # the table has no row without any value
    lines = [line for line, own in found.rows if any(own[j].strip() not in words[j] for j in named)]
    return [lines[row] for row in rows]


def read_text(
    path: Path,
    options: TextOptions,
    ending: str,
    *,
    nominal: Collection[str] = (),
    drop: Collection[str] = (),
    keep_empty: bool = False,
) -> TextTable:
    """Read a file as a table. The usual separator of `ending` (without .gz) is not reported."""
    return _TextReader(content_of(path, options.encoding), options, ending, nominal, drop).table(keep_empty)


class _TextReader:
    """A file that is being read."""

    def __init__(
        self,
        content: Content,
        options: TextOptions,
        ending: str,
        nominal: Collection[str],
        drop: Collection[str],
    ) -> None:
        self.content, self.options, self.ending, self.nominal = content, options, ending, nominal
        self.layout = layout_of(content, options.sep, options.header, ending)
        self.styles: dict[str, str] = {}  # by column, a number that is written in an unusual way
        self.zeros: dict[str, str] = {}  # by column, a code with leading zeros
        self.whole: list[str] = []  # columns of whole numbers
        self.n_empty = self.n_spacers = 0  # rows without values, columns without names and values
        self.rows = self._sample()
        self.names = self._checked_names(self.rows)
        if isinstance(drop, str):
            raise WorkbenchError(f"drop is {drop!r}: expected a list of names of columns")
        for name in drop:
            if name not in self.names:
                raise WorkbenchError(
                    f"{content.name} has no column {name!r} to leave out: "
                    f"{nearest(name, filter(None, self.names))}"
                )
        self.wanted = [j for j, name in enumerate(self.names) if name and name not in drop]
        if not self.wanted:
            raise WorkbenchError(f"drop names all columns of {content.name}: keep one")
        self.decimal = options.decimal or _decimal_of(self.layout.sep, self.rows)
        self._check_second_line()

    def table(self, keep_empty: bool) -> TextTable:
        """Return the columns that are not dropped. Rows without any value go, unless all are kept."""
        columns = self._columns()
        holes = np.ones(len(columns[0]) if columns else 0, dtype=bool)
        for column in columns:
            holes = holes & column.isna().to_numpy() if holes.any() else holes
        named = dict(zip((self.names[j] for j in self.wanted), columns, strict=True))
        frame = pd.DataFrame(named, copy=False)
        if holes.any() and not keep_empty:
            self.n_empty = int(holes.sum())
            frame = frame[~holes].reset_index(drop=True)
            whole = [name for name in self.whole if frame[name].notna().all()]
            frame = frame.astype(dict.fromkeys(whole, np.int64))
        return TextTable(frame, tuple(self._findings()))

    def _doubtful(self) -> str:
        """Name columns whose points may separate thousands, in a file that commas do not separate."""
        if self.decimal != "." or self.layout.sep == "," or self.options.decimal is not None:
            return ""
        found = []
        for j in self.wanted:
            values = [value for row in self.rows if (value := row[j].strip()) not in MISSING]
            marked = [value for value in values if "." in value]
            if len(marked) >= LEAST_BELOW and all(map(is_number, values)) and may_be_thousands(values):
                found.append(f"{marked[0]!r} in {self.names[j]!r}")
        return " and ".join(found[:3])

    def _check_second_line(self) -> None:
        """Reject words below the names, such as labels of questions, where all other rows have numbers."""
        if len(self.rows) < LEAST_BELOW:
            return
        columns = [[row[j].strip() for row in self.rows] for j in self.wanted]
        known = [[value for value in own[1:] if value not in MISSING] for own in columns]
        numeric = [i for i, own in enumerate(known) if own and all(map(is_number, own))]
        firsts = [columns[i][0] for i in numeric]
        words = [word for word in firsts if word not in MISSING and not is_number(word)]
        if len(words) > 1 and len(words) == len(numeric):
            raise WorkbenchError(
                f"{self.content.name}, line {self.layout.first_row}: {' and '.join(map(repr, words[:3]))} "
                "where all other rows have numbers: remove the line if it describes the columns"
            )

    def _sample(self) -> list[list[str]]:
        """Return the first rows, to see how numbers are written."""
        part = self.content.until(start_of(self.content, self.layout.first_row), SAMPLE)
        found: list[list[str]] = []
        with suppress(WorkbenchError):  # faults show when all is read
            for record in islice(rows_of(part, self.layout), FIRST):
                found.append(record.fields)
        return found

    def _checked_names(self, rows: Sequence[Sequence[str]]) -> list[str]:
        names = list(self.layout.names)
        while names and not names[-1] and not any(row[len(names) - 1].strip() for row in rows):
            names.pop()  # lines that end with a separator
        self.layout = replace(self.layout, names=tuple(names))
        place, seen = self.content.name, set[str]()
        for i, name in enumerate(names):
            if i == 0 and self.layout.row_names:
                continue
            if not name and not any(row[i].strip() for row in rows):
                self.n_spacers += 1
                continue
            if not name:
                raise WorkbenchError(
                    f"{place} has no name for its column {i + 1}: name it, or give the names of all columns "
                    'and no header line (header = ["a", "b", ...])'
                )
            if name in seen:
                raise WorkbenchError(
                    f"{place} has two columns with the name {name!r}: if its first line has values and no "
                    "names, set header = false"
                )
            seen.add(name)
        for name in self.options.missing if isinstance(self.options.missing, Mapping) else ():
            if name not in seen:
                raise WorkbenchError(
                    f"{place} has no column {name!r} with missing values: {nearest(name, seen)}"
                )
        if self.layout.row_names:
            names[0] = ""
        return names

    def _columns(self) -> list[pd.Series]:
        read = regular_rows(
            self.content,
            self.layout,
            {j: self._kind(j) for j in self.wanted},
            self.decimal,
            self._missing_of_all,
        )
        if read is None:
            read = irregular_rows(self.content, self.layout, self.wanted)
        else:
            whole = [j for j, column in zip(self.wanted, read, strict=True) if str(column.type) == "int64"]
            texts = self._odd_integers(whole)
            read = [texts.get(j, column) for j, column in zip(self.wanted, read, strict=True)]
        return [self._column(self.names[j], column) for j, column in zip(self.wanted, read, strict=True)]

    def _kind(self, j: int) -> Any:
        """Return the type of a column with text among its first values, or with special missing words."""
        own = isinstance(self.options.missing, Mapping) and self.names[j] in self.options.missing
        values = [value for row in self.rows if (value := row[j].strip()) not in MISSING]
        is_text = any(not is_number(value) for value in values)
        return text_type() if own or is_text or self.names[j] in self.nominal else None

    @property
    def _missing_of_all(self) -> Sequence[str]:
        return ("",) if isinstance(self.options.missing, Mapping) else self.options.missing_of("")

    def _odd_integers(self, columns: Sequence[int]) -> dict[int, Any]:
        """Note leading zeros in the first part of a large file. Return columns with numbers such as 0x1F."""
        from pyarrow import compute

        part = self.content.until(start_of(self.content, self.layout.first_row), SEARCHED)
        kinds = dict.fromkeys(columns, text_type())
        texts = regular_rows(part, self.layout, kinds, self.decimal, ("",)) if columns else None
        found = {}
        for j, column in zip(columns, texts or (), strict=False):
            words = column.unify_dictionaries().chunk(0).dictionary
            if compute.any(compute.match_substring(words, "x", ignore_case=True)).as_py():
                whole = regular_rows(self.content, self.layout, {j: text_type()}, self.decimal, ("",))
                found[j] = (whole or irregular_rows(self.content, self.layout, [j]))[0]
            else:
                self._note_zero(self.names[j], words)
        return found

    def _note_zero(self, name: str, words: Any) -> None:
        from pyarrow import compute

        zeros = words.filter(compute.match_substring_regex(words, LEADING_ZERO))
        if len(zeros):
            self.zeros[name] = zeros[0].as_py()

    def _column(self, name: str, column: Any) -> pd.Series:
        """Return numbers if all known values are, otherwise text with None where missing."""
        import pyarrow as pa
        from pyarrow import compute

        if column.type == pa.null():
            return pd.Series(np.full(len(column), np.nan))
        if not (pa.types.is_dictionary(column.type) or column.type == pa.string()):
            self.whole += [name] if column.type == pa.int64() else []
            plain = self._known(name, column.to_numpy())
            if column.type == pa.int64() or not _may_merge(plain):
                return self._finite(name, plain)
            column = irregular_rows(self.content, self.layout, [self.names.index(name)])[0]  # keep the digits
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        encoded = encoded.unify_dictionaries().combine_chunks()
        places = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        words = compute.utf8_trim_whitespace(encoded.dictionary)
        holes = compute.is_in(words, value_set=pa.array(self.options.missing_of(name), type=pa.string()))
        words = compute.if_else(holes, pa.scalar(None, pa.string()), words)
        if name in self.nominal:
            return _taken(_codes(words), places)
        numbers = self._numbers(name, words)
        if numbers is None or (numbers.dtype != np.int64 and _may_merge(numbers)):
            return _taken(words.to_pylist(), places)
        numbers = self._known(name, numbers)
        if np.array_equal(np.floor(numbers), numbers, equal_nan=True):
            self._note_zero(name, words.drop_null())
        if numbers.dtype == np.int64 and (places >= 0).all():
            return pd.Series(numbers[places])
        return self._finite(name, np.append(numbers.astype(np.float64), np.nan)[places])

    def _numbers(self, name: str, words: Any) -> NDArray[Any] | None:
        """Return the numbers that distinct texts represent, or None if one represents none."""
        known = words.drop_null()
        if not len(known):
            return np.full(len(words), np.nan)
        if self.decimal == "." and (plain := numbers_of(words, PLAIN)) is not None:
            return plain
        first = known.slice(0, FIRST).to_pylist()
        style = style_of(first, self.decimal if self.decimal == "," else self.options.decimal)
        if style is None and self.options.decimal is None:
            style = style_of(first, None)
        numbers = None if style is None else numbers_of(words, style)
        if numbers is not None and style not in (PLAIN, NumberStyle(self.decimal)):
            self.styles[name] = next((value for value in first if not value.isdecimal()), first[0])
        return numbers

    def _known(self, name: str, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return numbers with NaN for those that represent missing values, however they are written."""
        codes = _numbers_among(self.options.missing_of(name))
        coded = np.isin(numbers, codes) if codes else np.False_
        return np.where(coded, np.nan, numbers) if coded.any() else numbers

    def _finite(self, name: str, numbers: NDArray[Any]) -> pd.Series:
        if numbers.dtype != np.int64 and (wrong := np.isinf(numbers)).any():
            row = int(np.flatnonzero(wrong)[0])
            record = next(islice(rows_of(self.content, self.layout), row, None))
            text = record.fields[self.names.index(name)].strip()
            raise WorkbenchError(
                f"column {name!r} of {self.content.name} has {text!r}: expected finite numbers; "
                f"missing = {listed([text])} makes it missing"
            )
        return pd.Series(numbers, copy=not numbers.flags.writeable)  # arrow's own stay as they are

    def _findings(self) -> Iterator[TableFinding]:
        place = Path(self.content.name).name
        said, options = self._read_as()
        if said:
            *first, last = options or [""]
            named = f"{', '.join(first)} or {last}" if first else last
            otherwise = f"; to read it otherwise, name {named}" if options else ""
            yield TableFinding(ReadAsWarning, f"{place} was read {', '.join(said)}{otherwise}")
        if self.zeros:
            codes = [f"{name!r} ({code})" for name, code in self.zeros.items()]
            yield TableFinding(
                LeadingZerosWarning,
                f"{place} has digits with leading zeros, read as numbers, in {truncate(codes, 5)}: nominal = "
                f"{listed([*self.zeros])} keeps codes as they are written",
            )

    def _read_as(self) -> tuple[list[str], list[str]]:
        """Describe what is unusual, and which options would change it."""
        layout, options, said = self.layout, self.options, dict[str, str]()
        usual = "\t" if self.ending in (".tsv", ".tab") else ","
        if len(layout.names) == 1 and options.sep is None:
            said["as one column"] = "sep"
        elif layout.sep != usual and options.sep is None:
            said[f"{SEPARATORS.get(layout.sep, layout.sep)}-separated"] = "sep"
        if self.decimal != "." and options.decimal is None:
            said["with a decimal comma"] = "decimal"
        if self.content.encoding not in ("utf-8", "utf-8-sig") and options.encoding is None:
            said[f"in {self.content.encoding}"] = "encoding"
        if not layout.has_header and options.header is None:
            said[f"without a header (columns {layout.names[0]} to {layout.names[-1]})"] = "header"
        if layout.has_header and options.header is None and all(map(str.isdecimal, filter(None, self.names))):
            said["with numbers as names of columns"] = "header"
        if layout.n_above:
            said[f"from line {layout.n_above + 1} on"] = ""
        if layout.row_names:
            said["without its first column, which names rows"] = ""
        if self.n_spacers:
            said[f"without {count_of(self.n_spacers, 'empty column')}"] = ""
        if self.n_empty:
            said[f"without {count_of(self.n_empty, 'empty row')}"] = ""
        if doubtful := self._doubtful():
            said[f"with {doubtful} as a fraction"] = "decimal"
        if self.styles:
            written = [f"{example!r} in {name!r}" for name, example in self.styles.items()]
            said[f"with numbers such as {truncate(written, 5)}"] = "nominal"
        return list(said), list(filter(None, said.values()))


def _may_merge(numbers: NDArray[Any]) -> bool:
    """Return whether numbers are whole and too large for all digits, as long codes are."""
    if not len(numbers) or not max(np.fmax.reduce(numbers), -np.fmin.reduce(numbers)) > 2.0**53:
        return False
    known = numbers[np.isfinite(numbers)]
    return len(known) > 0 and bool((known == np.floor(known)).all() and 2.0**53 < np.abs(known).max() < 1e21)


@lru_cache
def _numbers_among(words: tuple[str, ...]) -> list[float]:
    return [float(word) for word in words if style_of([word], None) == PLAIN]


def _decimal_of(sep: str, rows: Sequence[Sequence[str]]) -> str:
    """Return the decimal mark of most columns of numbers, without marks that may separate thousands."""
    marks = []
    for column in zip(*rows, strict=True) if sep != "," else ():
        values = [value for value in map(str.strip, column) if value not in MISSING]
        style = style_of(values, None)
        if style is not None and any(style.decimal in value for value in values):
            if style == PLAIN and may_be_thousands(values):
                continue
            marks.append(style.decimal)
    return "," if marks.count(",") > marks.count(".") else "."


def _codes(words: Any) -> list[Any]:
    """Return codes as written, or as whole numbers if Python would write all of them the same way."""
    from pyarrow import compute

    known = words.drop_null()
    if len(known) and compute.all(compute.match_substring_regex(known, CANONICAL)).as_py():
        return [None if code is None else int(code) for code in words.to_pylist()]
    return words.to_pylist()


def _taken(values: Sequence[Any], places: NDArray[Any]) -> pd.Series:
    """Return the cells of a column of distinct values, which are stored once each."""
    return pd.Series(np.array([*values, None], dtype=object)[places], dtype=object, copy=False)
