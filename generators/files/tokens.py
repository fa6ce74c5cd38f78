"""Tokens of a text with their places, without blanks and comments."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

from generators.base.validation import shown

__all__ = ["END", "Tokens", "numbers_of", "text_of"]

QUOTED, END = "quoted", "end of text"  # in place of the marks of a quoted word and of the end


class Tokens:
    """What the groups `quoted`, `mark` and `word` of a pattern find, one after the other."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.text = text
        self.words: list[str] = []
        self.marks: list[str] = []  # empty for words
        self._starts: list[int] = []
        self._line_ends = [found.start() for found in re.finditer("\n", text)]
        self.at = 0
        end = 0
        for found in pattern.finditer(text):
            if found.start() > end:
                break
            end = found.end()
            kind = found.lastgroup
            if kind is not None:
                self.words.append(found[kind])
                self.marks.append("" if kind == "word" else QUOTED if kind == "quoted" else found[kind])
                self._starts.append(found.start())
        self.words.append("")
        self.marks.append(END)
        self._starts.append(len(text))
        if end < len(text):
            raise ValueError(f"{self._place(end)}: a quotation mark is not closed: add the closing one")

    def _place(self, start: int) -> str:
        line = bisect_left(self._line_ends, start)
        before = self._line_ends[line - 1] if line else -1
        return f"line {line + 1}, column {start - before}"

    def place(self, at: int | None = None) -> str:
        """Return the line and column of a token, the next by default."""
        return self._place(self.start(at))

    def start(self, at: int | None = None) -> int:
        """Return the place of a token in the text, the next by default."""
        return self._starts[self.at if at is None else at]

    def fault(self, expected: str, at: int | None = None) -> ValueError:
        """Return the error that a token, the next by default, is not what was expected."""
        at = self.at if at is None else at
        found = "the end" if self.marks[at] == END else shown(self.words[at])
        return ValueError(f"{self.place(at)}: found {found}, expected {expected}: correct it")

    @property
    def is_over(self) -> bool:
        """Whether the text is read."""
        return self.marks[self.at] == END

    @property
    def key(self) -> str:
        """The next word in lower case, or the next mark."""
        return self.marks[self.at] or self.words[self.at].lower()

    def skip(self, key: str) -> bool:
        """Skip the next word or mark if it is this one, and return whether it was skipped."""
        found = self.key == key
        self.at += found
        return found

    def take(self, key: str) -> None:
        """Skip the next word or mark, or raise ValueError if it is another one."""
        if not self.skip(key):
            raise self.fault(f"{key}")

    def name(self, what: str) -> str:
        """Return the next word, quoted or not, or raise ValueError if it is a mark."""
        if self.marks[self.at] not in ("", QUOTED):
            raise self.fault(what)
        self.at += 1
        return self.words[self.at - 1]

    def names(self, end: str, what: str, also: str = "") -> list[str]:
        """Return the words before a mark, and skip it. `also` is a mark that may separate them."""
        found = []
        while not self.skip(end):
            if not (also and self.skip(also)):
                found.append(self.name(f"{what} or {end}"))
        return found

    def until(self, end: str) -> range:
        """Return the tokens before a mark, and skip it."""
        try:
            last = self.marks.index(end, self.at)
        except ValueError:
            raise self.fault(f"{end} at the end of what begins here") from None
        first, self.at = self.at, last + 1
        return range(first, last)

    def numbers(self, end: str, ignored: str) -> list[float]:
        """Return the numbers before a mark, between ignored marks, and skip it."""
        places = [at for at in self.until(end) if not self.marks[at] or self.marks[at] not in ignored]
        try:
            return numbers_of([self.words[at] for at in places])
        except ValueError:
            odd = next(at for at in places if not _is_number(self.words[at]))
            raise self.fault(f"a number or {end}", odd) from None


def _is_number(word: str) -> bool:
    try:
        return bool(numbers_of([word]))
    except ValueError:
        return False


def numbers_of(words: Sequence[str]) -> list[float]:
    """Return words as numbers, without Python's underscores."""
    if "_" in "".join(words):
        raise ValueError("a number has an underscore")
    return list(map(float, words))


def text_of(text_or_path: str | os.PathLike[str]) -> str:
    """Return text that has a line break, else the text of a file without byte order mark and CR."""
    if isinstance(text_or_path, str) and ("\n" in text_or_path or not text_or_path.strip()):
        text = text_or_path
    else:
        try:
            text = Path(text_or_path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise ValueError(
                f"the file {os.fspath(text_or_path)!r} is not in UTF-8: convert it first"
            ) from None
        except OSError as error:
            hint = "expected the path of a file, or its text, which has line breaks"
            raise OSError(
                error.errno, f"{os.fspath(text_or_path)!r} cannot be read ({error.strerror}): {hint}"
            ) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
