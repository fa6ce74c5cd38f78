"""The columns of a benchmark's rows: their names in the truth and in files, and their checksums."""

import hashlib
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.base.draw import RandomState
from generators.networks.numeric_truth import NumericTruth
from generators.networks.truth import Truth
from generators.tables.cells import kind_of
from generators.tables.columns import Column, declared_codes
from workbench.base.errors import WorkbenchError
from workbench.base.text import article, printable

__all__ = [
    "BATCH_ROWS",
    "Block",
    "FileColumn",
    "blocks_of",
    "columns_of",
    "forecast_columns",
    "frame_of",
    "posterior_of",
    "RowsDigest",
    "digest_of_bytes",
]

#: Rows that are drawn and written at a time. Rows beyond the first million depend on it.
BATCH_ROWS = 1_000_000
#: Codes are hashed as uint16; the largest stands for a missing value.
MOST_STATES = 65_535
#: Words that programs may read as a missing value.
WORDS_FOR_MISSING = "? - na n/a #n/a #na nan -nan null none <na> 1.#ind -1.#ind 1.#qnan -1.#qnan"
MISSING_WORDS = frozenset({"", *WORDS_FOR_MISSING.split()})
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")

#: One array per column: codes, -1 where missing, or floats, NaN where missing.
Block = list[NDArray[Any]]


@dataclass(frozen=True)
class FileColumn:
    """A column of a table."""

    name: str  # in the truth
    label: str  # in files: the same, unless a program would misread it
    states: tuple[Hashable, ...] | None = None  # of the truth, in the order of the codes; None for numbers
    labels: tuple[str, ...] = ()  # of the states in files; empty for numbers

    @property
    def nominal(self) -> bool:
        """Whether it has states."""
        return self.states is not None

    @property
    def empty(self) -> NDArray[Any]:
        """An empty array of the type of its values."""
        return np.empty(0, dtype=np.int32 if self.nominal else np.float64)


def columns_of(truth: Any) -> tuple[FileColumn, ...]:
    """Return the columns of a truth's rows: its attributes in order, then the class."""
    if isinstance(truth, Truth) and truth.class_index is not None:
        named = [(truth.names[v], truth.states[v]) for v in (*truth.attributes, truth.class_index)]
    elif isinstance(truth, NumericTruth):
        X, _ = truth.sample(1, random_state=0)
        named = [(str(name), Column.of(name, X[name]).states or None) for name in X]  # type: ignore[misc]
        named.append((truth.class_name, tuple(truth.classes)))
    else:
        raise WorkbenchError(f"the truth is {article(type(truth).__name__)}: expected one with a class")
    for name, states in named:
        if states is not None and len(states) > MOST_STATES:
            raise WorkbenchError(f"{name!r} has {len(states)} states: expected {MOST_STATES} at most")
    labels = _labels([name for name, _ in named])
    return tuple(
        FileColumn(name, label, states, () if states is None else _labels(states))
        for label, (name, states) in zip(labels, named, strict=True)
    )


def forecast_columns(target: FileColumn) -> tuple[FileColumn, ...]:
    """Return the columns of the posterior: ``p_`` and the label of each class."""
    return tuple(FileColumn(f"p_{label}", f"p_{label}") for label in target.labels)


def blocks_of(truth: Any, n: int, random_state: RandomState) -> Iterator[Block]:
    """Draw rows, a million at a time, as codes and numbers in the order of `columns_of`."""
    if isinstance(truth, Truth):
        assert truth.class_index is not None
        order = (*truth.attributes, truth.class_index)
        for codes in truth.sample_code_batches(n, batch_rows=BATCH_ROWS, random_state=random_state):
            yield [codes[:, variable] for variable in order]
        return
    for X, y in truth.sample_batches(n, batch_rows=BATCH_ROWS, random_state=random_state):
        yield [_values(column) for column in (*(X[name] for name in X), y)]


def frame_of(columns: Sequence[FileColumn], block: Block) -> pd.DataFrame:
    """Make a DataFrame of codes and numbers, as a truth's `sample` does: with its names and states."""
    series = {
        column.name: values
        if column.states is None
        else Column.of_states(column.name, column.states).labels(values)
        for column, values in zip(columns, block, strict=True)
    }
    return pd.DataFrame(series, copy=False)


def posterior_of(truth: Any, columns: Sequence[FileColumn], block: Block) -> NDArray[np.float64]:
    """Return the truth's posterior of each row of a block, whose last column is the class."""
    if isinstance(truth, Truth):
        shape = (len(block[-1]), len(block) - 1)
        codes = np.stack(block[:-1], axis=1) if shape[1] else np.empty(shape, dtype=np.int32)
        return truth.posterior(codes)
    return truth.posterior(frame_of(columns[:-1], block[:-1]))


def _values(column: pd.Series) -> NDArray[Any]:
    return declared_codes(column) if kind_of(column.dtype) == "declared" else column.to_numpy(np.float64)


def _labels(states: Sequence[Hashable]) -> tuple[str, ...]:
    """Return distinct labels that files, readers and spreadsheets leave unchanged."""
    # in parentheses: what they read as missing or a formula, or strip, and what two states share (1 and "1")
    taken: dict[str, None] = {}
    for state in states:
        label = " ".join(printable(str(state)).splitlines()).replace("\t", " ")
        formula = label[:1] in ("=", "+", "-", "@") and not NUMBER.fullmatch(label)
        if label != label.strip() or label.strip().lower() in MISSING_WORDS or formula:
            label = f"({label})"
        while label in taken:
            label = f"({label})"
        taken[label] = None
    return tuple(taken)


class RowsDigest:
    """Hash rows block by block."""

    # nominal columns as little-endian uint16 in C order, 65535 where missing; numbers as text, a line per
    # row, each by "%.12g", with commas between them

    def __init__(self, columns: Sequence[FileColumn]) -> None:
        self._nominal = [j for j, column in enumerate(columns) if column.nominal]
        self._numeric = [j for j, column in enumerate(columns) if not column.nominal]
        self._codes, self._numbers = hashlib.sha256(), hashlib.sha256()
        self._rows = 0

    def add(self, block: Block) -> None:
        """Hash the rows of a block."""
        self._rows += len(block[0])
        if self._nominal:
            codes = np.empty((len(block[0]), len(self._nominal)), dtype="<u2")
            for place, j in enumerate(self._nominal):
                codes[:, place] = block[j].astype(np.uint16)  # -1 becomes 65535
            self._codes.update(codes.data)
        if self._numeric:
            row = ",".join(["%.12g"] * len(self._numeric)) + "\n"
            lines = zip(*(block[j].tolist() for j in self._numeric), strict=True)
            self._numbers.update("".join([row % numbers for numbers in lines]).encode("ascii"))

    def each(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield blocks while hashing them."""
        for block in blocks:
            self.add(block)
            yield block

    def entry(self) -> dict[str, Any]:
        """Return the number of rows and the checksums for the manifest, or None without such a column."""
        return {
            "rows": self._rows,
            "codes": self._codes.hexdigest() if self._nominal else None,
            "numbers": self._numbers.hexdigest() if self._numeric else None,
        }


def digest_of_bytes(content: bytes) -> str:
    """Hash a text file unchanged."""
    return hashlib.sha256(content).hexdigest()
