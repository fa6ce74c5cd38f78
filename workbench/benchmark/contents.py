"""Checksums of what is in a table, whatever the format of its file."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from workbench.benchmark.columns import Block, Column

__all__ = ["TableDigest", "digest_of_bytes"]


class TableDigest:
    r"""Hash a table block by block.

    The codes of all nominal columns are hashed as little-endian uint16 in C order, 65535 where a value is
    missing; the numbers as text, a line a row, each by ``%.12g``, with commas between them.

    Parameters
    ----------
    columns : sequence of Column

    Examples
    --------
    >>> table = TableDigest([Column("a", "a", (0, 1), ("0", "1"))])
    >>> table.add([np.array([0, 1, -1])])
    >>> table.entry()["codes"] == hashlib.sha256(b"\x00\x00\x01\x00\xff\xff").hexdigest()
    True
    """

    def __init__(self, columns: Sequence[Column]) -> None:
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
        """Pass blocks on, hashing them."""
        for block in blocks:
            self.add(block)
            yield block

    def entry(self) -> dict[str, Any]:
        """Return the number of rows and the checksums, as the manifest has them; None where no column is."""
        return {
            "rows": self._rows,
            "codes": self._codes.hexdigest() if self._nominal else None,
            "numbers": self._numbers.hexdigest() if self._numeric else None,
        }


def digest_of_bytes(content: bytes) -> str:
    """Hash a text file as it stands."""
    return hashlib.sha256(content).hexdigest()
