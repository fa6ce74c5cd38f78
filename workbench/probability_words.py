"""A probability that was estimated, in words: neither 0 nor 1 can be known from draws."""

__all__ = ["probability_words"]


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
