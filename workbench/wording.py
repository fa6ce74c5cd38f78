"""Numbers and names inside sentences."""

__all__ = ["article", "count_of"]


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
