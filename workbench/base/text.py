"""Numbers, names and foreign text inside sentences."""

import unicodedata
from collections.abc import Sequence

__all__ = ["and_of", "article", "count_of", "printable", "sentence", "probability_words", "first_of"]

#: Format characters that writing needs: what joins and parts letters.
JOINERS = frozenset("\u200c\u200d")


def count_of(n: int, one: str, several: str = "") -> str:
    """Give a number and its noun.

    Parameters
    ----------
    n : int
    one, several : str
        The noun; several is made with an s where it is left out.

    Returns
    -------
    str

    Examples
    --------
    >>> count_of(1, "row"), count_of(2, "row"), count_of(0, "class", "classes")
    ('1 row', '2 rows', '0 classes')
    """
    return f"{n} {one if n == 1 else several or one + 's'}"


def article(noun: str) -> str:
    """Give a noun with "a" or "an".

    Parameters
    ----------
    noun : str

    Returns
    -------
    str

    Examples
    --------
    >>> article("int"), article("DataFrame")
    ('an int', 'a DataFrame')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def and_of(words: Sequence[str]) -> str:
    """List words in a sentence.

    Parameters
    ----------
    words : sequence of str
        At least one.

    Returns
    -------
    str

    Examples
    --------
    >>> and_of(["nb"]), and_of(["nb", "tan", "aode"])
    ('nb', 'nb, tan and aode')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def printable(text: str) -> str:
    r"""Write what a terminal or a page would obey and not show as escapes; line breaks and tabs stay.

    That is control characters, format characters such as those that turn the direction of writing, and halves
    of characters.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> printable("a \x1b[31mred\x1b[0m word")
    'a \\x1b[31mred\\x1b[0m word'
    """
    if text.isprintable():
        return text
    return "".join(letter if _is_shown(letter) else _escape(letter) for letter in text)


def sentence(text: str, most: int = 2000) -> str:
    r"""Write text on one line, without its middle where it is long.

    Parameters
    ----------
    text : str
    most : int
        How many letters there may be.

    Returns
    -------
    str

    Examples
    --------
    >>> sentence("two\nlines"), sentence("0123456789" * 3, most=20)
    ('two lines', '012345678901 ... 789')
    """
    line = printable(" ".join(text.splitlines()) if "\n" in text or "\r" in text else text)
    if len(line) <= most:
        return line
    end = (most - 5) // 5
    return f"{line[: most - 5 - end]} ... {line[len(line) - end :]}"


def _is_shown(letter: str) -> bool:
    if letter.isprintable() or letter in "\n\t" or letter in JOINERS:
        return True
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def probability_words(p: float) -> str:
    """Give a probability with three digits, and a bound where they would be 0 or 1.

    Parameters
    ----------
    p : float
        Between 0 and 1.

    Returns
    -------
    str

    Examples
    --------
    >>> probability_words(1.0), probability_words(0.98765), probability_words(0.0)
    ('> 0.999', '0.988', '< 0.001')
    """
    return "> 0.999" if p > 0.9995 else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def first_of(words: Sequence[str], most: int = 20, *, between: str = ", ") -> str:
    """Join words, and beyond a number of them say how many there are instead.

    Parameters
    ----------
    words : sequence of str
    most : int
        How many are told.
    between : str
        What stands between them.

    Returns
    -------
    str

    Examples
    --------
    >>> first_of(["1", "2", "3"], 3)
    '1, 2, 3'
    >>> first_of(["1", "2", "3"], 2)
    '1, 2 (the first 2 of 3)'
    """
    told = between.join(words[:most])
    return told if len(words) <= most else f"{told} (the first {most} of {len(words):,})"
