"""Every stream of random numbers is derived from what it is for, never from when it is drawn."""

import hashlib
import json

import numpy as np

__all__ = ["canonical", "digest", "generator_for", "hashed", "integer_seed"]


def canonical(value: object) -> str:
    """Write plain data as JSON in the one form that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_python)


def digest(value: object) -> str:
    """Hash plain data."""
    return hashed(canonical(value))


def hashed(text: str) -> str:
    """Hash text that is in canonical form already."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def generator_for(*key: object) -> np.random.Generator:
    """Make the random generator that belongs to a key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(int(digest(key), 16))))


def integer_seed(*key: object) -> int:
    """Make the integer that a learner with a `random_state` of its own is given."""
    return int(digest(key)[:8], 16)


def _python(value: object) -> object:
    """Return the Python number behind one of numpy's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no plain data: give numbers, strings, lists or dictionaries")
