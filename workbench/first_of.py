"""Long lists in words: the first few, and how many there are."""

from collections.abc import Sequence

__all__ = ["first_of"]


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
