"""Files that are not text, or not a table of text: rejected by their names, with a remedy."""

import io
import zipfile
import zlib
from pathlib import PurePath

from workbench.base.errors import WorkbenchError

__all__ = ["refuse_binary", "refuse_other_text"]

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
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
    b"PAR1": "Parquet: let its name end in .parquet",
    b"ARROW1": f"Feather: read it with pandas.read_feather, and {TO_CSV.replace('it', 'the table')}",
    b"SQLite format 3": "a SQLite database: read it with pandas.read_sql, and give the table",
    **dict.fromkeys((b"$FL2", b"$FL3"), "SPSS's: read it with pandas.read_spss, and give the table"),
    b"<stata_dta>": "Stata's: read it with pandas.read_stata, and give the table",
    b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60": "SAS's: read it with pandas.read_sas, and give the table",
}
#: What a member of a zip archive is called, and what the archive is then.
ZIPPED = {"xl/workbook.xml": SHEET, "content.xml": SHEET, ".npy": NUMPY}
#: First words of text that is no delimited text, in lower case.
OTHER_TEXT = {
    ("<!doctype html", "<html", "<table"): "HTML: read it with pandas.read_html, and give the table",
    ("<?xml",): "XML: read it with pandas.read_xml, and give the table",
    ("{", "[{", "[[", '["'): "JSON: read it with pandas.read_json, and write the table with to_csv",
    ("@relation",): "ARFF: let its name end in .arff",
    ("-[ record 1 ]",): "psql's expanded display: switch it off (\\x off), or export the table as CSV",
    (
        "insert into",
        "create table",
        "drop table",
        "-- mysql dump",
        "-- postgresql database dump",
        "--\n-- pos",
    ): ("a dump of SQL commands: load it into a database, and export the table as CSV"),
}


def refuse_binary(name: str, raw: bytes) -> None:
    """Raise WorkbenchError for bytes of another format, packed by gzip or zlib or not."""
    what = _refused(raw) or _refused(_unpacked(raw))
    if PurePath(name).suffix.lower() in PICKLE_ENDS:
        what = PICKLE
    if raw.startswith(ZIP):
        what = _zipped(raw)
    if what is not None:
        raise WorkbenchError(f"{name} is {what}")


def refuse_other_text(name: str, text: str) -> None:
    """Raise WorkbenchError for the beginning of a text that is not delimited."""
    start = "".join(text[:400].removeprefix("\ufeff").lower().split())
    for words, what in OTHER_TEXT.items():
        if start.startswith(tuple("".join(word.split()) for word in words)):
            raise WorkbenchError(f"{name} is {what}")


def _refused(start: bytes) -> str | None:
    return next((what for magic, what in REFUSED.items() if start.startswith(magic)), None)


def _unpacked(raw: bytes) -> bytes:
    """Return the beginning of what gzip or zlib compressed, or nothing for other files."""
    try:
        return zlib.decompressobj(wbits=47).decompress(raw[:512])
    except zlib.error:
        return b""


def _zipped(raw: bytes) -> str:
    """Return the kind of a zip archive, by its members."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        names = []
    for end, what in ZIPPED.items():
        if any(name.endswith(end) for name in names):
            return what
    return f"a zip archive: {UNPACK}"
