"""Probability blocks of BIF: their rows, by line, and the entries `default`.

pgmpy reads tables and listed rows, but not `default`, the row of every unlisted parent configuration. So
these entries are removed from the text before, and the empty rows are filled afterwards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import contains

import numpy as np
from numpy.typing import NDArray

from generators.base.validation import shown

__all__ = ["NEW_LINE", "Block", "Row", "first_fault", "take_out_defaults"]

#: Replaces a line break in text that was one line; a blank for every reader of BIF.
NEW_LINE = "\v"

# possessive, so that time grows with the text and not with its square
_BLOCK = re.compile(r"(?<![A-Za-z0-9_])probability\s*+\(([^(){}]*+)\)\s*+\{([^{}]*+)\}")
_DEFAULT = re.compile(r"\s*+default()(?![A-Za-z_])", re.IGNORECASE)
_TABLE = re.compile(r"\s*+table()(?![A-Za-z_])", re.IGNORECASE)
_ROW = re.compile(r"\s*+\(([^()]*+)\)")


@dataclass(frozen=True)
class Row:
    """Numbers of a block, and the parents' states that they belong to."""

    states: tuple[str, ...]  # of the parents; empty for a default or a table
    numbers: tuple[float, ...]
    line: int  # of the text, from 1


@dataclass(frozen=True)
class Block:
    """A probability block; variable and parents as in its head."""

    name: str
    parents: tuple[str, ...]
    line: int  # of its first brace
    default: tuple[Row, ...]
    listed: tuple[Row, ...]
    tables: tuple[Row, ...]

    def check(self, states: Mapping[str, Sequence[str]]) -> None:
        """Check the rows against the states of the variables."""
        for name in (self.name, *self.parents):
            if name.lower() not in states:
                raise ValueError(
                    f"line {self.line}: the block of {shown(self.name)} is about {shown(name)}, which is not "
                    "a variable; give each a variable block"
                )
        if len(self.default) > 1:
            raise ValueError(
                f"line {self.default[1].line}: the block of {shown(self.name)} has a second default; give "
                "it one"
            )
        above = [states[parent.lower()] for parent in self.parents]
        for row in self.listed:
            if len(row.states) != len(above) or not all(map(contains, above, row.states)):
                raise ValueError(
                    f"line {row.line}: the block of {shown(self.name)} has a row for "
                    f"{shown(', '.join(row.states))}; give a state of each parent, "
                    f"{shown(', '.join(self.parents))}"
                )
        self._check_once()
        arity = len(states[self.name.lower()])
        self._check_length((*self.default, *self.listed), arity)
        where = " and combination of the parents' states" if above else ""
        self._check_length(self.tables, arity * math.prod(map(len, above)), where)

    def _check_once(self) -> None:
        seen: set[tuple[str, ...]] = set()
        for row in self.listed:
            if row.states in seen:
                raise ValueError(
                    f"line {row.line}: the block of {shown(self.name)} has a second row for "
                    f"{shown(', '.join(row.states))}; give it one"
                )
            seen.add(row.states)

    def _check_length(self, rows: Sequence[Row], n: int, where: str = "") -> None:
        for row in rows:
            if len(row.numbers) != n:
                raise ValueError(
                    f"line {row.line}: a row of the block of {shown(self.name)} is of length "
                    f"{len(row.numbers)}; give {n} numbers, one for each state{where}"
                )

    def fill(self, table: NDArray[np.float64], parents: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Fill the columns that the block does not list with its default."""
        if self.tables:
            return table
        empty = np.full([len(states) for states in parents], True)
        for row in self.listed:
            place = tuple(list(known).index(word) for known, word in zip(parents, row.states, strict=True))
            empty[place] = False
        return np.where(empty.ravel(), np.array(self.default[0].numbers)[:, np.newaxis], table)


def take_out_defaults(text: str, line: int = 1) -> tuple[str, dict[str, Block]]:
    r"""Remove the entries `default` from BIF text."""
    found: dict[str, Block] = {}
    pieces, end = [], 0
    for match, first in _blocks(text, line):
        entries = match[2].split(";")
        if any(map(_DEFAULT.match, entries)):
            block = _block(match[1], entries, first)
            found[block.name.lower()] = block
            entries = [entry for entry in entries if not _DEFAULT.match(entry)]
        pieces += [text[end : match.start(2)], ";".join(entries)]
        end = match.end(2)
    return "".join([*pieces, text[end:]]), found


def first_fault(text: str, line: int, states: Mapping[str, Sequence[str]]) -> str:
    r"""Describe what is wrong with the first block that is malformed."""
    for match, first in _blocks(text, line):
        try:
            _block(match[1], match[2].split(";"), first).check(states)
        except ValueError as error:
            return str(error)
    return ""


def _blocks(text: str, line: int) -> Iterator[tuple[re.Match[str], int]]:
    """Return each block, and the line of its first brace."""
    end = 0
    for match in _BLOCK.finditer(text):
        line += _lines(text[end : match.start(2)])
        yield match, line
        line += _lines(match[2])
        end = match.end(2)


def _block(head: str, entries: Sequence[str], line: int) -> Block:
    before, bar, after = head.partition("|")
    # without a bar, the first word is the variable and the others are its parents
    words = [before, *after.split(",")] if bar else before.split() or [""]
    name, *parents = (word.strip() for word in words)
    rows: dict[re.Pattern[str], list[Row]] = {_DEFAULT: [], _TABLE: [], _ROW: []}
    place = line
    for entry in entries:
        start = place + _lines(entry[: len(entry) - len(entry.lstrip())])
        place += _lines(entry)
        kind, match = next(((kind, found) for kind in rows if (found := kind.match(entry))), (None, None))
        if kind is not None and match is not None:
            states = tuple(word.strip() for word in match[1].split(",")) if match[1] else ()
            rows[kind].append(Row(states, _numbers(name, entry[match.end() :], start), start))
        elif entry.strip() and not entry.lstrip().startswith("property"):
            raise ValueError(
                f"line {start}: the block of {shown(name)} has {shown(' '.join(entry.split()))}; begin a row "
                "by table, default or states in parentheses"
            )
    return Block(name, tuple(parents), line, tuple(rows[_DEFAULT]), tuple(rows[_ROW]), tuple(rows[_TABLE]))


def _numbers(name: str, text: str, line: int) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise ValueError(
            f"line {line}: a row of the block of {shown(name)} is {shown(' '.join(text.split()))}; give "
            "numbers, and end each row by a semicolon"
        ) from None


def _lines(text: str) -> int:
    return text.count("\n") + text.count(NEW_LINE)
