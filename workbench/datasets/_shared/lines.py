"""Numbered lines of a text file, plain or gzipped, with every failure reported in one sentence."""

import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError

__all__ = ["Lines", "Readable", "near_files", "opened", "to_number", "to_numbers"]

Readable = str | PathLike[str] | IO[str] | IO[bytes]
SURROGATE = re.compile("[\ud800-\udfff]")
#: Limit on the characters of a block.
MOST_OF_BLOCK = 2**24
QUESTION_MARK = frozenset({"?"})


class Lines:
    """Lines read in order, with their count. Name and encoding are for errors."""

    def __init__(self, stream: IO[str], name: str, encoding: str) -> None:
        self.stream = stream
        self.name = name
        self.encoding = encoding
        self.count = 0

    def block(self, size: int) -> list[str]:
        """Read at most `size` lines, fewer if they are long, and an empty list at the end of the file."""
        try:
            lines = list(self._some(size))
        except (OSError, EOFError, zlib.error, UnicodeError) as error:
            raise WorkbenchError(f"{self.name} cannot be read after line {self.count}: {error}") from error
        text = "".join(lines)
        if not text.isascii() and SURROGATE.search(text):
            self._undecoded(lines)
        self.count += len(lines)
        return lines

    def error(self, line: int, at: int, what: str) -> WorkbenchError:
        """Return the error for a line (from 1) and a place in it (from 0)."""
        return WorkbenchError(f"{self.name}, line {line}, column {at + 1}: {what}")

    def _some(self, size: int) -> Iterator[str]:
        """Read lines up to the limit of a block."""
        room = MOST_OF_BLOCK
        while size > 0 and room > 0 and (line := self.stream.readline()):
            size, room = size - 1, room - len(line)
            yield line

    def _undecoded(self, lines: list[str]) -> None:
        for number, line in enumerate(lines, start=self.count + 1):
            if match := SURROGATE.search(line):
                raise self.error(
                    number,
                    match.start(),
                    f"a byte is not {self.encoding}: name the file's encoding, such as latin-1 "
                    '(encoding = "latin-1" in a study, encoding= in Python)',
                )


@contextmanager
def opened(source: Readable, encoding: str) -> Iterator[Lines]:
    """Open a file by its path (gzipped if it ends in .gz), or read an open text or binary file."""
    if isinstance(source, str | PathLike):
        path = Path(fspath(source))
        try:
            stream = _open(path, encoding)
        except (OSError, LookupError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise WorkbenchError(f"{path} cannot be opened: {reason}{near_files(path, error)}") from error
        with stream:
            yield Lines(stream, str(path), encoding)
    elif hasattr(source, "read"):
        yield from _already_open(source, encoding)
    else:
        raise WorkbenchError(f"a {type(source).__name__} was given: expected a path or an open file")


def _open(path: Path, encoding: str) -> IO[str]:
    # bytes that do not decode become lone surrogates, so that their line and column are known
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding=encoding, errors="surrogateescape")
    return open(path, encoding=encoding, errors="surrogateescape")


def _already_open(source: Any, encoding: str) -> Iterator[Lines]:
    name = str(getattr(source, "name", "the given file"))
    if isinstance(source.read(0), str):
        yield Lines(source, name, encoding)
        return
    try:
        text = io.TextIOWrapper(source, encoding=encoding, errors="surrogateescape")
    except LookupError as error:
        raise WorkbenchError(f"{name} cannot be read: {error}") from error
    try:
        yield Lines(text, name, encoding)
    finally:
        text.detach()  # the caller's file stays open


def near_files(path: Path, error: Exception) -> str:
    """Return the end of an error message: the file in the folder that was probably meant."""
    if not isinstance(error, FileNotFoundError):
        return ""
    try:
        names = [other.name for other in path.parent.iterdir()]
    except OSError:  # the folder is missing, too, or cannot be listed
        return ""
    close = get_close_matches(path.name, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def to_numbers(texts: Sequence[str], missing: Collection[str] = QUESTION_MARK) -> NDArray[np.float64]:
    """Read a column of numbers, NaN where the text is one of `missing`."""
    stripped = [text.strip() for text in texts]
    known = [text for text in stripped if text not in missing]
    joined = "".join(known)
    # Python also reads 1_000 and digits of other scripts, which data files never mean
    if "_" in joined or not joined.isascii():
        raise ValueError("not a decimal number")
    numbers = np.array(list(map(float, known)), dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError("not a finite number")
    if len(known) == len(stripped):
        return numbers
    values = np.full(len(stripped), np.nan)
    values[[text not in missing for text in stripped]] = numbers
    return values


def to_number(text: str) -> float:
    """Read one number, or raise ValueError if it is not a finite decimal number."""
    return float(to_numbers([text], missing=())[0])
