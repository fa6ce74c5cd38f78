"""The text of a file in UTF-8, whatever its encoding. Files that are not text are rejected by name."""

import codecs
import gzip
import mmap
import zlib
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import IO

import numpy as np

from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.foreign import refuse_binary
from workbench.datasets._shared.lines import Readable, near_files

__all__ = ["Content", "content_of"]

#: Byte order marks; that of UTF-8 says less than its other bytes.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark begins in the same way
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: Bytes that no character of Windows' western alphabet has.
NOT_CP1252 = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D])
HEAD = 4096
#: Lines that are looked at, however long they are.
LEAST_LINES = 8


@dataclass(frozen=True)
class Content:
    """The bytes of a text in UTF-8, without a byte order mark and with only line feeds."""

    data: "bytes | mmap.mmap"
    name: str
    encoding: str  # of the file; "utf-8" if there is nothing to say

    def line_at(self, place: int) -> int:
        """Return the line, from 1, of a byte."""
        return self.data[:place].count(b"\n") + 1

    def until(self, start: int, size: int) -> "Content":
        """Return the text up to a byte and the whole lines among the next ones, at least a few."""
        end = start
        for _ in range(LEAST_LINES):
            end = self.data.find(b"\n", end) + 1 or len(self.data)
        end = max(end, self.data.rfind(b"\n", start, start + size) + 1)
        if max(end, start + size) >= len(self.data):
            return self
        return Content(bytes(self.data[:end]), self.name, self.encoding)


def content_of(source: Readable, encoding: str | None) -> Content:
    """Read a file or an open one, gzipped or not, and detect the encoding if none is named."""
    if isinstance(source, str | PathLike):
        name, raw = str(fspath(source)), _bytes(Path(fspath(source)))
    elif hasattr(source, "read"):
        name, raw = str(getattr(source, "name", "the given file")), _rest_of(source)
    else:
        raise WorkbenchError(f"a {type(source).__name__} was given: expected a path or an open file")
    if not len(raw):
        return Content(b"", name, "utf-8")
    refuse_binary(name, bytes(raw if raw[:2] == b"PK" else raw[:HEAD]))
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise WorkbenchError(f"{name} cannot be unpacked: {error}") from error
    found = _checked(encoding, name) if encoding is not None else _encoding_of(raw, name)
    data = _in_utf8(raw, found, name, asked=encoding is not None)
    if (place := data.find(b"\0")) >= 0:
        line = Content(data, name, found).line_at(place)
        raise WorkbenchError(f"{name}, line {line}: a byte is 0, which no text in {found} has")
    if data.find(b"\r") >= 0:
        data = bytes(data).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return Content(data, name, found)


def _bytes(path: Path) -> "bytes | mmap.mmap":
    try:
        with path.open("rb") as file:
            empty = path.stat().st_size == 0
            return b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WorkbenchError(f"{path} cannot be opened: {reason}{near_files(path, error)}") from error


def _rest_of(stream: "IO[str] | IO[bytes]") -> bytes:
    rest = stream.read()
    return rest.encode("utf-8", errors="surrogatepass") if isinstance(rest, str) else rest


def _checked(encoding: str, name: str) -> str:
    try:
        known = codecs.lookup(encoding).name
    except (LookupError, ValueError) as error:
        raise WorkbenchError(f"{name} cannot be read: {error}") from error
    return "utf-8-sig" if known == "utf-8" else known  # a mark is no part of the first name


def _encoding_of(raw: "bytes | mmap.mmap", name: str) -> str:
    head = bytes(raw[:HEAD])
    for mark, encoding in MARKS.items():
        if head.startswith(mark):
            return encoding
    odd, even = head[1::2].count(0), head[::2].count(0)
    if max(odd, even) > 0.2 * len(head) / 2 > min(odd, even):
        return "utf-16-le" if odd > even else "utf-16-be"
    if _is_ascii(raw):
        return "utf-8"
    try:
        bytes(raw).decode("utf-8")
    except UnicodeDecodeError as error:
        if _has_utf8(bytes(raw)):
            raise _undecoded(raw, error, "utf-8", name) from error
        if raw.find(b"\r") >= 0 > raw.find(b"\n"):  # as on a Macintosh of old
            return "mac-roman"
        return "latin-1" if any(byte in bytes(raw) for byte in NOT_CP1252) else "cp1252"
    return "utf-8"


def _is_ascii(raw: "bytes | mmap.mmap") -> bool:
    return bool(np.frombuffer(raw, dtype=np.uint8).max() < 128)


def _has_utf8(raw: bytes) -> bool:
    """Return whether other places have characters of UTF-8, so that a wrong byte is damage."""
    text = raw.decode("utf-8", errors="surrogateescape")
    return any(letter > "\x7f" and not "\udc80" <= letter <= "\udcff" for letter in set(text))


def _in_utf8(raw: "bytes | mmap.mmap", encoding: str, name: str, *, asked: bool) -> "bytes | mmap.mmap":
    if encoding in ("utf-8", "utf-8-sig") and (not asked or _is_ascii(raw)):
        return raw[3:] if raw[:3] == codecs.BOM_UTF8 else raw
    try:
        return bytes(raw).decode(encoding).removeprefix("\ufeff").encode("utf-8")
    except UnicodeDecodeError as error:
        raise _undecoded(raw, error, encoding.removesuffix("-sig"), name) from error
    except UnicodeError as error:
        raise WorkbenchError(f"{name} is not {encoding}: {error}") from error


def _undecoded(
    raw: "bytes | mmap.mmap", error: UnicodeDecodeError, encoding: str, name: str
) -> WorkbenchError:
    start = raw.rfind(b"\n", 0, error.start) + 1
    column = len(bytes(raw[start : error.start]).decode(encoding, errors="replace")) + 1
    return WorkbenchError(
        f"{name}, line {raw[:start].count(bytes([10])) + 1}, column {column}: a byte is not {encoding}: "
        'name the file\'s encoding, such as latin-1 (encoding = "latin-1" in a study, encoding= in Python, '
        "--encoding of a command)"
    )
