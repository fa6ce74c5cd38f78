"""Every stream of random numbers is derived from what it is for, never from when it is drawn."""

import hashlib
import json

import numpy as np

__all__ = ["canonical", "digest", "generator_for", "hashed", "integer_seed"]


def canonical(value: object) -> str:
    """Write plain data as JSON in the one form that is hashed.

    Parameters
    ----------
    value : None, bool, int, float, str, list, tuple or dict
        Nested plain data; dictionaries are sorted by key, numpy's numbers written as Python's.

    Returns
    -------
    str
        ASCII text without blanks.

    Examples
    --------
    >>> canonical({"b": (1, 2.0), "a": None})
    '{"a":null,"b":[1,2.0]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_python)


def digest(value: object) -> str:
    """Hash plain data.

    Parameters
    ----------
    value : plain data as `canonical` takes it

    Returns
    -------
    str
        64 hexadecimal digits (SHA-256 of the canonical form).

    Examples
    --------
    >>> digest({"a": 1})[:8]
    '015abd7f'
    """
    return hashed(canonical(value))


def hashed(text: str) -> str:
    """Hash text that is in canonical form already.

    Parameters
    ----------
    text : str
        ASCII.

    Returns
    -------
    str
        64 hexadecimal digits (SHA-256).

    Examples
    --------
    >>> hashed(canonical({"a": 1})) == digest({"a": 1})
    True
    """
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def generator_for(*key: object) -> np.random.Generator:
    """Make the random generator that belongs to a key.

    Parameters
    ----------
    *key : plain data
        What the numbers are for, e.g. ``"test rows", 2004, source identity, replicate``.

    Returns
    -------
    numpy.random.Generator
        PCG64; the same key gives the same numbers on every machine, in any order of calls.

    Examples
    --------
    >>> generator_for("a", 1).random() == generator_for("a", 1).random()
    True
    >>> generator_for("a", 1).random() == generator_for("a", 2).random()
    False
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(int(digest(key), 16))))


def integer_seed(*key: object) -> int:
    """Make the integer that a learner with a `random_state` of its own is given.

    Parameters
    ----------
    *key : plain data
        What the seed is for.

    Returns
    -------
    int
        From 0 to 2**32 - 1, the range that scikit-learn takes.

    Examples
    --------
    >>> integer_seed("learner", "abc")
    2599364734
    """
    return int(digest(key)[:8], 16)


def _python(value: object) -> object:
    """Give the Python number behind one of numpy's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no plain data: give numbers, strings, lists or dictionaries")
