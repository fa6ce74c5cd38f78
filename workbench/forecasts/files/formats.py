"""Which format a file is in; those that are not read are refused by their names."""

import re
import zipfile
import zlib
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.lines import Readable

__all__ = ["columnar_kind", "name_of", "refuse_json"]

START = 512  # bytes that show the format
COLUMNAR = {b"PAR1": "Parquet", b"ARROW1": "Feather", b"FEA1": "Feather"}
GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
TO_CSV = "write it with to_csv or to_parquet"
PICKLE = f"a pickle (joblib), which can run code when read: {TO_CSV}"
PICKLE_ENDS = (".pkl", ".pickle", ".joblib")
NUMPY = "numpy's (.npy, .npz), whose columns have no names: make it a DataFrame, and write that with to_csv"
R = "R's own (RDS or RData): read it in R, and write it with write.csv"
SHEET = "a spreadsheet: save it as CSV"
UNPACK = "unpack it"
#: First bytes, and what they are of.
REFUSED = {
    **{bytes([0x80, protocol]): PICKLE for protocol in range(6)},
    b"\x93NUMPY": NUMPY,
    **dict.fromkeys((b"RDX", b"RDA", b"X\n\0\0", b"A\n2\n", b"A\n3\n"), R),
    b"\xd0\xcf\x11\xe0": SHEET,
    b"\x89HDF": f"HDF5: {TO_CSV}",
    b"BZh": f"compressed by bzip2: {UNPACK}",
    b"\xfd7zXZ": f"compressed by xz: {UNPACK}",
}
#: What a member of a zip archive is called, and what the archive is then.
ZIPPED = {"xl/workbook.xml": SHEET, "content.xml": SHEET, ".npy": NUMPY}
JSON = re.compile(r"\s*(?:\{|\[\s*(?:[\[{\"]|$))")


def name_of(source: Readable) -> str:
    """Return the name of a file for errors."""
    if isinstance(source, str | PathLike):
        return str(fspath(source))
    return str(getattr(source, "name", "the given file"))


def columnar_kind(source: Readable) -> str | None:
    """Return Parquet or Feather, and None for text; other formats are refused."""
    start = _start(source)
    file = name_of(source)
    for magic, kind in COLUMNAR.items():
        if start.startswith(magic):
            return kind
    what = _refused(start) or _refused(_unpacked(start))
    if start and PurePath(file).suffix.lower() in PICKLE_ENDS:
        what = PICKLE
    if start.startswith(ZIP):
        what = _zipped(source)
    if what is None and start.startswith(GZIP) and PurePath(file).suffix.lower() != ".gz":
        what = f"gzipped: let its name end in .gz, or {UNPACK}"
    if what is not None:
        raise WorkbenchError(f"{file} is {what}")
    return None


def refuse_json(file: str, lines: Sequence[tuple[int, str]]) -> None:
    """Raise if the first line that is not blank opens an object, or a list of texts, lists or objects."""
    first = next((text for _, text in lines if text.strip()), "")
    if JSON.match(first):
        raise WorkbenchError(
            f"{file} is JSON: write a table, such as pandas.read_json(...).to_csv(...), with a column for "
            "each class"
        )


def _start(source: Any) -> bytes:
    """Return the first bytes; nothing of text, and of files that do not open, which reading reports."""
    if isinstance(source, str | PathLike):
        try:
            with open(source, "rb") as stream:
                return stream.read(START)
        except (OSError, ValueError):
            return b""
    if not hasattr(source, "read") or isinstance(source.read(0), str) or not source.seekable():
        return b""
    at = source.tell()
    start = bytes(source.read(START))
    source.seek(at)
    return start


def _refused(start: bytes) -> str | None:
    return next((what for magic, what in REFUSED.items() if start.startswith(magic)), None)


def _unpacked(start: bytes) -> bytes:
    """Return the beginning of what gzip or zlib compressed; nothing of other files."""
    try:
        return zlib.decompressobj(wbits=47).decompress(start)
    except zlib.error:
        return b""


def _zipped(source: Any) -> str:
    """Return what a zip archive is, by its members."""
    try:
        with zipfile.ZipFile(source) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        names = []
    for end, what in ZIPPED.items():
        if any(name.endswith(end) for name in names):
            return what
    return f"a zip archive: {UNPACK}"
