"""Fields of a line of ARFF: bare or quoted, between commas or blanks, in braces or not."""

import re
from typing import NamedTuple

__all__ = ["Field", "Malformed", "ended", "row_fields", "scan", "scan_field", "skip_blanks", "sparse_fields"]

QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
CONTROL = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
BLANKS = re.compile(r"\s*")
COMMENT = re.compile(r"(?:^|\s)%")
BARE = re.compile(r"""[^,'"{}]*""")
BARE_WORD = re.compile(r"""[^\s,'"{}]*""")
INDEX = re.compile(r"[0-9]{1,9}(?=\s)")
WEIGHT = "weights of rows in braces are not read: remove them"


class Malformed(Exception):
    """An error at a place in a line. The reader adds file and line."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at
        self.what = what


class Field(NamedTuple):
    """A field of a line."""

    text: str  # without quotes and escapes
    is_quoted: bool  # a quoted ? is a value, a bare one a missing value
    at: int  # where it begins in the line, from 0


def row_fields(line: str, *, blanks: bool) -> list[Field]:
    """Split a dense row. With `blanks` a row without any comma is split at blanks, as in Weka."""
    fields, _ = scan(line, 0, blanks=blanks and "," not in line)
    return fields


def scan(line: str, at: int, *, closing: str = "", blanks: bool = False) -> tuple[list[Field], int]:
    """Split a line from `at` up to `closing`, or to its end or comment."""
    fields = []
    while True:
        field, at = scan_field(line, at, blanks=blanks)
        fields.append(field)
        here = line[at : at + 1]
        if here == ",":
            at += 1
        elif closing and here == closing:
            return fields, at + 1
        elif closing and ended(line, at):
            raise Malformed(at, f"the closing {closing} is missing")
        elif ended(line, at):
            return fields, at
        elif not (blanks and line[at - 1].isspace()):
            raise Malformed(at, _unexpected(here))


def scan_field(line: str, at: int, *, blanks: bool = False) -> tuple[Field, int]:
    """Read one field and the blanks around it. The second value is the place after them."""
    at = skip_blanks(line, at)
    if line[at : at + 1] in ("'", '"'):
        return _quoted_field(line, at)
    match = (BARE_WORD if blanks else BARE).match(line, at)
    text = match.group() if match else ""
    comment = COMMENT.search(text)
    text = text[: comment.start()] if comment else text
    if not text.strip():
        raise Malformed(
            at, WEIGHT if line[at : at + 1] == "{" else "a value is expected (a missing one is ?)"
        )
    return Field(text.strip(), False, at), skip_blanks(line, at + len(text))


def sparse_fields(line: str) -> list[tuple[Field, Field]]:
    """Split a sparse row ``{index value, ...}`` into pairs of index, from 0, and value."""
    pairs: list[tuple[Field, Field]] = []
    at = skip_blanks(line, skip_blanks(line, 0) + 1)
    while pairs or line[at : at + 1] != "}":
        index = INDEX.match(line, at)
        if not index:
            raise Malformed(at, "the index of an attribute and a blank are expected in a sparse row")
        value, at = scan_field(line, index.end())
        pairs.append((Field(index.group(), False, index.start()), value))
        here = line[at : at + 1]
        if here == "}":
            break
        if here != ",":
            raise Malformed(at, "the closing } is missing" if ended(line, at) else _unexpected(here))
        at = skip_blanks(line, at + 1)
    at = skip_blanks(line, at + 1)
    if not ended(line, at):
        raise Malformed(at, WEIGHT if line[at] == "," else "nothing is expected after the closing }")
    return pairs


def skip_blanks(line: str, at: int) -> int:
    """Return the next place that is not blank."""
    match = BLANKS.match(line, at)
    return match.end() if match else at


def ended(line: str, at: int) -> bool:
    """Whether nothing but a comment follows."""
    return at >= len(line) or line[at] == "%"


def _quoted_field(line: str, at: int) -> tuple[Field, int]:
    match = QUOTED.match(line, at)
    if not match:
        raise Malformed(at, f"the quote {line[at]} is not closed on its line")
    text = match.group(1) if match.group(1) is not None else match.group(2)
    text = ESCAPE.sub(_unescaped, text) if "\\" in text else text
    return Field(text, True, at), skip_blanks(line, match.end())


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) == 5:
        # a lone surrogate is not a character: U+FFFD replaces it without breaking later output
        number = int(code[1:], 16)
        return "\ufffd" if 0xD800 <= number < 0xE000 else chr(number)
    return CONTROL.get(code, code)


def _unexpected(here: str) -> str:
    if here in ("'", '"', "{", "}"):
        return f"{here} is inside a value: quote the value"
    return "a comma is expected after the closing quote"
