"""Numbers, names and foreign text inside sentences."""

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "and_of",
    "article",
    "capitalized",
    "count_of",
    "error_line",
    "exact_numbers",
    "printable",
    "probability_words",
    "sentence",
    "shown",
    "truncate",
]

#: Format characters that scripts need: the joiner and the non-joiner.
JOINERS = frozenset("\u200c\u200d")


def count_of(n: int, one: str, several: str = "") -> str:
    """Return a number and its noun."""
    return f"{n} {one if n == 1 else several or one + 's'}"


def article(noun: str) -> str:
    """Return a noun with "a" or "an"."""
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def capitalized(text: str) -> str:
    """Begin a text with a capital, if its first word is none that people type, such as ece_10."""
    return text if "_" in text.partition(" ")[0] else text[:1].upper() + text[1:]


def and_of(words: Sequence[str]) -> str:
    """List words in a sentence."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def printable(text: str) -> str:
    """Escape text that a terminal or a page would interpret, and keep line breaks and tabs."""
    # control characters, format characters such as those that turn the direction of writing, lone surrogates
    if text.isprintable():
        return text
    return "".join(one if _is_shown(one) else one.encode("unicode_escape").decode("ascii") for one in text)


def sentence(text: str, most: int = 2000) -> str:
    r"""Write text on one line, without the middle if it is long."""
    line = printable(" ".join(text.splitlines()) if "\n" in text or "\r" in text else text)
    if len(line) <= most:
        return line
    end = (most - 5) // 5
    return f"{line[: most - 5 - end]} ... {line[len(line) - end :]}"


def shown(value: object) -> str:
    """Write a value as Python does, with numpy's labels and numbers as plain ones."""
    return repr(_plain(value))


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.str_ | np.number | np.bool_):
        value = value.tolist()
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return tuple(_plain(each) for each in value) if type(value) is tuple else value


def error_line(error: BaseException) -> str:
    """Return the kind of an error and the first line of its message, even if that raises an error."""
    try:
        lines = str(error).strip().splitlines()
    except BaseException as another:
        lines = [f"its message cannot be read ({type(another).__name__})"]
    return sentence(": ".join([type(error).__name__, *lines[:1]]))


def _is_shown(letter: str) -> bool:
    if letter.isprintable() or letter in "\n\t" or letter in JOINERS:
        return True
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def exact_numbers(values: NDArray[Any], missing: str) -> list[str]:
    """Write numbers in their shortest exact form, and NaN as the sign for missing values."""
    return [missing if value != value else repr(value) for value in values.tolist()]


def p_words(p: float) -> str:
    """Return a p value with its letter, or a bound where its digits would be 0."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def probability_words(p: float) -> str:
    """Return a probability with three digits, or a bound where these would be 0 or 1."""
    return "> 0.999" if p >= 0.9995 else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def truncate(words: Sequence[str], most: int = 20, *, between: str = ", ") -> str:
    """Join words. Of more than `most`, join the first ones and add the total."""
    joined = between.join(words[:most])
    return joined if len(words) <= most else f"{joined} (the first {most} of {len(words):,})"
