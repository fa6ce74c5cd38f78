"""The layout of a text: separator, header, lines around the table."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.foreign import refuse_other_text
from workbench.datasets.delimited.content import Content
from workbench.datasets.delimited.numbers import is_number
from workbench.datasets.delimited.options import MISSING, SEPARATORS

__all__ = ["TableLayout", "Record", "is_apart", "layout_of", "records_of"]

#: Bytes and records that are looked at; a table is read whole in any case.
SAMPLE, RECORDS = 2**18, 200
#: Share of the records that must have as many values as most have, for a separator to be taken.
ALIKE = 0.8
#: Share of the known values of a column that must be numbers for it to be one of numbers.
NUMERIC = 0.9
#: Rows among which the values of a class recur.
RECURRING = 8
#: The first line by which Excel is told the separator.
TOLD = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
#: Numbers that blanks align, so that no tab behind them is the only separator.
ALIGNED = re.compile(r"[-+.0-9eE?]+(?: {2,}[-+.0-9eE?]+)+")
#: A line that is drawn between names and rows, as programs of databases do.
RULE = re.compile(r"[\s|+:]*[-=]{2,}[\s|+:=-]*")
#: How they end a table: "(3 rows)", "(3 rows affected)", "3 rows in set (0.00 sec)".
FOOTER = re.compile(r"\(?[0-9]+ (?:rows?|row\(s\))(?: affected| selected\.?| in set.*)?\)?")


class Record(NamedTuple):
    """The values between two ends of line."""

    first: int  # line on which it begins, from 1
    last: int
    fields: list[str]


@dataclass(frozen=True)
class TableLayout:
    """The properties of a text that are detected before its rows are read."""

    sep: str
    names: tuple[str, ...]  # of the columns; made up if there is no header
    first_row: int  # the line, from 1, on which the rows begin
    has_header: bool
    n_above: int  # lines that were left out above the header, or above the rows
    row_names: bool  # whether the first column names rows and is no attribute
    barred: bool = False  # whether lines begin and end with a separator
    comments: bool = False  # whether lines that begin with # are remarks


def records_of(text: str, sep: str) -> Iterator[Record]:
    """Split a text into records, or raise csv.Error for wrong quotes."""
    blank = sep == " "
    lines = io.StringIO(text.replace("\t", " ") if blank else text, newline="")
    reader = csv.reader(lines, delimiter=sep, strict=True, skipinitialspace=sep != "\t")
    last = 0
    while True:
        first = last + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise QuoteError(first, reader.line_num, error) from error
        last = reader.line_num
        if blank:  # what ends a line
            fields = fields[:-1] if fields and not fields[-1] else fields
        if fields:
            yield Record(first, last, fields)


class QuoteError(csv.Error):
    """A record that csv cannot split."""

    def __init__(self, first: int, line: int, error: Exception) -> None:
        opened = f" ({error}): write a quote within quotes twice"
        if line > first:
            opened = f": a quote opens there that is not closed before line {line}"
        super().__init__(f"line {first} is not CSV{opened}")


def is_apart(fields: Sequence[str]) -> bool:
    """Return whether a record is a drawn line, or a count of rows."""
    text = " ".join(fields)
    return RULE.fullmatch(text) is not None or FOOTER.fullmatch(text) is not None


def layout_of(
    content: Content, sep: str | None, header: "bool | Sequence[str] | None", ending: str
) -> TableLayout:
    """Detect the layout of a text, except for the given options."""
    sample = content.until(0, SAMPLE)
    whole = sample is content
    text = bytes(sample.data).decode("utf-8")
    refuse_other_text(content.name, text)
    told = TOLD.fullmatch(text.partition("\n")[0].strip())
    if told:
        sep = sep or told.group(1)
    if not text.strip():
        raise WorkbenchError(f"{content.name} names no columns: expected their names on its first line")
    if sep is None:
        sep = _separator(text, ending, whole)
    records = _sampled(text, sep, whole)
    return _LayoutReader(content.name, sep, records, header).layout()


def _sampled(text: str, sep: str, whole: bool) -> list[Record]:
    """Return the first records, up to the first one with wrong quotes."""
    found: list[Record] = []
    try:
        for record in records_of(text, sep):
            found.append(record)
            if len(found) == RECORDS:
                return found
    except csv.Error:
        return found
    return found if whole else found[:-1]


def _separator(text: str, ending: str, whole: bool) -> str:
    """Return the separator that splits most records alike, or the one of the file's ending if none does."""
    usual = {".tsv": "\t", ".tab": "\t"}.get(ending, ",")
    if "\t" not in text and _has_decimal_commas(_sampled(text, " ", whole)):
        return " "
    best, found = 0.0, ""
    for sep in sorted(SEPARATORS, key=lambda one: one != usual):
        records = [one for one in _sampled(text, sep, whole) if not is_apart(one.fields)]
        worth = _worth(records, sep)
        if sep == " " and (found != "\t" or worth < 1.0):
            worth = worth / 2 if not found else 0.0  # blanks are in most texts
        if worth > best:
            best, found = worth, sep
        if worth == 1.0:
            return sep
    if found:
        return found
    first = text.partition("\n")[0]
    counts = {sep: first.count(sep) for sep in SEPARATORS if sep != " "}
    most = max(counts, key=lambda one: (counts[one], one == usual))
    return most if counts[most] else usual


def _has_decimal_commas(records: Sequence[Record]) -> bool:
    """Return whether blanks split all records alike, and all commas are within numbers."""
    values = [value for one in records for value in one.fields if "," in value]
    within = bool(values) and not any(value.endswith(",") for value in values)
    return within and _worth([one for one in records if not is_apart(one.fields)], " ") == 1.0


def _worth(records: Sequence[Record], sep: str) -> float:
    """Return the share of records split alike, times that of values without another separator."""
    rows = [one.fields for one in records if any(map(str.strip, one.fields))]
    if not rows:
        return 0.0
    n_values = Counter(map(len, rows)).most_common(1)[0][0]
    alike = [row for row in rows if len(row) == n_values]
    if n_values < 2 or len(alike) < ALIKE * len(rows) - 2:
        return 0.0
    if all(ALIGNED.fullmatch(row[0].strip()) for row in alike):
        return 0.0
    heads = len(rows[0]) in {n_values, max(n_values - 1, 2)}
    others = [one for one in SEPARATORS if one not in (sep, " ")]
    values = [value for row in alike[-50:] for value in row]
    clean = sum(is_number(value) or not any(one in value for one in others) for value in values)
    return (1.0 if heads else 0.7) * len(alike) / len(rows) * clean / len(values)


@dataclass(frozen=True)
class _LayoutReader:
    """The records of a sample, for the detection of the header and of lines around the table."""

    name: str
    sep: str
    records: list[Record]
    header: "bool | Sequence[str] | None"

    def layout(self) -> TableLayout:
        barred = self._is_barred()
        found = [one for one in self.records if not is_apart(one.fields)]
        if barred:
            found = [one._replace(fields=one.fields[1:-1]) for one in found]
        comments = self._has_comments(found)
        widths = Counter(len(one.fields) for one in found if not one.fields[0].startswith("#"))
        usual = widths.most_common(1)[0][0] if widths else 0
        kept = [one for one in found if self._is_kept(one, comments and len(one.fields) != usual)]
        if not kept:
            raise WorkbenchError(f"{self.name} names no columns: expected their names on its first line")
        n_values = Counter(len(one.fields) for one in kept).most_common(1)[0][0]
        kept = kept[self._n_titles(kept, n_values) :]
        first, below = kept[0], kept[1:]
        if self._has_header(first, below):
            return self._with_header(first, below, barred, comments, n_values)
        n_above = first.first - 1
        if isinstance(self.header, bool) or self.header is None:
            names = tuple(f"V{i + 1}" for i in range(n_values))
        else:
            names = tuple(self.header)
        return TableLayout(self.sep, names, first.first, False, n_above, False, barred, comments)

    def _is_barred(self) -> bool:
        rows = [one.fields for one in self.records if not is_apart(one.fields)]
        return self.sep == "|" and all(
            len(row) > 2 and not row[0].strip() and not row[-1].strip() for row in rows
        )

    def _has_comments(self, records: Sequence[Record]) -> bool:
        """Return whether the first line is a comment, and not a header that begins with the same sign."""
        first = records[0].fields if records else [""]
        if not first[0].startswith("#"):
            return False
        n_values = Counter(len(one.fields) for one in records).most_common(1)[0][0]
        return len(first) != n_values or len(first) == 1

    def _is_kept(self, record: Record, comments: bool) -> bool:
        fields = record.fields
        is_told = record.first == 1 and TOLD.fullmatch(self.sep.join(fields).strip()) is not None
        is_remark = comments and fields[0].startswith("#")
        return any(map(str.strip, fields)) and not (is_told or is_remark)

    def _n_titles(self, kept: Sequence[Record], n_values: int) -> int:
        """Return the number of records above the header that are not part of the table."""
        for i, record in enumerate(kept):
            # spreadsheets pad lines with empty values
            padded = len(record.fields) > 1 == sum(map(bool, map(str.strip, record.fields)))
            n_own, rest = 1 if padded else len(record.fields), kept[i + 1 :]
            nameless = n_own == n_values - 1 > 1  # R gives names of rows no name
            if n_own >= n_values or nameless or len(rest) < 2:
                return i
            names_follow = self._looks_like_names(rest[0].fields, rest[1:])
            if not names_follow and (n_own > 1 or padded or n_values == 2):
                return i
        return 0

    def _has_header(self, first: Record, below: Sequence[Record]) -> bool:
        if self.header is None:
            return self._looks_like_names(first.fields, below)
        return self.header is True

    def _looks_like_names(self, fields: Sequence[str], below: Sequence[Record]) -> bool:
        """Return whether a record names columns: its values differ in kind from those below them."""
        rows = [one.fields for one in below if len(one.fields) == len(fields)]
        if not rows:
            return True
        columns = [
            [value for value in map(str.strip, own) if value not in MISSING]
            for own in zip(*rows, strict=True)
        ]
        heads = [value.strip() for value in fields]
        shares = [sum(map(is_number, own)) / len(own) if own else -1.0 for own in columns]  # -1 if unknown
        numeric = [j for j, share in enumerate(shares) if share >= NUMERIC]
        texts = [j for j, share in enumerate(shares) if 0 <= share < NUMERIC]
        met = sum(heads[j] in columns[j] for j in texts)
        if not numeric:
            return met < max(1, len(texts) / 2)
        numbers = [heads[j] for j in numeric if is_number(heads[j])]
        if len(numbers) <= len(numeric) / 2:
            return True
        # a class whose name is none of its values, which recur, stands below a header
        recur = len(rows) >= RECURRING and any(len(set(columns[j])) <= len(rows) / 2 for j in texts)
        return met == 0 and (recur or _counts_up(numbers))

    def _with_header(
        self, first: Record, below: Sequence[Record], barred: bool, comments: bool, n_values: int
    ) -> TableLayout:
        names = [name.strip() for name in first.fields]
        names[0] = names[0].removeprefix("#").strip() if len(names) > 1 else names[0]
        rows = [one.fields for one in below if len(one.fields) == n_values]
        nameless = len(names) == n_values - 1 and any(row[-1].strip() for row in rows)
        row_names = (nameless or not names[0]) and _name_rows([row[0].strip() for row in rows])
        if nameless and row_names:
            names.insert(0, "")
        first_row = below[0].first if below else self.records[-1].last + 1
        return TableLayout(
            self.sep, tuple(names), first_row, True, first.first - 1, row_names, barred, comments
        )


def _name_rows(values: Sequence[str]) -> bool:
    """Return whether a column without a name identifies rows: each value occurs once."""
    return 0 < len(set(values)) == len(values)


def _counts_up(words: Sequence[str]) -> bool:
    """Return whether words are whole numbers that increase by one, as column names such as years do."""
    if len(words) < 2 or not all(word.isdecimal() for word in words):
        return False
    numbers = list(map(int, words))
    return all(b - a == 1 for a, b in pairwise(numbers))
