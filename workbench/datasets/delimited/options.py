"""The options of a file of delimited text. Missing options are detected."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.base.errors import WorkbenchError

__all__ = ["MISSING", "SEPARATORS", "TextOptions", "words_of"]

#: Words for a missing value: those that pandas knows by default, and Weka's and UCI's question mark.
MISSING = (
    *("", "?", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A"),
    *("#N/A N/A", "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)
#: What separates values, and what it is called.
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank"}
#: Words for separators that are hard to type.
WORDS = {"tab": "\t", "\\t": "\t", "blank": " ", "space": " ", "comma": ",", "semicolon": ";", "bar": "|"}


@dataclass(frozen=True)
class TextOptions:
    """Options of a file of text, checked. None for detection."""

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: "bool | tuple[str, ...] | None" = None  # or the names of the columns, where the file has none
    missing: "tuple[str, ...] | Mapping[str, tuple[str, ...]] | None" = None

    @classmethod
    def of(cls, what: str, **given: Any) -> "TextOptions":
        """Check options. `what` names their owner in errors."""

        def refuse(name: str, expected: str) -> WorkbenchError:
            return WorkbenchError(f"{what} has {name} = {given[name]!r}: expected {expected}")

        sep, decimal, encoding = (given.get(name) for name in ("sep", "decimal", "encoding"))
        sep = WORDS.get(sep, sep) if isinstance(sep, str) else sep
        if sep is not None and not (isinstance(sep, str) and len(sep) == 1 and sep not in '\n\r"'):
            raise refuse("sep", 'one character, such as ";", or "tab" or "blank"')
        if decimal not in (None, ".", ","):
            raise refuse("decimal", '"." or ","')
        if decimal is not None and decimal == sep:
            raise refuse("decimal", "a mark that does not separate values as well")
        if encoding is not None and not isinstance(encoding, str):
            raise refuse("encoding", 'a word, such as "latin-1"')
        header: Any = given.get("header")
        missing: Any = given.get("missing")
        if not (header is None or isinstance(header, bool)):
            if not _is_words(header):
                raise refuse(
                    "header", "true, false, or a list of names for the columns of a file without one"
                )
            header = tuple(header)
        if isinstance(missing, Mapping) and all(map(_is_words, missing.values())):
            missing = {str(name): tuple(words) for name, words in missing.items()}
        elif _is_words(missing):
            missing = tuple(missing)
        elif missing is not None:
            raise refuse("missing", 'a list of words, such as ["-9"], or one for each of some columns')
        return cls(sep, decimal, encoding, header, missing)

    def missing_of(self, column: str) -> tuple[str, ...]:
        """Return the usual words for a missing value and those given. An empty list means none."""
        own = self.missing.get(column) if isinstance(self.missing, Mapping) else self.missing
        if own is None:
            return MISSING
        return (*MISSING, *own) if own else ("",)


def _is_words(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and all(isinstance(one, str) for one in value)
    )


def words_of(text: str) -> "tuple[str, ...] | dict[str, tuple[str, ...]]":
    """Read words for missing values as typed: "-9,unknown", or "age=-9" for a column."""
    parts = [part.strip() for part in text.split(",")]
    if not any(re.match(r"[^=]+=", part) for part in parts):
        return tuple(parts)
    found: dict[str, tuple[str, ...]] = {}
    column = ""
    for part in parts:
        name, equals, word = part.rpartition("=")
        column = name if equals else column
        found[column] = (*found.get(column, ()), word)
    return found
